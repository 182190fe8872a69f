#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `attnmark report` by its command line, and the data of its pages: report.sh PROGRAM SYNTHETIC_RUN
# SCHEMA. tests/test_report_data.c has the values. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
here=$(dirname "$(readlink -f "$0")")
schema=$3
made() { ${MESON_EXE_WRAPPER:-} "$synthetic" "$@"; }
synthetic=$2
many=5000
[ -z "${MESON_EXE_WRAPPER:-}" ] || many=500 # an emulator takes minutes
made "$dir/made" && made "$dir/many" $many && made "$dir/one" 96 && made "$dir/other" 96 1.5
ok $? "runs to report"
run=$dir/made/run.jsonl

written() { # NAME PAGE ARGUMENT...: status 0 and no word
    name=$1 page=$2
    shift 2
    rm -f "$page"
    program report "$@" >"$dir/stdout" 2>"$dir/stderr" && [ -s "$page" ] &&
        [ ! -s "$dir/stdout" ] && [ ! -s "$dir/stderr" ]
    ok $? "$name" "$(cat "$dir/stderr")"
}

written "rows of every status, hostile names" "$dir/made.html" "$run" -o "$dir/made.html"
written "two runs" "$dir/two.html" "$dir/one" "$dir/other" -o "$dir/two.html" --title 'A "<b>" & C'
written "some kernels" "$dir/few.html" "$dir/one" --kernel 'avx2_*' --kernel 'vk0/vk_rows_m' \
    --workload n=64,h=1 -o "$dir/few.html"
written "$many rows" "$dir/many.html" "$dir/many" -o "$dir/many.html"
[ "$(wc -c <"$dir/many.html")" -le 2000000 ]
ok $? "$many rows are a page of at most 2 MB" "$(wc -c <"$dir/many.html") bytes"
path=$(readlink -f "$path") # `program` runs elsewhere
(cd "$dir/one" && program report . && [ -s report.html ])
ok $? "report.html in the current directory by default"

if command -v python3 >/dev/null 2>&1; then
    page() { # NAME PAGE ROWS
        rows=$(python3 "$here/check_report.py" "$schema" "$2" 2>"$dir/faults") &&
            [ "$rows" -eq "$3" ]
        ok $? "a page's data: $1" "rows: $rows; $(head -n 20 "$dir/faults")"
    }
    page "rows of every status" "$dir/made.html" 12
    page "two runs" "$dir/two.html" 192
    page "some kernels" "$dir/few.html" 15
    page "$many rows" "$dir/many.html" $many
    wrong() { # NAME SED-SCRIPT: the checks find this
        sed "$2" "$dir/two.html" >"$dir/wrong.html"
        ! cmp -s "$dir/two.html" "$dir/wrong.html" &&
            ! python3 "$here/check_report.py" "$schema" "$dir/wrong.html" >/dev/null 2>&1
        ok $? "the checks refuse: $1"
    }
    wrong "a picture from elsewhere" 's|<body>|&<img src="https://example.org/a.png">|'
    wrong "a style from elsewhere" 's|</style>|@import "a.css";&|'
    wrong "an index that leads nowhere" 's/"pairs":\[{"a":0/"pairs":[{"a":99999/'
    wrong "a number that is none" 's/"mean_ratio":[0-9.]*/"mean_ratio":NaN/'
    if python3 -c 'import jsonschema' 2>/dev/null; then
        wrong "a field that the schema does not know" 's/"decode":/"decoded":/'
    else
        echo "# no python3 package jsonschema here: the schema is not looked at"
    fi
else
    echo "# no python3 here: the pages are not read back"
fi
LC_ALL=de_DE.UTF-8 program report "$dir/one" -o "$dir/german.html" &&
    sed 's/"generated":"[^"]*"//' "$dir/german.html" >"$dir/german" &&
    program report "$dir/one" -o "$dir/plain.html" &&
    sed 's/"generated":"[^"]*"//' "$dir/plain.html" | cmp -s - "$dir/german"
ok $? "decimal points in a German locale"
grep -q 'Permission is hereby granted' "$dir/made.html"
ok $? "the licence of uPlot is in the page"

refused "no run" "RUN" report
refused "a run that is not there" "$dir/none" report "$dir/none" -o "$dir/new.html"
refused "no run.jsonl" "made.html" report "$dir/made.html" -o "$dir/new.html"
refused "an extension of no format" ".html" report "$run" -o "$dir/new.pdf"
refused "no extension" ".html" report "$run" -o "$dir/new"
refused "an empty title" "--title" report "$run" --title '' -o "$dir/new.html"
refused "no directory for figures" "--figures" report "$run" --figures ''
refused "no directory for --pts" "--pts" report "$run" --pts ''
refused "a run without a name" "run.jsonl or its directory, got" report ''
refused "the same run twice" "twice" report "$run" "$dir/made" -o "$dir/new.html"
refused "no such kernel" "--kernel" report "$run" --kernel 'none_*' -o "$dir/new.html"
refused "no such workload" "--workload" report "$run" --workload n=4096 -o "$dir/new.html"
refused "a malformed workload" "n" report "$run" --workload n=0 -o "$dir/new.html"
refused "an unknown option" "--colour" report "$run" --colour -o "$dir/new.html"
refused "where there is no directory" "no/such" report "$run" -o "$dir/no/such.html"
made "$dir/more" 6500
refused "over 2 MB" "--kernel" report "$dir/more" -o "$dir/new.html"
grep -q '6500 rows' "$dir/stderr"
ok $? "over 2 MB: how many rows there are" "$(cat "$dir/stderr")"
[ -z "$(find "$dir" -name 'new*' -o -name '*.tmp*')" ]
ok $? "nothing was written by what was refused" "$(ls "$dir")"

cp "$run" "$dir/run.html"
refused "onto the run itself" "the run itself" report "$dir/run.html" -o "$dir/./run.html"
cmp -s "$run" "$dir/run.html"
ok $? "the run is as it was"
echo precious >"$dir/kept.html"
refused "half a report" "$dir/none" report "$run" "$dir/none" -o "$dir/kept.html"
[ "$(cat "$dir/kept.html")" = precious ]
ok $? "a refused report leaves the file as it was"

tap_end
