#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.jsonl against its schema: schema.sh PROGRAM SYNTHETIC_RUN SCHEMA. Rows of every status, and
# those of a real run. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
synthetic=$2
schema=$3
check() { python3 "$(dirname "$0")/check_schema.py" "$schema" "$@" >"$dir/faults" 2>&1; }

${MESON_EXE_WRAPPER:-} "$synthetic" "$dir/made"
check "$dir/made/run.jsonl"
case $? in
77 | 127)
    echo "1..0 # SKIP no python3 with the package jsonschema"
    exit 0
    ;;
0) ok 0 "rows of every status" ;;
*) ok 1 "rows of every status" "$(cat "$dir/faults")" ;;
esac

if ! has_bench; then
    echo "# built without Google Benchmark: no real run"
else
    program bench --device cpu --kernel 'scalar_*' --threads 1 --workload n=16,d=8 --budget 2 \
        --output "$dir/real" >"$dir/stdout" 2>&1
    check "$dir/real/run.jsonl"
    ok $? "a real run" "$(cat "$dir/faults")"
    # One that was stopped and gone on with.
    rows=$(grep -n '"kernel"' "$dir/real/run.jsonl" | head -n 1 | cut -d: -f1)
    head -n "$rows" "$dir/real/run.jsonl" >"$dir/part"
    mv "$dir/part" "$dir/real/run.jsonl"
    program bench --resume "$dir/real" >"$dir/stdout" 2>&1 && check "$dir/real/run.jsonl" &&
        grep -q '^{"resumed":' "$dir/real/run.jsonl"
    ok $? "a run that was gone on with" "$(cat "$dir/stdout" "$dir/faults")"
fi

# The schema refuses what is no such line.
refuses() { # NAME SED-SCRIPT
    sed "$2" "$dir/made/run.jsonl" >"$dir/wrong.jsonl"
    check "$dir/wrong.jsonl"
    [ $? -eq 1 ]
    ok $? "refused by the schema: $1" "$(cat "$dir/faults")"
}
refuses "an unknown field" '2s/"kernel"/"colour":1,"kernel"/'
refuses "a missing field" '2s/"gflops":/"gflop":/'
refuses "a time without a status ok" '2s/"status":"ok"/"status":"failed"/'
refuses "an unknown status" '2s/"status":"ok"/"status":"fine"/'
refuses "a number as text" '2s/"flops":\([0-9]*\)/"flops":"\1"/'
refuses "a header of another version" '1s/"format_version":1/"format_version":2/'

tap_end
