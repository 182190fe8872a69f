#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fma.sh PROGRAM DRIVER: contract F on a device with VK_KHR_shader_fma, which fma_icd.c makes of
# lavapipe. Speaks TAP.
set -eu
program=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.1.0"}}' \
    "$2" >"$dir/icd.json"
export VK_DRIVER_FILES="$dir/icd.json" VK_ICD_FILENAMES="$dir/icd.json"

"$program" devices >"$dir/devices"
if grep '^vk: unavailable' "$dir/devices" >"$dir/why"; then
    echo "1..0 # SKIP $(cat "$dir/why")"
    exit 0
fi

ok() { # STATUS NAME FILE
    [ "$1" -eq 0 ] || printf 'not '
    echo "ok - $2"
    [ "$1" -eq 0 ] || sed 's/^/# /' "$3"
}

echo 1..2
status=0
grep -q 'fma() *VK_KHR_shader_fma$' "$dir/devices" &&
    grep -q 'contracts *F, M and X$' "$dir/devices" || status=1
ok $status "the device's fma() is that of the extension, and fused" "$dir/devices"
verified=0
"$program" verify --device vk --kernel 'vk_*_f' --generator cancel \
    --workload h=2,n=70,m=150,d=24,mask=causal --workload h=2,hk=1,n=9,m=300,d=9,split=64 \
    >"$dir/verify" 2>&1 || verified=1
ok $verified "its kernels of contract F give the bits of the scalar reference" "$dir/verify"
[ $status -eq 0 ] && [ $verified -eq 0 ]
