#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every run in results/ is one that `attnmark submit` takes, and a site can be made of them:
# published.sh PROGRAM RESULTS. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

accepted "a site of the published runs" " 0 files left out" gallery "$2" -o "$dir/site"
find "$2" -name '*Z.jsonl' >"$dir/runs"
find "$dir/site/reports" -name '*.html' >"$dir/reports"
[ -s "$dir/runs" ] && [ "$(wc -l <"$dir/reports")" -eq "$(wc -l <"$dir/runs")" ]
ok $? "a report of each" "$(cat "$dir/runs")"
while read -r run; do
    accepted "$(basename "$run")" "" submit "$run" --dry-run --results "$dir/elsewhere"
    ! grep -q '"/home/\|"/root/\|"/tmp/' "$run"
    ok $? "no directory of a person"
done <"$dir/runs"
tap_end
