#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `attnmark submit`: submit.sh PROGRAM PUBLISHED_RUN. What is placed where, what is taken out, and
# what is refused. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
make_run() { ${MESON_EXE_WRAPPER:-} "$made" "$@"; }
made=$2
export USER=jdoe HOME=/home/jdoe

mkdir "$dir/results"
make_run "$dir/run" 'AMD EPYC 7543' '' 2026-01-31T12:00:00Z VALID 1
run=$dir/run/run.jsonl
place=amd/epyc-7543-2cpu-software/20260131T120000Z.jsonl

accepted "--dry-run says where it would go" "$place" submit "$run" --results "$dir/results" \
    --dry-run
grep -q 'cannot read /home/jane/x on tower.example.org' "$dir/stdout" &&
    grep -q 'cannot read x on (stripped)' "$dir/stdout"
ok $? "it shows what is taken out" "$(cat "$dir/stdout")"
[ -z "$(ls "$dir/results")" ]
ok $? "--dry-run writes nothing"

accepted "a run is placed" "$place" submit "$dir/run" --results "$dir/results"
[ -f "$dir/results/$place" ] && [ "$(find "$dir/results" -type f | wc -l)" -eq 1 ]
ok $? "there, whole, and nothing else" "$(find "$dir/results")"
! grep -qiE 'jane|tower|/home|jdoe' "$dir/results/$place"
ok $? "nobody's name or path is in it" \
    "$(grep -iEo '.{30}(jane|tower|/home|jdoe).{9}' "$dir/results/$place")"
[ "$(grep -c '"kernel"' "$dir/results/$place")" -eq 10 ] &&
    [ "$(grep '"status":"ok"' "$dir/results/$place")" = "$(grep '"status":"ok"' "$run")" ]
ok $? "rows without a name keep their bytes"
accepted "it can be read as a run" avx2_f_24x4 export --csv "$dir/results/$place"
accepted "what was stripped has nothing to strip" "Stripped: nothing" submit \
    "$dir/results/$place" --results "$dir/results" --dry-run

before=$(cksum "$dir/results/$place")
refused "a place that is taken" "there already" submit "$run" --results "$dir/results"
[ "$before" = "$(cksum "$dir/results/$place")" ] && [ -z "$(find "$dir" -name '*.tmp')" ]
ok $? "what was there stays as it was"

make_run "$dir/bad" 'AMD EPYC 7543' '' 2026-02-01T12:00:00Z INVALID 1
accepted "an INVALID run is placed and marked" "made up to be <b>INVALID</b>" submit "$dir/bad" \
    --results "$dir/results"

mkfifo "$dir/pipe"
refused "a pipe, which can be read only once" "not a regular file" submit "$dir/pipe" \
    --results "$dir/results"

hostile='../../<b>"x"</b>|$(touch pwned)'
make_run "$dir/hostile" "$hostile" "$hostile" 2026-02-01T12:00:00Z VALID 1
accepted "hostile names become slugs" /unknown/b-x-b-touch-pwned-2cpu-b-x-b-touch-pwned/ submit \
    "$dir/hostile" --results "$dir/results"

# spoilt NAME WORD SED-SCRIPT: the run, changed, is refused.
spoilt() {
    mkdir -p "$dir/spoilt" "$dir/empty"
    sed "$3" "$run" >"$dir/spoilt/run.jsonl"
    refused "$1" "$2" submit "$dir/spoilt" --results "$dir/empty"
    [ -z "$(ls "$dir/empty")" ] || ok 1 "$1: something was left" "$(find "$dir/empty")"
}
digest=$(sed -n '2s/.*"digest":"\([0-9a-f]*\)".*/\1/p' "$run")
wrong=00000000000000000000000000000000
spoilt "a run that did not end" "did not end" '$d'
spoilt "a digest that is not the golden one" "the golden table $digest" \
    "2s/$digest/$wrong/;5s/$digest/$wrong/"
spoilt "exact rows that disagree" "must agree" "5s/$digest/$wrong/"
spoilt "rows missing" "there are 9" 2d
spoilt "an unknown field" "line 3: unknown member 'colour'" '3s/"kernel"/"colour":1,"kernel"/'
spoilt "a missing field" "no member 'clock'" '3s/"clock":"wall",//'
spoilt "another numerics contract" contract_version \
    '1s/"contract_version":[0-9]*/"contract_version":99/'
spoilt "another format" "format_version 2" '1s/"format_version":1/"format_version":2/'
spoilt "a time that is none" "time: want" '1s/"time":"[^"]*"/"time":"..\/..\/x"/'

cp "$run" "$dir/spoilt/run.jsonl"
printf '{"half":' >>"$dir/spoilt/run.jsonl"
refused "half a line after the end" "half a line" submit "$dir/spoilt" --results "$dir/empty"

refused "no run" "want one RUN" submit
refused "two runs" "want one RUN" submit "$run" "$run"
refused "a run that is not there" none submit "$dir/none"
refused "no collection" "no such directory" submit "$run" --results "$dir/none"
refused "a file as the collection" "no such directory" submit "$run" --results "$run"

tap_end
