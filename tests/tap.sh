#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What the tests of the program share: `. tap.sh PROGRAM` begins one, `finish` ends it. Speaks TAP.
path=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
count=0
bad=0

# Under a cross build meson names the emulator.
program() {
    # shellcheck disable=SC2086 # a command and its options
    ${MESON_EXE_WRAPPER:-} "$path" "$@"
}

ok() { # STATUS NAME [DETAIL]
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        bad=$((bad + 1))
        echo "not ok $count - $2"
        [ $# -lt 3 ] || printf '%s\n' "$3" | sed 's/^/# /'
    fi
}

finish() {
    echo "1..$count"
    [ $bad -eq 0 ]
}
