#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Are the files of uPlot those that were taken? report_assets.sh DIRECTORY. Speaks TAP.
set -u
if command -v sha256sum >/dev/null 2>&1; then
    sum=sha256sum
elif command -v shasum >/dev/null 2>&1; then
    sum='shasum -a 256'
else
    echo "1..0 # SKIP neither sha256sum nor shasum here"
    exit 0
fi
cd "$1" || exit 1
status=0
$sum -c SHA256SUMS >/dev/null 2>&1 || status=1
[ $status -eq 0 ] || printf 'not '
echo "ok 1 - the files have the digests of SHA256SUMS"
listed=$(cut -d ' ' -f 3 SHA256SUMS | sort | tr '\n' ' ')
there=$(find . -type f ! -name SHA256SUMS ! -name README.md | sed 's|^\./||' | sort | tr '\n' ' ')
[ "$listed" = "$there" ] || { status=1 && printf 'not '; }
echo "ok 2 - every file has a digest"
version=$(sed -n 's/^# uPlot \([0-9.]*\)$/\1/p' README.md)
grep -q "(v$version)" uPlot.iife.min.js || { status=1 && printf 'not '; }
echo "ok 3 - the version is that of README.md"
echo 1..3
exit $status
