#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The program on Vulkan devices: program.sh PROGRAM. Messages of the validation layer fail every
# command; rows name their clock (case 16); one device by two drivers is listed twice and said to be
# one (case 23). Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

program devices >"$dir/devices" 2>/dev/null
if ! grep -q '^vk0: ' "$dir/devices" || grep -q 'contracts *none' "$dir/devices"; then
    echo "1..0 # SKIP no Vulkan device, or one that meets no contract"
    exit 0
fi

small="--kernel vk_naive_m --workload h=1,n=5,d=4"
bench=
! has_bench || bench="bench $small --budget 1"

# Advice about small allocations, which is deaf to nothing, stands in for an error.
validated() {
    VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT ATTNMARK_VALIDATION=core \
        program "$@" >"$dir/stdout" 2>"$dir/stderr"
}
validated devices
if grep -q '^vk: unavailable: .*VK_LAYER' "$dir/stdout"; then
    echo "# no validation layer here: its messages not tried"
else
    for command in devices list "verify $small" "hash $small" \
        "${bench:+$bench --output $dir/messages}"; do
        [ -n "$command" ] || continue
        # shellcheck disable=SC2086 # a command and its options
        validated $command
        [ $? -eq 1 ] && grep -q '^attnmark: [0-9]* messages of the Vulkan' "$dir/stderr"
        ok $? "${command%% *} fails where the validation layer has something to say" \
            "$(cat "$dir/stderr")"
    done
fi

if [ -z "$bench" ]; then
    echo "# built without Google Benchmark: clocks not tried"
else
    for bits in 0 36; do
        clock=gpu_timestamp
        [ $bits -gt 0 ] && ! grep -q 'timestamps *none' "$dir/devices" || clock=wall
        # shellcheck disable=SC2086 # a command and its options
        ATTNMARK_GPU_LIMITS=timestamps=$bits program $bench --device vk --output "$dir/$bits" \
            >/dev/null 2>"$dir/stderr" &&
            grep '"kernel":"vk_naive_m"' "$dir/$bits/run.jsonl" | grep -q "\"clock\":\"$clock\""
        ok $? "timestamps of $bits bits: the clock is $clock" "$(cat "$dir/stderr")"
    done
fi

# The driver once more, under another name: the loader takes it for another one.
manifest=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}}
manifest=${manifest%%:*}
library=$(sed -n 's/.*"library_path": *"\([^"]*\)".*/\1/p' "${manifest:-/dev/null}")
case $library in
/*) ;;
*/*) library=$(dirname "$manifest")/$library ;;
esac
if [ -e "$library" ]; then
    cp "$library" "$dir/copy.so"
    icd='{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.1.0"}}'
    # shellcheck disable=SC2059 # the format is ours
    printf "$icd" "$dir/copy.so" >"$dir/copy.json"
    both=$manifest:$dir/copy.json
    VK_DRIVER_FILES=$both VK_ICD_FILENAMES=$both program devices >"$dir/stdout" 2>&1
    grep -q '^vk1: ' "$dir/stdout" && grep -q 'duplicate .* vk0, by another driver' "$dir/stdout"
    ok $? "a device by two drivers is named as a duplicate" "$(cat "$dir/stdout")"
    for selector in vk1 1; do
        # shellcheck disable=SC2086 # a command and its options
        VK_DRIVER_FILES=$both VK_ICD_FILENAMES=$both \
            program verify --device $selector $small >"$dir/stdout" 2>&1 &&
            grep -q '^vk1 .* 1 ok, 0 failed' "$dir/stdout" && ! grep -q '^vk0 ' "$dir/stdout"
        ok $? "--device $selector chooses among equal devices" "$(cat "$dir/stdout")"
    done
else
    echo "# no driver named by VK_DRIVER_FILES: duplicates not tried"
fi

tap_end
