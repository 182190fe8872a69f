# SPDX-License-Identifier: Apache-2.0
#
# What the tests of pages in a browser want, read by `.`: $chromium, and in $browser the directory
# of their scripts. Where something is missing, they are skipped.

browser=$(dirname "$0")/../browser
skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ -z "${MESON_EXE_WRAPPER:-}" ] || skip 'no program of this machine'
command -v node >/dev/null 2>&1 || skip 'no node'
chromium=$(command -v chromium || command -v chromium-browser) || skip 'no chromium'
[ -d "$browser/node_modules/playwright-core" ] ||
    skip 'no playwright-core: run npm ci in tests/browser'
