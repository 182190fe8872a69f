#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A build under -ffast-math and its kin is refused with the reason: refuses_fast_math.sh SOURCE.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for flag in -ffast-math -Ofast -ffinite-math-only -funsafe-math-optimizations; do
    if CFLAGS=$flag meson setup "$dir/build" "$1" >"$dir/log" 2>&1; then
        echo "CFLAGS=$flag was accepted"
        exit 1
    fi
    grep -q 'refuses to build' "$dir/log" || {
        cat "$dir/log"
        exit 1
    }
    rm -rf "$dir/build"
done
