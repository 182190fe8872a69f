#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Pages in a real browser: browser.sh PROGRAM DIRECTORY. Screenshots and pages stay in the
# directory. Speaks TAP. It wants node, Chromium and `npm ci` in tests/browser.
set -u
program=$1
mkdir -p "$2" || exit 1
artefacts=$2
here=$(dirname "$0")/../browser

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ -z "${MESON_EXE_WRAPPER:-}" ] || skip 'no program of this machine'
command -v node >/dev/null 2>&1 || skip 'no node'
chromium=$(command -v chromium || command -v chromium-browser) || skip 'no chromium'
[ -d "$here/node_modules/playwright-core" ] ||
    skip 'no playwright-core: run npm ci in tests/browser'
exec node "$here/test.js" "$program" "$chromium" "$artefacts"
