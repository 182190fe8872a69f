#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `attnmark gallery`: gallery.sh PROGRAM PUBLISHED_RUN. A collection of three machines and two
# broken files, made into a site, and again. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
# shellcheck source=tests/report/gallery_tree.sh
. "$(dirname "$0")/gallery_tree.sh"
results=$dir/results
site=$dir/site
make_tree "$2" "$results"
ok $? "five runs of three machines are published"
amd=amd--epyc-7543-2cpu-software
intel=intel--xeon-e5-2680-v4-2cpu-nvidia-l4

accepted "the site is written" "5 runs of 3 machines, 2 files left out" gallery "$results" \
    -o "$site"
grep -q "$broken" "$dir/stdout" && grep -q 'stray.jsonl' "$dir/stdout"
ok $? "broken files are named, and not fatal" "$(cat "$dir/stdout")"
[ "$(find "$site" -name '*.html' | wc -l)" -eq 10 ] && [ -f "$site/index.html" ] &&
    [ -f "$site/compare.html" ] && [ -f "$site/machines/$amd.html" ] &&
    [ -f "$site/reports/$intel--20260201T120000Z.html" ]
ok $? "two pages, one per machine, one per run" "$(find "$site")"
! grep -rlE '(src|href)="?(https?:|//)|<img src=x|url\(http' "$site"
ok $? "no page requests anything, and names stay text"
! grep -rlF "$dir" "$site"
ok $? "no page tells where it was made"

make_drivers "$2" "$dir/one"
accepted "two drivers of one device" "4 runs of 1 machine" gallery "$dir/one" \
    -o "$dir/drivers"
make_compilers "$2" "$dir/two"
accepted "two compilers" "3 runs of 1 machine" gallery "$dir/two" -o "$dir/compilers"

# The island of a page, on standard output.
island() {
    sed -n '/<script type="application\/json" id="data">/,/<\/script>/p' "$1" | sed '1d;$d'
}
if command -v jq >/dev/null 2>&1; then
    says() { # NAME PAGE FILTER: true
        island "$site/$2" | jq -en "input | ($3)" >/dev/null 2>"$dir/stderr"
        ok $? "$1" "$(cat "$dir/stderr"; island "$site/$2" | head -c 2000)"
    }
    says "leaders: the fastest of each machine and device, of VALID runs" index.html \
        '[.leaders[] | select(.workload == 0)] | length == 4 and
        (map(select(.machine == 0 and .device == "cpu")) | length == 1 and .[0].run == 1 and
            .[0].kernel == "avx2_f_24x4" and .[0].why == null)'
    says "apart: those of INVALID runs only, with the reason" index.html \
        '.apart | length == 2 and all(.machine == 2 and .why == "the run is INVALID")'
    says "no library leads" index.html '[.leaders[].kernel] | unique | contains(["openblas"]) | not'
    says "numbers of a leader" index.html \
        '.leaders[0] | .low_ns < .median_ns and .median_ns < .high_ns and .share > 0 and
        .bound == "MAC" and (.digest | length == 32)'
    says "one hash: contract and workload, by all machines, the golden one" index.html \
        '.hashes | length == 4 and all((.digests | length == 1) and
            .digests[0].digest == .golden and .digests[0].machines == [0, 1, 2])'
    says "faults" index.html '.faults | map(.file) | sort == ["'$broken'", "stray.jsonl"]'
    says "a hostile name is itself" index.html \
        '.machines[2].name | startswith("</script><img src=x onerror=alert(1)>")'
    says "history: a point per run" "machines/$amd.html" \
        '(.series | length == 8) and (.series | all(.points | map(.run) == [0, 1, 2]))'
    says "a machine's page has its runs only, and facts" "machines/$intel.html" \
        '(.runs | length == 1) and (.machines[.machine].facts | length > 5) and .root == "../"'
    says "links to reports" index.html '.runs | map(.report) | all(startswith("reports/"))'
    says "what compare needs" compare.html \
        '(.rows | map(length) == [8, 8, 8, 8, 6]) and .devices[0].name == "cpu" and
        (.rows[0][0] | length == 9)'
    site=$dir/drivers
    says "a device is its name and driver: each leads" index.html \
        '[.leaders[] | select(.workload == 0 and .device == "vk0") | {driver, run}] |
        sort_by(.run) == [{driver: "Mesa 25.0.7", run: 1}, {driver: "Mesa 22.3.6", run: 2},
            {driver: null, run: 3}]'
    says "the CPU has no driver" index.html \
        '[.leaders[] | select(.workload == 0 and .device == "cpu")] | length == 1 and
        .[0].driver == null and .[0].run == 1'
    says "devices of a machine and of a run, each once, the CPU first" "machines/$amd.html" \
        '(.machines[0].devices | map([.name, .driver])) == [["cpu", null],
            ["made up software", "Mesa 22.3.6"], ["made up software", "Mesa 25.0.7"],
            ["made up software", null]] and
        (.runs[1].devices | map(.driver) == [null, "Mesa 25.0.7"]) and
        (.runs[1].compiler | type) == "string" and (.machines[0].hardware | length) == 2'
    says "no line of a history mixes drivers" "machines/$amd.html" \
        '[.series[] | select(.workload == 0 and .device == "vk0") |
            [.driver, (.points | map(.run))]] ==
        [["Mesa 22.3.6", [0, 2]], ["Mesa 25.0.7", [1]], [null, [3]]]'
    site=$dir/compilers
    says "nor compilers" "machines/$amd.html" \
        '[.series[] | select(.workload == 0) | [(.compiler == "other 1.0"),
            (.points | map(.run))]] | unique == [[false, [0, 2]], [true, [1]]]'
    site=$dir/drivers
    says "runs are named by what tells them apart" compare.html \
        '(.runs | map(.name | ltrimstr("AMD EPYC 7543 (2 CPUs)"))) ==
        [", Mesa 22.3.6, 2026-11-30T12:03:00Z", ", Mesa 25.0.7",
            ", Mesa 22.3.6, 2026-11-30T12:20:00Z", ""]'
    says "rows of the comparison tell the driver" compare.html \
        '.devices as $d | [.rows[] | map($d[.[2]].driver) | unique] ==
        [[null, "Mesa 22.3.6"], [null, "Mesa 25.0.7"], [null, "Mesa 22.3.6"], [null]]'
    site=$dir/site
else
    echo "# no jq here: islands not read back"
fi

# Again, where a machine is gone and files of the user's are there.
rm -r "$results/intel" "$results/$broken"
echo mine >"$site/CNAME"
echo mine >"$site/reports/mine.txt"
accepted "a marked directory is written again" "4 runs of 2 machines" gallery "$results" -o "$site"
[ ! -e "$site/machines/$intel.html" ] && [ ! -e "$site/reports/$intel--20260201T120000Z.html" ] &&
    [ "$(cat "$site/CNAME" "$site/reports/mine.txt")" = "mine
mine" ]
ok $? "pages of what is gone are gone, the user's files are not" "$(find "$site")"

mkdir "$dir/mine" "$dir/void"
echo precious >"$dir/mine/index.html"
refused "a directory of the user's" .attnmark-gallery gallery "$results" -o "$dir/mine"
[ "$(cat "$dir/mine/index.html")" = precious ] && [ "$(find "$dir/mine" | wc -l)" -eq 2 ]
ok $? "nothing in it was touched"
printf 'attnmark gallery\n../mine/index.html\n/etc/passwd\nreports/../../mine/index.html\n' \
    >"$dir/void/.attnmark-gallery"
accepted "a marker that lists other files" "4 runs" gallery "$results" -o "$dir/void"
[ "$(cat "$dir/mine/index.html")" = precious ]
ok $? "removes none of them"
mkdir "$dir/fresh"
accepted "an empty directory" "4 runs" gallery "$results" -o "$dir/fresh"
mkdir "$dir/nothing"
accepted "an empty collection" "0 runs of 0 machines" gallery "$dir/nothing" -o "$dir/none"

# What is no file would block whoever reads it, or never end.
mkdir -p "$dir/odd/amd/one" && mkfifo "$dir/odd/amd/one/20260201T120000Z.jsonl" &&
    ln -s /dev/zero "$dir/odd/amd/one/20260201T120001Z.jsonl" &&
    mkdir "$dir/odd/amd/one/20260201T120002Z.jsonl"
accepted "a pipe, a device, a directory" "0 runs of 0 machines, 3 files left out" gallery \
    "$dir/odd" -o "$dir/odd site"
[ "$(grep -c 'not a regular file' "$dir/stdout")" -eq 3 ]
ok $? "are not opened" "$(cat "$dir/stdout")"
mkdir -p "$dir/closed/amd" && chmod 000 "$dir/closed/amd"
if [ "$(id -u)" -ne 0 ]; then # root may read everything
    accepted "a vendor that may not be read is a fault" "1 file left out" gallery "$dir/closed" \
        -o "$dir/closed site"
fi
chmod 700 "$dir/closed/amd"

LC_ALL=de_DE.UTF-8 program gallery "$results" -o "$dir/german" >/dev/null
island "$dir/german/index.html" | sed 's/"generated":"[^"]*"//' >"$dir/german.json"
island "$dir/fresh/index.html" | sed 's/"generated":"[^"]*"//' | cmp -s - "$dir/german.json"
ok $? "the same in a German locale"

refused "no collection" RESULTS gallery -o "$dir/x"
refused "two collections" RESULTS gallery "$results" "$results" -o "$dir/x"
refused "no site" --output gallery "$results"
refused "a collection that is not there" "$dir/gone" gallery "$dir/gone" -o "$dir/x"
refused "a file as the site" "not a directory" gallery "$results" -o "$results/README.md"
[ ! -e "$dir/x" ] && [ -z "$(find "$dir" -name '*.tmp')" ]
ok $? "what is refused leaves nothing behind"
if [ -e /dev/full ] && mkdir "$dir/small" 2>/dev/null; then
    (
        ulimit -f 100 # blocks of 512 or 1024 bytes: less than a page
        trap '' XFSZ
        program gallery "$results" -o "$dir/small/site" >"$dir/stdout" 2>"$dir/stderr"
    )
    [ $? -eq 2 ] && [ "$(wc -l <"$dir/stderr")" -eq 1 ] && [ ! -e "$dir/small/site" ]
    ok $? "a full disk leaves no new site" "$(cat "$dir/stderr"; find "$dir/small")"
fi

tap_end
