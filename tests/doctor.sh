#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# attnmark doctor as a user meets it: doctor.sh PROGRAM. What it finds depends on the machine; that
# hooks are found does not. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

accepted "a table" "what to do" doctor
grep -q '^[0-9]* fatal, .* unknown. Nothing was changed.$' "$dir/stdout"
ok $? "how many of each" "$(tail -n 1 "$dir/stdout")"
topics='governor|load|steal|emulation|build|hooks|counters|energy'
[ "$(grep -cE "^($topics) " "$dir/stdout")" -eq 8 ]
ok $? "facts of every topic"
accepted "JSON" '"id": "governor"' doctor --json
refused "stray argument" "now" doctor now

# A hook is a warning: the status says so where it is asked to, and the numbers stay as they are.
ATTNMARK_CPU_DISABLE=all program doctor >"$dir/stdout" 2>&1
[ $? -eq 0 ] && grep -q '^hooks  *warning .*ATTNMARK_CPU_DISABLE=all' "$dir/stdout"
ok $? "a hook is found" "$(grep '^hooks' "$dir/stdout")"
ATTNMARK_CPU_DISABLE=all program doctor --strict >/dev/null 2>&1
[ $? -eq 1 ]
ok $? "strict: a warning is status 1"
ATTNMARK_GPU_LIMITS=shared=16384 program doctor >"$dir/stdout" 2>&1
[ $? -eq 0 ] && grep -q '^hooks  *fatal ' "$dir/stdout"
ok $? "a hook that makes another device is fatal" "$(grep '^hooks' "$dir/stdout")"

# Under an emulator, as CI runs this test, times are the emulator's.
if [ -n "${MESON_EXE_WRAPPER:-}" ]; then
    program doctor 2>/dev/null | grep -q '^emulation  *fatal '
    ok $? "the emulator is found"
fi
tap_end
