#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What `meson install` leaves: install.sh PROGRAM BUILD SOURCE VERSION. It is installed below a
# directory of its own, moved to another, and must work there. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
build=$2 source=$3 version=$4
if ! command -v meson >/dev/null; then
    echo "1..0 # SKIP no meson in PATH"
    exit 0
fi

DESTDIR=$dir/root meson install -C "$build" --no-rebuild >"$dir/log" 2>&1
ok $? "meson install" "$(cat "$dir/log")"
installed=$(find "$dir/root" -path '*/bin/attnmark')
[ -x "$installed" ]
ok $? "one program" "$(find "$dir/root")"
mkdir "$dir/a prefix"
mv "${installed%/bin/attnmark}"/* "$dir/a prefix"
rm -rf "$dir/root"
prefix=$dir/"a prefix"

# Where it was built is nobody's business, and is not there elsewhere. Debug information has paths,
# and so have what counts coverage and sanitizers.
path=$prefix/bin/attnmark
options=$build/meson-info/intro-buildoptions.json
if grep -q '"b_coverage", "value": true' "$options" ||
    ! grep -q '"b_sanitize", "value": "none"' "$options" ||
    ! strip -o "$dir/stripped" "$path" 2>/dev/null; then
    echo "# counts coverage, has sanitizers, or no strip for it here: its paths not looked for"
else
    for directory in "$build" "$source"; do
        ! grep -qaF "$directory" "$dir/stripped"
        ok $? "no path of the build in the program"
    done
fi
for directory in "$build" "$source"; do
    ! grep -rlF "$directory" "$prefix/share" >"$dir/found"
    ok $? "no path of the build in its files" "$(cat "$dir/found")"
done

# It works where it was moved to, away from the source.
cd "$dir" || exit 1
accepted "its version" "attnmark $version " --version
accepted "its kernels" scalar_m list --device cpu
accepted "a golden check" "0 failed" verify --golden --device cpu --kernel scalar_m --limit 0.05

# Data that belongs to it.
for file in attnmark/run.schema.json doc/attnmark/README.md doc/attnmark/LICENSE \
    doc/attnmark/CITATION.cff; do
    [ -s "$prefix/share/$file" ]
    ok $? "$file"
done
cmp -s "$source/results/run.schema.json" "$prefix/share/attnmark/run.schema.json"
ok $? "the schema is that of the source"
contract=$(program --version | sed 's/.*contract \([0-9]*\).*/\1/')
cmp -s "$source/results/golden/contract-$contract.txt" \
    "$prefix/share/attnmark/golden/contract-$contract.txt"
ok $? "the golden table of contract $contract"
(cd "$source/docs" && ls ./*.md) >"$dir/documents"
(cd "$prefix/share/doc/attnmark/docs" && ls ./*.md) >"$dir/found"
cmp -s "$dir/found" "$dir/documents"
ok $? "every document" "$(diff "$dir/documents" "$dir/found")"
missing=''
grep -o '](docs/[a-z0-9/-]*\.[a-z]*)' "$source/README.md" | sort -u | tr -d '()]' >"$dir/links"
while read -r link; do
    [ -s "$prefix/share/doc/attnmark/$link" ] || missing="$missing $link"
done <"$dir/links"
[ -z "$missing" ]
ok $? "the links of README.md lead somewhere" "$missing"

# The manual.
if command -v scdoc >/dev/null; then
    for page in man1/attnmark.1 man5/attnmark-run.5; do
        [ -s "$prefix/share/man/$page" ]
        ok $? "$page"
    done
    if command -v man >/dev/null; then
        man -M "$prefix/share/man" -w attnmark >"$dir/found" 2>&1
        ok $? "man finds it" "$(cat "$dir/found")"
    fi
fi

# Completion, as bash-completion loads it.
if command -v bash >/dev/null; then
    # shellcheck disable=SC2016 # the other shell expands
    bash -c 'source "$1" && complete -p attnmark' bash \
        "$prefix/share/bash-completion/completions/attnmark" >"$dir/found" 2>&1
    ok $? "completion loads" "$(cat "$dir/found")"
    helper=/usr/share/bash-completion/bash_completion
    if [ -r $helper ]; then
        # shellcheck disable=SC2016
        XDG_DATA_DIRS=$prefix/share bash -c 'source "$1"; _comp_load attnmark 2>/dev/null ||
            __load_completion attnmark; complete -p attnmark' bash $helper >"$dir/found" 2>&1
        [ $? -eq 0 ] && grep -q 'complete .*attnmark' "$dir/found"
        ok $? "bash-completion finds it below the prefix" "$(cat "$dir/found")"
    fi
fi
tap_end
