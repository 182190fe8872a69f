#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Kills runs without warning, and lets them go on: kills.sh PROGRAM [COUNT [SEED]]. A short bench is
# killed by SIGKILL at a random moment, gone on with, killed again, until it ends by itself; then
# the next. After each end its file must hold every row once, all lines whole, and the result of the
# run in the last. COUNT kills in all. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
wanted=${2:-100}
seed=${3:-1}
work=h=1,n=16..128,d=16

random() { # LIMIT: sets $drawn, 0..LIMIT-1
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    drawn=$((seed / 65536 % $1))
}
keys() { sed -n 's/^{"kernel":"\([^"]*\)","workload":"\([^"]*\)".*/\1 \2/p' "$1" | sort; }
now_ms() { date +%s%3N | sed 's/3N$/000/'; } # without milliseconds where date has none

if ! has_bench; then
    echo "1..0 # SKIP built without Google Benchmark"
    exit 0
fi

# try ARGUMENT...: runs bench in the background; sets pid.
try() {
    ${MESON_EXE_WRAPPER:-} "$path" bench "$@" >"$dir/stdout" 2>"$dir/stderr" &
    pid=$!
}
begin() {
    rm -rf "$dir/run"
    try --device cpu --kernel 'scalar_[fmx]' --threads 1 --workload $work --budget 60 \
        --roofs judging --output "$dir/run" -- --benchmark_repetitions=10
}

# One undisturbed, for its rows and its length.
started=$(now_ms)
begin
wait $pid || ok 1 "an undisturbed run" "$(cat "$dir/stderr")"
length=$(($(now_ms) - started + 1))
[ $length -lt 60000 ] || length=60000
keys "$dir/run/run.jsonl" | grep -v '^roof' >"$dir/keys"
last=$(tail -n 1 "$dir/run/run.jsonl" | cut -c1-10)

kills=0 runs=0 again=0 torn=0 wrong=0
begin
while :; do
    random "$length"
    if [ $kills -lt "$wanted" ]; then
        sleep "$((drawn / 1000)).$(printf %03d $((drawn % 1000)))"
        kill -9 $pid 2>/dev/null
    fi
    wait $pid 2>/dev/null
    status=$?
    # As many runs should be hit as end before: other load makes them longer and shorter.
    if [ $status -eq 137 ]; then
        kills=$((kills + 1))
        length=$((length * 11 / 10 + 1))
    else
        length=$((length * 9 / 10 + 20))
    fi
    if [ $status -eq 0 ]; then
        runs=$((runs + 1))
        keys "$dir/run/run.jsonl" >"$dir/now"
        grep -v '^roof' "$dir/now" | cmp -s - "$dir/keys" && [ -z "$(uniq -d "$dir/now")" ] &&
            { [ "$last" != '{"result":' ] || tail -n 1 "$dir/run/run.jsonl" | grep -q "^$last"; } &&
            program export --csv "$dir/run" >/dev/null 2>"$dir/stderr" ||
            { wrong=$((wrong + 1)); ok 1 "run $runs" "$(cat "$dir/now" "$dir/stderr")"; }
        [ $kills -lt "$wanted" ] || break
        begin
    elif [ $status -ne 137 ]; then
        wrong=$((wrong + 1))
        ok 1 "after $kills kills" "status $status; $(cat "$dir/stderr")"
        [ $wrong -lt 10 ] || break
        begin
    elif [ "$(head -n 1 "$dir/run/run.jsonl" 2>/dev/null | tail -c 1 | od -An -tx1)" = " 0a" ]; then
        again=$((again + 1))
        [ -z "$(tail -c 1 "$dir/run/run.jsonl" | tr -d '\n')" ] || torn=$((torn + 1))
        if tail -n 1 "$dir/run/run.jsonl" | grep -q '^{"result":'; then
            begin # killed after its last line
        else
            try --resume "$dir/run"
        fi
    else
        begin # killed before there was a header
    fi
done
echo "# $kills kills: $again gone on with, $torn of them with a torn line; $runs runs ended"
[ $wrong -eq 0 ] && [ $kills -ge "$wanted" ] && [ $runs -gt 0 ]
ok $? "$kills kills: every row once in each of $runs runs"
tap_end
