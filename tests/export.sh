#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `attnmark export` through the parsers of others: export.sh PROGRAM SYNTHETIC_RUN. Rows of every
# status, and names that try to break out of their field. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
run=$dir/made/run.jsonl
${MESON_EXE_WRAPPER:-} "$2" "$dir/made"
rows=$(grep -c '"kernel"' "$run")
[ "$rows" -eq 13 ]
ok $? "a run to export: rows of every status" "$rows rows"

for format in csv md gb bmf sql; do
    program export --$format "$run" >"$dir/out.$format" 2>"$dir/stderr" && [ ! -s "$dir/stderr" ] &&
        program export "$dir/made" --$format -o "$dir/file" 2>"$dir/stderr" &&
        cmp -s "$dir/out.$format" "$dir/file"
    ok $? "--$format: to a file as to standard output" "$(cat "$dir/stderr")"
done
mkdir "$dir/other"
sed 's/"kernel":"/&b_/' "$run" >"$dir/other/run.jsonl"
if command -v python3 >/dev/null 2>&1; then
    read_as() { # FORMAT NAME RUN...
        format=$1 name=$2
        shift 2
        program export --"$format" "$@" >"$dir/read" &&
            python3 "$here/read_export.py" "$format" "$dir/read" "$@" >"$dir/faults" 2>&1
        ok $? "--$format, read by Python: $name" "$(cat "$dir/faults")"
    }
    read_as csv "every field of every status" "$run"
    read_as csv "two runs" "$run" "$dir/other/run.jsonl"
    read_as gb "the samples of ok rows" "$run"
    read_as bmf "ok rows, two devices" "$run"
    sed -n 1p "$run" >"$dir/other/empty.jsonl"
    read_as csv "no row" "$dir/other/empty.jsonl"
    read_as gb "no row" "$dir/other/empty.jsonl"
    read_as bmf "no row" "$dir/other/empty.jsonl"
else
    echo "# no python3 here: CSV and JSON not read back"
fi
if command -v jq >/dev/null 2>&1; then
    [ "$(jq -s length "$dir/out.gb")" -eq 1 ] && [ "$(jq length "$dir/out.bmf")" -eq 5 ]
    ok $? "--gb and --bmf, read by jq"
fi
if command -v sqlite3 >/dev/null 2>&1; then
    sql() { sqlite3 -batch "$dir/db" "$@" 2>>"$dir/stderr"; }
    : >"$dir/stderr"
    sql <"$dir/out.sql"
    program export --sql "$dir/other" "$dir/made" >"$dir/more.sql" && sql <"$dir/more.sql"
    [ ! -s "$dir/stderr" ] && [ "$(sql 'SELECT count(*) FROM attnmark_rows')" -eq $((3 * rows)) ]
    ok $? "--sql, read by sqlite3, twice into one table" "$(cat "$dir/stderr")"
    [ "$(sql "SELECT count(*) FROM attnmark_rows WHERE status <> 'ok' AND median_ns IS NULL
        AND length(reason) > 0 AND threads = 2 AND software = 0")" -eq $((3 * 8)) ]
    ok $? "--sql: no number without a status ok, and a reason" \
        "$(sql 'SELECT * FROM attnmark_rows')"
    [ "$(sql "SELECT DISTINCT typeof(median_ns) || typeof(flops) || typeof(kernel)
        FROM attnmark_rows WHERE status = 'ok' AND device = 'cpu'")" = realintegertext ]
    ok $? "--sql: types"
    [ "$(sql "SELECT count(DISTINCT device_name) FROM attnmark_rows")" -eq 2 ] &&
        [ "$(sql "SELECT count(*) FROM attnmark_rows WHERE length(device_name) = 300")" -eq 3 ]
    ok $? "--sql: hostile names are one value"
else
    echo "# no sqlite3 here: SQL not read back"
fi

# Markdown: as many cells in every line as in the first, and nothing that HTML would take.
grep '^|' "$dir/out.md" >"$dir/table"
[ "$(awk -F'|' '{ print NF }' "$dir/table" | sort -u | wc -l)" -eq 1 ] &&
    [ "$(wc -l <"$dir/table")" -eq 14 ] && ! grep -q '[<>`*~\\]' "$dir/out.md"
ok $? "--md: pipes, tags and line breaks stay in their cell" "$(cat "$dir/out.md")"
grep -qF 'because of "failed" &#124; &#60;i&#62;&#38;?' "$dir/table"
ok $? "--md: what was escaped is there" "$(cat "$dir/table")"
LC_ALL=de_DE.UTF-8 program export --csv "$run" | cmp -s - "$dir/out.csv"
ok $? "--csv: a decimal point in a German locale"

refused "no format" "--csv" export "$run"
refused "two formats" "--md" export --csv --md "$run"
refused "no run" "RUN" export --csv
refused "a run that is not there" "$dir/none" export --csv "$dir/none"
refused "no run.jsonl" "out.csv:1" export --csv "$dir/out.csv"
refused "two runs for --gb" "one RUN" export --gb "$run" "$dir/other"
refused "two runs for --bmf" "one RUN" export --bmf "$run" "$dir/other"
refused "onto the run itself" "the run itself" export --csv "$run" -o "$dir/other/../made/run.jsonl"
refused "onto a device" "not a regular file" export --csv "$run" -o /dev/null
refused "where there is no directory" "no/such" export --csv "$run" -o "$dir/no/such"
echo precious >"$dir/file"
refused "half an export" "$dir/none" export --csv "$run" "$dir/none" -o "$dir/file"
[ "$(cat "$dir/file")" = precious ] && [ -z "$(find "$dir" -name '*.tmp*')" ]
ok $? "a refused export leaves the file as it was"
if [ -e /dev/full ]; then
    program export --csv "$run" >/dev/full 2>"$dir/stderr"
    [ $? -eq 2 ] && [ "$(wc -l <"$dir/stderr")" -eq 1 ]
    ok $? "a full disk behind the output is reported" "$(cat "$dir/stderr")"
fi

tap_end
