#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs that are stopped, and go on: resume.sh PROGRAM. Wherever a run was cut, going on keeps what
# was whole, byte for byte, and ends with every row once. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

# bench DIR FLAG...: two workloads of three kernels, one of which cannot run them; 10 samples.
bench() {
    to=$1
    shift
    program bench --device cpu --kernel 'scalar_[fmx]' --threads 1 --workload n=16:32,d=8 \
        --budget 60 --roofs "${roofs:-judging}" --output "$to" -- --benchmark_repetitions=10 "$@"
}
# keys DIR: kernel and workload of every row, sorted.
keys() { sed -n 's/^{"kernel":"\([^"]*\)","workload":"\([^"]*\)".*/\1 \2/p' "$1/run.jsonl" | sort; }
samples() { grep -c '"repetition_index"' "$1/gb.json"; }
# unend DIR: takes off the last line of a run that ended, its result.
unend() { grep -v '^{"result":' "$1/run.jsonl" >"$dir/lines"; mv "$dir/lines" "$1/run.jsonl"; }

first_bench "a run" bench "$dir/whole"
table=$(grep -c '^n=[0-9]* *scalar_' "$dir/stdout")
[ "$table" -eq 4 ] && [ "$(keys "$dir/whole" | uniq -d | wc -l)" -eq 0 ]
ok $? "a run" "$(cat "$dir/stdout")"
keys "$dir/whole" >"$dir/keys"

# goes_on NAME BYTES KEPT: the first BYTES of the run stay, of which KEPT lines must be kept.
goes_on() {
    rm -rf "$dir/cut"
    mkdir "$dir/cut"
    head -c "$2" "$dir/whole/run.jsonl" >"$dir/cut/run.jsonl"
    program bench --resume "$dir/cut" >"$dir/stdout" 2>"$dir/stderr"
    status=$?
    keys "$dir/cut" >"$dir/now"
    head -n "$3" "$dir/whole/run.jsonl" >"$dir/want"
    head -n "$3" "$dir/cut/run.jsonl" >"$dir/got"
    ok_rows=$(grep -c '"status":"ok"' "$dir/cut/run.jsonl")
    [ $status -eq 0 ] && cmp -s "$dir/keys" "$dir/now" && cmp -s "$dir/want" "$dir/got" &&
        sed -n "$(($3 + 1))p" "$dir/cut/run.jsonl" | grep -q '^{"resumed":"' &&
        [ "$(samples "$dir/cut")" -eq $((10 * ok_rows)) ] &&
        [ "$(grep -c '^n=[0-9]* *scalar_' "$dir/stdout")" -eq "$table" ]
    ok $? "goes on: $1" "status $status; $(samples "$dir/cut") samples of $ok_rows rows
$(cat "$dir/stderr" "$dir/now" "$dir/stdout")"
}
# upto LINES: bytes of so many lines. line_of PATTERN: number of the first such line.
upto() { head -n "$1" "$dir/whole/run.jsonl" | wc -c; }
line_of() { grep -n "$1" "$dir/whole/run.jsonl" | head -n 1 | cut -d: -f1; }
first=$(line_of '"roof":true\|"status":"ok"')
second=$(line_of '"workload":"[^"]*,n=32,.*"status":"ok"')
last=$(grep -c '"kernel"' "$dir/whole/run.jsonl")
last=$((last + 1))
goes_on "a header" "$(upto 1)" 1
goes_on "a torn first row" "$(($(upto 1) + 20))" 1
goes_on "rows that cannot run" "$(upto $((first - 1)))" $((first - 1))
goes_on "a roof or a row of a workload in flight" "$(upto "$first")" $((first - 1))
goes_on "more of it, and a torn line" "$(($(upto $((first + 1))) + 300))" $((first - 1))
goes_on "a whole workload" "$(upto $((second - 1)))" $((second - 1))
goes_on "a whole workload and a torn line" "$(($(upto $((second - 1))) + 1))" $((second - 1))
goes_on "all but a part of the last workload" "$(upto $((last - 1)))" $((second - 1))
goes_on "every row" "$(upto "$last")" "$last"
unend "$dir/cut"
head -c $(($(wc -c <"$dir/cut/run.jsonl") - 9)) "$dir/cut/run.jsonl" >"$dir/lines"
mv "$dir/lines" "$dir/cut/run.jsonl"
SLURM_TEST_OF_RESUME=1 # another job of a batch system
export SLURM_TEST_OF_RESUME
program bench --resume "$dir/cut/run.jsonl" --budget 1 >"$dir/stdout" 2>"$dir/stderr" &&
    keys "$dir/cut" | cmp -s - "$dir/keys"
ok $? "goes on: a second time, by its file, with a budget, in another job" "$(cat "$dir/stderr")"
unset SLURM_TEST_OF_RESUME

# Roofs that judge no row come first, and are kept one by one.
judging=$last
roofs=all bench "$dir/all" >"$dir/stdout" 2>"$dir/stderr"
table=$(grep -c '^n=[0-9]* *scalar_' "$dir/stdout")
keys "$dir/all" >"$dir/keys"
mv "$dir/whole" "$dir/judging"
mv "$dir/all" "$dir/whole"
alone=$(($(wc -l <"$dir/keys") + 1 - judging))
if [ $alone -ge 2 ]; then
    part=$((first - 1 + alone / 2))
    goes_on "a part of the roofs that judge no row" "$(($(upto $part) + 7))" $part
    part=$((first - 1 + alone))
    goes_on "those roofs, and more in flight" "$(upto $((part + 2)))" $part
else
    echo "# no roofs but those that judge a row: not tried"
fi
rm -r "$dir/whole"
mv "$dir/judging" "$dir/whole"
keys "$dir/whole" >"$dir/keys"

# What is refused leaves the file as it is.
head -n "$first" "$dir/whole/run.jsonl" >"$dir/cut/run.jsonl"
cp "$dir/cut/run.jsonl" "$dir/before"
refused "other options beside --resume" "not --seed" bench --resume "$dir/cut" --seed 1
refused "flags beside --resume" "not --" bench --resume "$dir/cut" -- --benchmark_filter=x
refused "a run that is not there" "none" bench --resume "$dir/none"
OMP_TEST_OF_RESUME=1
export OMP_TEST_OF_RESUME
refused "another environment" "environment.OMP_TEST_OF_RESUME was not there and is \"1\"" bench \
    --resume "$dir/cut"
unset OMP_TEST_OF_RESUME
changed() { # NAME WORD SED-SCRIPT
    sed "$3" "$dir/before" >"$dir/cut/run.jsonl"
    refused "$1" "$2" bench --resume "$dir/cut"
}
other() { # NAME PLACE: the text, or null, at this place of the header is another
    field=${2##*.}
    changed "$1" "$2 was \"other\"" \
        "1s/\"$field\":\"\\{0,1\\}[^,\"}]*\"\\{0,1\\}/\"$field\":\"other\"/"
}
other "another CPU" machine.cpu_model
other "another build" build.commit
other "other shaders" spirv_digest
changed "another contract" "contract_version was 99" \
    '1s/"contract_version":1/"contract_version":99/'
changed "a device more" "devices.0 was {" '1s/"devices":\[\]/"devices":[{"name":"Other"}]/'
changed "a header without a command" "no command" '1s/"command":/"order":/'
changed "a command that is no bench's" "--frobnicate" '1s/"command":\["[^"]*"/&,"--frobnicate"/'
changed "a row that the command has not" "none of its command" \
    '2s/"kernel":"[^"]*"/"kernel":"other"/;2s/"roof":true/"roof":false/'
changed "no run.jsonl" "format_version" '1s/"format_version"/"version"/'
changed "a line that is no row" "run.jsonl:3" '3s/.*/nonsense/'
changed "a run that has ended" "has ended" '$s/.*/{"result":"VALID"}/'
cp "$dir/before" "$dir/cut/run.jsonl"
program bench --resume "$dir/cut" --budget 0 >/dev/null 2>&1
[ $? -eq 2 ] && cmp -s "$dir/before" "$dir/cut/run.jsonl"
ok $? "a refused --resume leaves the file as it is"

# One writer at a time; SIGTERM ends a run in order, and it can go on. The samples would take hours.
long="$dir/it's long"
${MESON_EXE_WRAPPER:-} "$path" bench --device cpu --kernel scalar_f --threads 1 \
    --workload n=64,d=64 --roofs judging --output "$long" -- --benchmark_repetitions=100000 \
    >"$dir/long_stdout" 2>"$dir/long_stderr" &
pid=$!
waited=0
until [ -s "$long/gb.json" ] || [ $waited -gt 600 ]; do
    waited=$((waited + 1))
    sleep 0.1
done
refused "--resume of a run in progress" "another process" bench --resume "$long"
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 143 ] && [ "$(wc -l <"$dir/long_stderr")" -eq 1 ] &&
    grep -q "; to go on: attnmark bench --resume " "$dir/long_stderr" &&
    [ "$(eval "printf %s $(sed 's/.* --resume //' "$dir/long_stderr")")" = "$long" ] &&
    [ "$(wc -l <"$long/run.jsonl")" -eq 1 ]
ok $? "SIGTERM: a line that says how to go on" "status $status; $(cat "$dir/long_stderr")"

# A reader that goes away.
(
    bench "$dir/piped" 2>"$dir/stderr"
    echo $? >"$dir/status"
) | true
[ "$(cat "$dir/status")" -eq 2 ] && [ "$(wc -l <"$dir/stderr")" -eq 1 ] &&
    grep -q 'standard output' "$dir/stderr" && keys "$dir/piped" | cmp -s - "$dir/keys"
ok $? "nobody reads the table: the run ends, with a line" "$(cat "$dir/status" "$dir/stderr")"

# A disk that fills up, and has room again. The limit is in blocks of 512 bytes or more.
(
    trap '' XFSZ
    ulimit -f $((($(upto "$first") + 511) / 512))
    bench "$dir/full" 2>"$dir/stderr"
    echo "status $?"
) | cat >"$dir/stdout"
if [ "$(wc -c <"$dir/full/run.jsonl")" -ge "$(wc -c <"$dir/whole/run.jsonl")" ]; then
    echo "# file sizes cannot be limited here: a full disk not tried"
else
    grep -q '^status 2' "$dir/stdout" && grep -q 'cannot write' "$dir/stderr" &&
        program bench --resume "$dir/full" >"$dir/stdout" 2>"$dir/stderr" &&
        keys "$dir/full" | cmp -s - "$dir/keys"
    ok $? "goes on where a disk was full" "$(cat "$dir/stdout" "$dir/stderr")"
fi

tap_end
