#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The checker of schemas against the package jsonschema, on mutated runs:
# schema_check.sh PROGRAM SYNTHETIC_RUN SCHEMA SCHEMA_VERDICTS. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

${MESON_EXE_WRAPPER:-} "$2" "$dir/made"
cat >>"$dir/made/run.jsonl" <<'END'
{"resumed":"2026-01-31T12:00:00Z"}
{"result":"INVALID","reasons":["a"],"rows":13,"drift":[{}],"end_time":"then","elapsed_s":1.5}
END
python3 "$(dirname "$0")/schema_mutants.py" "$3" "${MESON_EXE_WRAPPER:-} $4" \
    "$dir/made/run.jsonl" >"$dir/faults" 2>&1
case $? in
77 | 127)
    echo "1..0 # SKIP no python3 with the package jsonschema"
    exit 0
    ;;
0) ok 0 "the same verdicts: $(tail -n 1 "$dir/faults")" ;;
*) ok 1 "the same verdicts" "$(head -n 20 "$dir/faults")" ;;
esac

tap_end
