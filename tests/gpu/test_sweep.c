/* SPDX-License-Identifier: Apache-2.0
 *
 * E2 over every float of [-60, -0] and RECIP over every float of [1, 2^24], on every device and
 * in every contract it can meet: bit for bit the scalar functions. The device hashes runs of
 * consecutive inputs, the host does the same.
 */
#include "device_test.h"

#include "cpu/scalar/contract_math.h"
#include "gpu/set.h"

#define GROUPS 256
#define RUN    1024 /* inputs of one invocation */
#define RUNS   (GROUPS * GPU_TOOL_LOCAL)

static uint32_t hash_run(uint32_t pass, contract_mac *mac, uint32_t first)
{
    uint32_t hash = PROBE_HASH_START;
    for (uint32_t i = 0; i < RUN; i++) {
        const float x = attn_float_of(first + i);
        const float y = pass == PROBE_E2 ? contract_e2(x, mac) : contract_recip(x, mac);
        hash = (hash ^ attn_bits_of(y)) * PROBE_HASH_PRIME;
    }
    return hash;
}

/* The functions, so that the compiler sees which mac it is. */
static uint32_t hash_f(uint32_t pass, uint32_t first)
{
    return hash_run(pass, contract_mac_f, first);
}

static uint32_t hash_m(uint32_t pass, uint32_t first)
{
    return hash_run(pass, contract_mac_m, first);
}

static void sweep(gpu_context *device, bool fused, uint32_t pass, uint32_t begin, uint32_t end)
{
    static uint32_t got[RUNS];
    const gpu_tool_size size = {.passes = 3,
                                .pass = pass,
                                .groups = GROUPS,
                                .count = RUN,
                                .in_bytes = sizeof begin,
                                .out_bytes = sizeof got};
    gpu_tool tool;
    attn_reason why;
    double seconds;
    if (gpu_tool_open(device, fused ? "probe_f" : "probe_m", &size, &tool, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    for (uint64_t first = begin; first <= end; first += (uint64_t)RUNS * RUN) {
        const uint32_t base = (uint32_t)first;
        int bad = -1;
        if (gpu_tool_run(&tool, &base, got, &seconds, &why) != ATTN_OK)
            fail_msg("%s", why.text);
#pragma omp parallel for schedule(static)
        for (int run = 0; run < RUNS; run++) {
            const uint32_t at = base + (uint32_t)run * RUN;
            if (got[run] != (fused ? hash_f : hash_m)(pass, at))
                bad = run;
        }
        if (bad >= 0)
            fail_msg("%s pass %u: wrong within %u inputs from bits %08x", device->info.name, pass,
                     RUN, base + (uint32_t)bad * RUN);
    }
    gpu_tool_close(&tool);
}

static void sweep_all(uint32_t pass, uint32_t begin, uint32_t end)
{
    gpu_set *set = device_test_open();
    for (size_t i = 0; i < set->device_count; i++) {
        gpu_context *device = &set->devices[i];
        if (device->info.probe.m)
            sweep(device, false, pass, begin, end);
        if (device->info.probe.f)
            sweep(device, true, pass, begin, end);
    }
    device_test_close(set);
}

static void e2_is_the_scalar_e2(void **state)
{
    (void)state;
    sweep_all(PROBE_E2, 0x80000000u, ATTN_E2_MIN_BITS);
}

static void recip_is_the_scalar_recip(void **state)
{
    (void)state;
    sweep_all(PROBE_RECIP, 0x3f800000u, 0x4b800000u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(e2_is_the_scalar_e2),
        cmocka_unit_test(recip_is_the_scalar_recip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
