#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A build under -ffast-math and its kin is refused with the reason: refuses_fast_math.sh SOURCE.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for setting in CFLAGS=-ffast-math CFLAGS=-Ofast CFLAGS=-ffinite-math-only \
    CFLAGS=-funsafe-math-optimizations CFLAGS=-ffp-contract=fast LDFLAGS=-ffast-math; do
    if env "$setting" meson setup "$dir/build" "$1" >"$dir/log" 2>&1; then
        echo "$setting was accepted"
        exit 1
    fi
    grep -q 'refuses to build' "$dir/log" || {
        cat "$dir/log"
        exit 1
    }
    rm -rf "$dir/build"
done
