#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The manual says all that the program says: manual.sh PROGRAM PAGE...; the first page is
# attnmark(1). Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
if [ $# -lt 2 ]; then
    echo "1..0 # SKIP built without scdoc"
    exit 0
fi
shift

for page in "$@"; do
    if command -v mandoc >/dev/null; then
        # scdoc writes more paragraphs than it needs.
        ! mandoc -T lint -W warning "$page" 2>&1 | grep -v ' skipping paragraph macro: ' \
            >"$dir/lint"
        ok $? "mandoc on $(basename "$page")" "$(cat "$dir/lint")"
    fi
    if command -v man >/dev/null; then
        LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" \
            >/dev/null 2>"$dir/lint"
        [ ! -s "$dir/lint" ]
        ok $? "man on $(basename "$page")" "$(cat "$dir/lint")"
    fi
done

# The words of attnmark(1), with neither font changes nor escapes.
sed -e 's/\\f[BIRP]//g' -e 's/\\-/-/g' -e 's/\\&//g' -e 's/\\//g' "$1" >"$dir/manual"
program --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p' >"$dir/commands"
[ -s "$dir/commands" ]
ok $? "the commands are known"
while read -r command; do
    grep -q "^attnmark $command\b" "$dir/manual" && grep -qx "$command" "$dir/manual"
    ok $? "$command: in the synopsis and among the commands"
    program "$command" --help | sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' |
        grep -vxe --help -e --usage >"$dir/options"
    missing=''
    while read -r option; do
        grep -qe "$option\([^a-z-]\|$\)" "$dir/manual" || missing="$missing $option"
    done <"$dir/options"
    [ -z "$missing" ]
    ok $? "$command: every option" "missing:$missing"
done <"$dir/commands"
# And no option that the program has not.
while read -r command; do
    program "$command" --help
done <"$dir/commands" | grep -oe '--[a-z][a-z-]*' | sort -u >"$dir/known"
grep -oe '--[a-z][a-z-]*' "$dir/manual" | sort -u | grep -vxFf "$dir/known" |
    grep -vxe --version >"$dir/unknown"
[ ! -s "$dir/unknown" ]
ok $? "no other option" "$(cat "$dir/unknown")"
tap_end
