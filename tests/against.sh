#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Two runs of one command that take turns: against.sh PROGRAM. How they compare depends on the
# machine; that they are compared sample by sample, and that none outlives the other, does not.
# Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
case $path in
/*) ;;
*) path=$PWD/$path ;;
esac

# bench DIR OPTION...: one short row, which ends by its samples and not by the clock.
bench() {
    to=$1
    shift
    program bench --kernel scalar_m --device cpu --threads 1 --workload h=1,n=16,d=8 --budget 60 \
        --roofs judging --output "$to" "$@" -- --benchmark_repetitions=10
}

if [ -n "${MESON_EXE_WRAPPER:-}" ]; then
    echo "1..0 # SKIP a program under an emulator does not start another"
    exit 0
fi
first_bench "two runs that take turns" bench "$dir/turns" --against "$path"
against=$(sed -n 's/^Against: //p' "$dir/stdout")
[ -f "$dir/turns-against/run.jsonl" ] && [ "${against##*/}" = turns-against ]
ok $? "two runs that take turns" "$(cat "$dir/stdout")"
program compare --json "$against" "$dir/turns" >"$dir/stdout"
grep -qE '"in_turn": ?true' "$dir/stdout"
ok $? "are compared sample by sample" "$(cat "$dir/stdout")"

mkdir "$dir/cut" && sed '$d' "$dir/turns/run.jsonl" >"$dir/cut/run.jsonl"
refused "one of two runs is not gone on with" "took turns" bench --resume "$dir/cut"
refused "no program" "--against: want a program" bench --against "" --output "$dir/none"
refused "a program that is none" "false: it ended" bench --workload h=1,n=16,d=8 \
    --output "$dir/none" --against false
refused "a program that is not there" "$dir/nothing" bench --workload h=1,n=16,d=8 \
    --output "$dir/none" --against "$dir/nothing"
refused "one file for two runs" "--benchmark_out" bench --workload h=1,n=16,d=8 \
    --output "$dir/none" --against "$path" -- "--benchmark_out=$dir/none.json"
[ ! -e "$dir/none" ] && [ ! -e "$dir/none-against" ] && [ ! -e "$dir/none.json" ]
ok $? "and nothing is left of it"
mkdir "$dir/full-against" && : >"$dir/full-against/run.jsonl"
bench "$dir/full" --against "$path" 2>"$dir/stderr"
[ $? -eq 2 ] && [ ! -e "$dir/full" ] && grep -qF "full-against" "$dir/stderr"
ok $? "refused: where the other's files would be" "$(cat "$dir/stderr")"

# A relative path means the same to both, wherever the other is started, and ends in any number of
# slashes.
mkdir "$dir/here" "$dir/there"
printf '#!/bin/sh\ncd "%s" && exec "%s" "$@"\n' "$dir/there" "$path" >"$dir/wrapper"
chmod +x "$dir/wrapper"
(cd "$dir/here" && bench "in here//" --against "$dir/wrapper") >"$dir/stdout"
[ -f "$dir/here/in here/run.jsonl" ] && [ -f "$dir/here/in here-against/run.jsonl" ] &&
    [ -z "$(ls "$dir/there")" ]
ok $? "the other's files are beside those of the first" "$(cat "$dir/stdout"; ls -R "$dir/here")"

# seen FILE PATTERN: within 30 seconds.
seen() {
    tries=0
    until grep -q "$2" "$1" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || return 1
        sleep 0.1
    done
}
# start DIR AGAINST: a long run; $first is its process.
start() {
    "$path" bench --kernel scalar_m --device cpu --threads 1 --workload h=1,n=16,d=8 --budget 60 \
        --pause 2 --roofs judging --output "$1" --against "$2" >"$dir/stdout" 2>"$dir/stderr" &
    first=$!
}
# ended SIGNAL: the first alone gets it, in the middle; the second must not measure to its end.
ended() {
    rm -rf "$dir/long" "$dir/long-against"
    start "$dir/long" "$path"
    seen "$dir/long-against/gb.json" benchmarks
    kill "-$1" $first
    wait $first
    status=$?
    seen "$dir/stderr" 'stopped by SIGTERM; runs that take turns\|takes turns with has ended'
    ok $? "the second ends with the first: SIG$1" "$(cat "$dir/stderr")"
}
ended KILL
! grep -q '"result"' "$dir/long/run.jsonl" "$dir/long-against/run.jsonl"
ok $? "and neither has a result"
ended TERM
[ $status -eq 143 ]
ok $? "with the status of the signal" "$status; $(cat "$dir/stderr")"

# The first has results of its own to finish, which are not what was asked for.
printf '#!/bin/sh\necho $$ >"%s"\nexec "%s" "$@"\n' "$dir/pid" "$path" >"$dir/wrapper"
"$path" bench --kernel scalar_m --device cpu --threads 1 --workload h=1,n=16,d=8 --budget 4 \
    --pause 0.2 --roofs judging --output "$dir/lone" --against "$dir/wrapper" >"$dir/stdout" \
    2>"$dir/stderr" -- --benchmark_repetitions=20 &
first=$!
seen "$dir/lone-against/gb.json" benchmarks
kill -KILL "$(cat "$dir/pid")"
wait $first
[ $? -eq 137 ] && grep -q 'RESULT INVALID.*took turns' "$dir/stdout"
ok $? "the second is killed: the first says so" "$(cat "$dir/stdout" "$dir/stderr")"

# What never takes its turn keeps nobody.
printf '#!/bin/sh\necho here >"%s"\nexec sleep 60\n' "$dir/asleep" >"$dir/wrapper"
start "$dir/long-none" "$dir/wrapper"
seen "$dir/asleep" here
kill $first
wait $first
[ $? -eq 143 ] && grep -q 'stopped by SIGTERM' "$dir/stderr" && [ ! -e "$dir/long-none" ]
ok $? "a program that never takes its turn" "$(cat "$dir/stderr")"
tap_end
