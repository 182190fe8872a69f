#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The gallery in a real browser: browser_gallery.sh PROGRAM PUBLISHED_RUN DIRECTORY. Screenshots and
# the site stay in the directory. Speaks TAP. It wants node, Chromium and `npm ci` in tests/browser.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
# shellcheck source=tests/report/gallery_tree.sh
. "$(dirname "$0")/gallery_tree.sh"
# shellcheck source=tests/report/chromium.sh
. "$(dirname "$0")/chromium.sh"
mkdir -p "$3" && make_tree "$2" "$dir/results" && make_drivers "$2" "$dir/one" &&
    make_compilers "$2" "$dir/two" &&
    program gallery "$dir/results" -o "$3/site" >"$dir/stdout" &&
    program gallery "$dir/one" -o "$3/drivers" >"$dir/stdout" &&
    program gallery "$dir/two" -o "$3/compilers" >"$dir/stdout" || exit 1
node "$browser/gallery.js" "$chromium" "$3"
