#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# attnmark tune as a user meets it: tune.sh PROGRAM. What it stores is used and recorded, changes no
# bit, and is refused where it is no longer what was written. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
file=$dir/a/b/tuning.json
small=h=1,n=70,d=8

ATTNMARK_TUNING=none program devices >"$dir/devices" 2>&1
if ! sed -n '/^vk0: /,/^vk1/p' "$dir/devices" | grep -q '^  contracts  *.*M and X'; then
    echo "1..0 # SKIP no usable Vulkan device"
    exit 0
fi

# tuned_bench NAME: a run of its own in $dir/NAME; its row is in $row.
tuned_bench() {
    program bench --device vk0 --kernel vk_tile_64_m --workload $small --budget 60 \
        --output "$dir/$1" -- --benchmark_repetitions=10 >"$dir/stdout" 2>"$dir/stderr"
    row=$(grep '"kernel":"vk_tile_64_m"' "$dir/$1/run.jsonl")
}
digest() { printf '%s\n' "$row" | sed 's/.*"digest":"\([0-9a-f]*\)".*/\1/'; }
has() { printf '%s\n' "$row" | grep -qF -- "$1"; }

export ATTNMARK_TUNING="$file"
set -- tune --device vk0 --kernel vk_tile_64_m --workload $small

# What is refused leaves nothing behind.
refused "no such device" "no such device" tune --device 'no such card'
refused "the CPU has no sizes to tune" "Vulkan" tune --device cpu
refused "no such kernel" "--kernel" tune --kernel 'nothing_*'
refused "no budget" "--budget" "$@" --budget 0
refused "a workload that is none" "d: " tune --workload d=0
refused "two workloads of a class" "second" "$@" --workload h=2,n=64,d=64
refused "a workload without FLOPs" "no query sees a key" tune --workload n=8,m=64,d=8,mask=len:0
export ATTNMARK_GPU_LIMITS=shared=16384
refused "a smaller device" "ATTNMARK_GPU_LIMITS" "$@"
unset ATTNMARK_GPU_LIMITS
: >"$dir/plain"
for place in none "$dir/plain/tuning.json" "$dir"; do
    ATTNMARK_TUNING=$place
    refused "stored in $(basename "$place")" "" "$@"
done
ATTNMARK_TUNING=$file
program "$@" --budget 1e-9 >"$dir/stdout" 2>"$dir/stderr"
[ $? -eq 1 ] && grep -q 'skipped: 5 rounds' "$dir/stdout" && [ "$(wc -l <"$dir/stderr")" -eq 1 ]
ok $? "a budget that is too small chooses nothing" "$(cat "$dir/stdout" "$dir/stderr")"
ATTNMARK_GPU_FAULT=memory:1+ program "$@" >"$dir/stdout" 2>"$dir/stderr"
[ $? -eq 1 ] && grep -q 'out_of_memory' "$dir/stdout"
ok $? "sizes that fail are lines with a reason" "$(cat "$dir/stdout" "$dir/stderr")"
[ ! -e "$dir/a" ]
ok $? "nothing was stored so far" "$(ls -R "$dir")"

accepted "a size is chosen and stored" "Stored in $file" "$@" --budget 60
grep -q 'chosen.*fastest of contract M' "$dir/stdout" && grep -q '"kernel": "vk_tile_64_m"' "$file"
ok $? "table and file name it" "$(cat "$dir/stdout")"
accepted "devices counts the choices" "tuning        1 choice of 20" devices
accepted "verify takes the chosen sizes" "1 ok, 0 failed" verify --device vk0 \
    --kernel vk_tile_64_m --workload $small
if has_bench; then
    tuned_bench tuned
    has '"tuned":true' && has '"best":true' && has '"verified":"full"'
    ok $? "bench uses the choice and records it" "$row"
    tuned=$(digest)
    grep -q '"tuned_choices":1' "$dir/tuned/run.jsonl"
    ok $? "the header counts the choices"
else
    echo "# built without Google Benchmark: bench not tried"
fi
# On most devices vk_naive_f is unavailable, and has no choice to look up.
ATTNMARK_TUNING=$dir/all.json
accepted "all contracts at once, available or not" "Stored" tune --device vk0 \
    --kernel 'vk_naive_*' --workload $small --budget 60
ATTNMARK_TUNING=$file
accepted "another kernel is tuned" "Stored" tune --device vk0 --kernel vk_naive_m \
    --workload $small --budget 60
accepted "the first choice is kept" "tuning        2 choices of 20" devices

# Another size by hand.
sed '/"vk_tile_64_m"/,/"rows"/{
    s/"local_x": *[0-9]*/"local_x": 16/
    s/"local_y": *[0-9]*/"local_y": 4/
    s/"rows": *[0-9]*/"rows": 4/
}' "$file" >"$dir/by_hand.json"
sed 's/"rows": *1/"rows": 3/' "$file" >"$dir/wrong.json"
sed 's/"driver_version": *\([0-9]*\)/"driver_version": 9\1/' "$file" >"$dir/other.json"
head -n 20 "$file" >"$dir/torn.json"
if has_bench; then
    ATTNMARK_TUNING=$dir/by_hand.json
    tuned_bench by_hand
    has '"config":"16x4, 4 rows"' && has '"tuned":true' && [ "$(digest)" = "$tuned" ]
    ok $? "another size in the file runs, and gives the same digest" "$row"
    ATTNMARK_TUNING=$dir/other.json
    tuned_bench other
    has '"tuned":false' && has '"best":false' && [ "$(digest)" = "$tuned" ]
    ok $? "choices of another driver are ignored" "$row"
fi
ATTNMARK_TUNING=$dir/other.json
accepted "devices says why choices are ignored" "out of date: other driver" devices
ATTNMARK_TUNING=none
accepted "no file is wanted" "tuning        none" devices
for kind in wrong torn; do
    ATTNMARK_TUNING=$dir/$kind.json
    for command in devices "verify --workload $small" "bench --output $dir/never" "$*"; do
        # shellcheck disable=SC2086 # a command and its options
        refused "a $kind file: ${command%% *}" "$kind.json: tuning: " $command
    done
done
[ ! -e "$dir/never" ]
ok $? "what is refused leaves nothing" "$(ls "$dir")"

tap_end
