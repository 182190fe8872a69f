#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `attnmark report` beside its page: Markdown, results for the Phoronix Test Suite, and figures
# without gnuplot: report_files.sh PROGRAM SYNTHETIC_CURVES. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
curves() { ${MESON_EXE_WRAPPER:-} "$synthetic" "$@"; }
synthetic=$(readlink -f "$2")
path=$(readlink -f "$path")
cd "$dir" || exit 1
curves one && curves other "Another & <CPU>"
ok $? "runs to report"

# silent NAME ARGUMENT...: status 0 and no word.
silent() {
    name=$1
    shift
    program report "$@" >stdout 2>stderr && [ ! -s stdout ] && [ ! -s stderr ]
    ok $? "$name" "$(cat stderr)"
}
# has FILE TEXT NAME
has() {
    grep -qF -- "$2" "$1"
    ok $? "$3" "$(head -n 40 "$1")"
}

silent "--pts" one --pts pts
! grep -qvE '^[A-Za-z0-9_.-]+ = [0-9.e+-]+ (ms|GFLOP/s|GB/s|%)$' pts/results.txt &&
    [ "$(cut -d ' ' -f 1 pts/results.txt | sort -u | wc -l)" -eq "$(wc -l <pts/results.txt)" ] &&
    [ "$(wc -l <pts/results.txt)" -eq $((6 * 35)) ]
ok $? "--pts: key = value UNIT, each key once" "$(cat pts/results.txt)"
workload=b1_h1_hk1_n512_m512_d64_dv64_dtypef32_maskfull_scale0.125_split0
has pts/results.txt "avx2_f_24x4.cpu.2t.$workload.time = 0.131072 ms" "--pts: a time"
has pts/results.txt "avx2_f_24x4.cpu.2t.$workload.rate = 512 GFLOP/s" "--pts: a rate"
if command -v xmllint >/dev/null 2>&1; then
    xml() { xmllint --xpath "$1" pts/composite.xml; }
    xmllint --noout pts/composite.xml 2>stderr &&
        [ "$(xml 'count(//Result)')" -eq 70 ] && [ "$(xml 'count(//System)')" -eq 1 ] &&
        [ "$(xml 'count(//Entry)')" -eq 70 ] && [ "$(xml 'count(//Entry/*)')" -eq 210 ]
    ok $? "--pts: composite.xml is well-formed" "$(cat stderr)"
    has pts/composite.xml "it&#39;s \`touch pwned\` \$(touch pwned) &#34;q&#34; | &#60;b&#62;" \
        "--pts: a hostile name is text"
    silent "--pts of two runs" one other --pts pts
    [ "$(xml 'count(//Result)')" -eq 70 ] && [ "$(xml 'count(//System)')" -eq 2 ] &&
        [ "$(xml 'count(//Result[count(Data/Entry)=2])')" -eq 70 ] &&
        [ -s pts/results-1.txt ] && cmp -s pts/results-1.txt pts/results-2.txt
    ok $? "--pts of two runs: both in each result"
    xml '//System[2]/Identifier/text()' | grep -q '^Another &amp; &lt;CPU&gt;'
    ok $? "--pts: the name of a run is text" "$(xml '//System[2]')"
else
    echo "# no xmllint here: composite.xml is not read back"
fi
LC_ALL=de_DE.UTF-8 program report one --pts german && cmp -s german/results.txt pts/results.txt
ok $? "--pts: a decimal point in a German locale"

silent "Markdown" one -o report.md
has report.md ": **VALID**" "Markdown: the verdict"
has report.md "| n=512 m=512 | avx2_f_24x4 | cpu | 2 | 131.1 us | [126.7, 135.4] | 512.0 |" \
    "Markdown: the best row of a workload"
has report.md "<pre>attnmark bench --kernel 'it'&#92;''s'</pre>" "Markdown: the command"
has report.md '$(touch pwned) "q" &#124; &#60;b&#62;&#38;amp;' "Markdown: a hostile name is text"
! grep -vE '^(<details><summary>[A-Za-z0-9, ]*</summary>|</details>|<pre>.*</pre>)$' report.md |
    grep -q '[<>]'
ok $? "Markdown: no tag but its own" "$(grep '[<>]' report.md)"
awk -F'|' '/^\|/ { if (last && NF != last) bad = 1; last = NF; next } { last = 0 }
    END { exit bad }' report.md
ok $? "Markdown: pipes stay in their cells" "$(cat report.md)"
! grep -qF '![' report.md
ok $? "Markdown: no pictures where none were drawn"
silent "Markdown of two runs" one other -o two.md
has two.md "| CPU | Synthetic CPU | Another &#38; &#60;CPU&#62; |" "Markdown: what differs"
has two.md "Time of B over that of A: 1.000 in the geometric mean of 35 pairs." \
    "Markdown: how they compare"
LC_ALL=de_DE.UTF-8 program report one -o german.md && cmp -s german.md report.md
ok $? "Markdown: a decimal point in a German locale"

# Without gnuplot.
mkdir empty failing
without() { # PATH ARGUMENT...
    (
        PATH=$dir/$1
        export PATH
        shift
        program report "$@" >stdout 2>stderr
    )
}
without empty one --figures figures
[ $? -eq 1 ] && [ "$(wc -l <stderr)" -eq 1 ] && grep -q 'no gnuplot' stderr
ok $? "--figures without gnuplot: status 1, and why" "$(cat stderr)"
names="bandwidth rate roofline share share-2 time time-2"
for f in $names; do printf '%s.gp\n%s.tsv\n' "$f" "$f"; done | sort >wanted
ls -A figures | sort | cmp -s - wanted
ok $? "--figures without gnuplot: scripts and data" "$(ls figures)"
grep -q '^512	131072	126726' figures/time.tsv && grep -q '^512	131072	.*	512	' figures/rate.tsv
ok $? "--figures: the data are those of the run" "$(cat figures/time.tsv)"
grep -q '^# .*avx2_f_24x4, cpu, 1 thread (not drawn)$' figures/time.tsv &&
    ! grep -q '1 thread' figures/time.gp
ok $? "--figures: with the most threads is drawn, all is in the data"
grep -qF "title 'it''s \`touch pwned\` \$(touch ..., vk0'" figures/time.gp
ok $? "--figures: a hostile name is quoted" "$(grep touch figures/time.gp)"
# A machine's name with line breaks in it: whatever stands at the start of a line is a command.
mkdir broken
sed '1s/"cpu_model":"[^"]*"/"cpu_model":"x\\nsystem(\\"touch pwned\\")\\r\\n!touch pwned\\n"/' \
    one/run.jsonl >broken/run.jsonl
grep -qF 'x\nsystem(' broken/run.jsonl && without empty broken one --figures lines
! grep -qE '^(system|!)' lines/*.gp lines/*.tsv && grep -q '^# .*system("touch pwned")' lines/*.gp
ok $? "--figures: a hostile name begins no line" "$(head -n 5 lines/roofline.gp)"
LC_ALL=de_DE.UTF-8 without empty one --figures comma
diff -r figures comma >stdout 2>&1
ok $? "--figures: a decimal point in a German locale" "$(cat stdout)"
# shellcheck disable=SC2016 # for that script
printf '#!/bin/sh\neval "$3"\necho half >"$stem.svg"\nexit 3\n' >failing/gnuplot
chmod +x failing/gnuplot
echo stale >figures/time.svg
without failing one --figures figures -o figures.md
[ $? -eq 2 ] && [ "$(wc -l <stderr)" -eq 1 ] && grep -q 'gnuplot failed' stderr &&
    [ ! -e figures.md ] && [ ! -e figures/time.svg ]
ok $? "a gnuplot that fails: status 2, no picture, no earlier one" "$(cat stderr)"

sed '/"roof":false/d' one/run.jsonl >nothing.jsonl
refused "no row for --figures" "--figures" report nothing.jsonl --figures none/at/all
refused "no row for --pts" "--pts" report nothing.jsonl --pts none/at/all
[ ! -e none ]
ok $? "a refused report leaves no directory"
: >file
refused "--figures that is a file" "file" report one --figures file
refused "--pts below a file" "file" report one --pts file/pts
cp one/run.jsonl run.md
refused "Markdown onto the run" "the run itself" report run.md -o ./run.md
refused "an unknown extension" ".md" report one -o report.txt
mkdir -p taken/composite.xml
refused "a directory where a file should be" "not a regular file" report one --pts taken
[ -z "$(find . -name '*.tmp*')" ]
ok $? "nothing half-written is left"
[ -z "$(find . -name pwned)" ]
ok $? "no name ran as a command"

tap_end
