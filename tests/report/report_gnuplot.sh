#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `attnmark report --figures`, drawn: report_gnuplot.sh PROGRAM SYNTHETIC_CURVES.
set -u
if ! command -v gnuplot >/dev/null 2>&1; then
    echo "skipped: no gnuplot here"
    exit 77
fi
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
curves() { ${MESON_EXE_WRAPPER:-} "$synthetic" "$@"; }
synthetic=$(readlink -f "$2")
path=$(readlink -f "$path")
cd "$dir" || exit 1
mkdir "it's \`a\` dir"
figures="it's \`a\` dir/figures"
curves one && curves other "Another & <CPU>"
ok $? "runs to report"

HOME=$dir
export HOME
echo "this is no command of gnuplot" >.gnuplot
program report one --figures "$figures" -o report.md >stdout 2>stderr && [ ! -s stderr ] &&
    [ ! -s stdout ]
ok $? "--figures, whatever the user's gnuplot does when it starts" "$(cat stderr)"
for name in bandwidth rate roofline share share-2 time time-2; do
    [ -s "$figures/$name.svg" ] && [ "$(head -c 5 "$figures/$name.pdf")" = %PDF- ]
    ok $? "$name.svg and $name.pdf" "$(ls "$figures")"
    grep -qF "/figures/$name.svg)" report.md
    ok $? "$name.svg is in the Markdown" "$(grep '!\[' report.md)"
done
[ "$(ls -A "$figures" | wc -l)" -eq 28 ]
ok $? "nothing but scripts, data and pictures" "$(ls -A "$figures")"
grep -qF '](it%27s%20%60a%60%20dir/figures/time.svg)' report.md
ok $? "the path of a picture is a link" "$(grep '!\[' report.md)"

if command -v xmllint >/dev/null 2>&1; then
    for name in "$figures"/*.svg; do
        xmllint --noout "$name" 2>stderr
        ok $? "well-formed: $(basename "$name")" "$(cat stderr)"
    done
    xmllint --xpath 'string(/)' "$figures/time.svg" | grep -qF "it's \`touch pwned\` \$(touch ..."
    ok $? "a hostile name is text in the legend"
    ! grep -q 'scale(0' "$figures"/*.svg
    ok $? "no mark of no size, which some viewers refuse"
fi
cp -r "$figures" again
(cd again && rm ./*.svg ./*.pdf && for f in *.gp; do gnuplot -d "$f" || exit 1; done) \
    >stdout 2>&1
ok $? "the scripts run alone" "$(cat stdout)"
for name in "$figures"/*.svg; do
    cmp -s "$name" "again/$(basename "$name")"
    ok $? "the same by hand: $(basename "$name")"
done
program report one other --figures both -o both/report.md >stdout 2>stderr &&
    grep -q '](./time.svg)' both/report.md
ok $? "two runs in one picture" "$(cat stderr)"
grep -q "title 'avx2_f_24x4, cpu, 2 threads \[2\]'" both/time.gp &&
    grep -q "title '\[2\] Another & <CPU>" both/time.gp
ok $? "whose names are in the legend" "$(grep title both/time.gp)"
# Intervals that end at nearly no time: of a rate, and of a share, that is no end at all.
mkdir noisy
sed 's/"ci_low_ns": *[0-9.e+]*/"ci_low_ns":0.001/' one/run.jsonl >noisy/run.jsonl
program report noisy --figures noisy/figures >stdout 2>stderr && [ -s noisy/figures/share.svg ]
ok $? "a noisy run is drawn" "$(cat stderr)"
grep -q '^set xrange \[0:[0-9]\{3\}[].]' noisy/figures/share.gp &&
    grep -q '^set label 1 .→' noisy/figures/share.gp
ok $? "bars are not flattened by an interval" "$(grep 'xrange\|label' noisy/figures/share.gp)"
grep -q '^set yrange \[0:\*<[0-9.]*\]$' noisy/figures/rate.gp
ok $? "nor are rates" "$(grep yrange noisy/figures/rate.gp)"
mkdir empty
(PATH=$dir/empty && export PATH && program report one --figures "$figures") 2>stderr
[ $? -eq 1 ] && [ "$(ls -A "$figures" | wc -l)" -eq 14 ]
ok $? "without gnuplot the pictures of earlier data go" "$(ls -A "$figures")"
[ -z "$(find . -name pwned)" ]
ok $? "no name ran as a command"

tap_end
