#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Pages in a real browser: browser.sh PROGRAM DIRECTORY. Screenshots and pages stay in the
# directory. Speaks TAP. It wants node, Chromium and `npm ci` in tests/browser.
set -u
program=$1
mkdir -p "$2" || exit 1
artefacts=$2
# shellcheck source=tests/report/chromium.sh
. "$(dirname "$0")/chromium.sh"
exec node "$browser/test.js" "$program" "$chromium" "$artefacts"
