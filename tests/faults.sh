#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Vulkan devices that fail, as a user meets it (case 15): faults.sh PROGRAM. What failed is a row
# with its status, everything else runs, and the exit status is 1. Failures are injected
# (gpu/hooks.h). Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
kernel=vk_tile_64_m
small=h=1,n=16:24,d=8

program devices >"$dir/devices" 2>&1
usable() { sed -n "/^$1: /,/^vk/p" "$dir/devices" | grep -q '^  contracts  *.*M and X'; }
if ! usable vk0; then
    echo "1..0 # SKIP no usable Vulkan device"
    exit 0
fi

# bench FAULT OPTION...: a run of its own in $dir/run; sets status.
bench() {
    rm -rf "$dir/run"
    fault=$1
    shift
    ATTNMARK_GPU_FAULT=$fault program bench --kernel vk0/$kernel --kernel scalar_m --threads 1 \
        --budget 600 --roofs judging --output "$dir/run" "$@" -- --benchmark_repetitions=10 \
        >"$dir/stdout" 2>"$dir/stderr"
    status=$?
}

# rows DEVICE: the statuses of its kernels' rows, cheapest first, and a space behind each.
rows() {
    grep '"roof":false' "$dir/run/run.jsonl" | grep "\"device\":\"$1\"" |
        sed 's/.*,n=\([0-9]*\),.*"status":"\([a-z_]*\)".*/\1 \2/' |
        sort -n | sed 's/.* //' | tr '\n' ' '
}

# check NAME VK0 CPU: exit status 1, nothing on stderr, and these rows of the devices.
check() {
    [ $status -eq 1 ] && [ ! -s "$dir/stderr" ] && [ "$(rows vk0)" = "$2" ] &&
        [ "$(rows cpu)" = "$3" ]
    ok $? "$1" "status $status; vk0: $(rows vk0); cpu: $(rows cpu); $(cat "$dir/stderr")"
}

if ! has_bench; then
    echo "# built without Google Benchmark: bench cannot be tried"
else
    bench submit:1 --workload $small
    check "bench: a device is lost and comes back" "device_lost ok " "ok ok "
    bench submit:1+ --workload $small
    check "bench: a device is lost twice" "device_lost device_lost " "ok ok "
    bench submit:1 --workload h=1,n=600,d=8
    check "bench: a device is lost by the small problem before" "device_lost " "ok "
    grep -q '"reason":"on a smaller problem: vkQueueSubmit' "$dir/run/run.jsonl"
    ok $? "bench: the reason says so" "$(cat "$dir/stdout")"
    bench timeout:1 --workload $small
    check "bench: a device does not answer and comes back" "timeout ok " "ok ok "
    bench memory:1 --workload $small
    check "bench: an allocation is refused" "out_of_memory ok " "ok ok "
    bench pipeline:1+ --workload $small
    check "bench: no pipeline can be made" "error error " "ok ok "
    # Behind the buffers of the job come those of its roof.
    k=4
    bench memory:$k --workload $small
    while [ "$(rows vk0)" = "out_of_memory ok " ]; do
        k=$((k + 1))
        bench memory:$k --workload $small
    done
    check "bench: a roof finds no memory" "ok ok " "ok ok "
    grep -q '^Roof .* on vk0.*; out_of_memory: ' "$dir/stdout"
    ok $? "bench: the roof's line says so" "$(grep '^Roof' "$dir/stdout")"
fi

for case in submit:1+:device_lost timeout:1:timeout memory:1+:out_of_memory pipeline:1+:error; do
    ATTNMARK_GPU_FAULT=${case%:*} program verify --kernel vk0/$kernel --kernel scalar_m \
        --workload n=16,d=8 >"$dir/stdout" 2>"$dir/stderr"
    [ $? -eq 1 ] && grep -q "^vk0 *$kernel *${case##*:}: " "$dir/stdout" &&
        grep -q ' 0 ok, 1 failed' "$dir/stdout" && grep -q '^cpu *scalar_m .* 1 ok' "$dir/stdout"
    ok $? "verify: ${case%:*}" "$(cat "$dir/stdout" "$dir/stderr")"
done

# One of two devices is lost in the middle: at which submission that is depends on the machine.
if ! usable vk1; then
    echo "# one device only: a run with two is not tried"
elif [ -d "$dir/run" ]; then
    k=16 found=
    while [ -z "$found" ] && [ $k -lt 8192 ]; do
        k=$((2 * k))
        bench vk0:submit:$k --kernel vk1/$kernel --workload h=1,n=128:144:160:176,d=8
        case $(rows vk0) in
        "ok device_lost ok ok " | "ok ok device_lost ok ") found=$(rows vk0) ;;
        esac
    done
    echo "# the loss at submission $k: $(rows vk0)"
    check "bench: one of two devices is lost midway" "$found" "ok ok ok ok "
    [ "$(rows vk1)" = "ok ok ok ok " ]
    ok $? "bench: the other device goes on" "$(rows vk1)"
    lost=$(grep -n device_lost "$dir/run/run.jsonl" | cut -d: -f1)
    [ -n "$lost" ] && head -n "${lost%%[!0-9]*}" "$dir/run/run.jsonl" |
        grep '"device":"vk0"' | grep -q '"status":"ok"'
    ok $? "bench: earlier rows come before the lost one"
    if command -v jq >/dev/null; then
        jq -es 'map(select(.status == "device_lost")) | length > 0 and
            all(.device == "vk0" and .reason != null and .median_ns == null)' \
            "$dir/run/run.jsonl" >"$dir/stdout" 2>&1
        ok $? "bench: run.jsonl parses" "$(cat "$dir/stdout")"
    else
        echo "# no jq: run.jsonl is not parsed"
    fi
fi
tap_end
