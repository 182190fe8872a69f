/* SPDX-License-Identifier: Apache-2.0
 *
 * GPU-assisted validation sees what a shader does: on every device it reports a read past the end
 * of a buffer, and says nothing of the same shader within its buffers. Skipped where the
 * validation layer is not installed.
 */
#include "device_test.h"

#include <stdlib.h>

#include "gpu/set.h"

enum { TRIPLE_BYTES = 12, ANSWER_BYTES = 4 * PROBE_WORDS };

/* Runs the probe over one workgroup of triples that lie in a buffer for `triples` of them. */
static void run_probe(gpu_context *device, uint32_t triples)
{
    static const float in[3 * GPU_TOOL_LOCAL];
    static uint32_t out[PROBE_WORDS * GPU_TOOL_LOCAL];
    const gpu_tool_size size = {.passes = 1,
                                .pass = PROBE_TRIPLES,
                                .groups = 1,
                                .in_bytes = TRIPLE_BYTES * (uint64_t)triples,
                                .out_bytes = ANSWER_BYTES * GPU_TOOL_LOCAL};
    gpu_tool tool;
    attn_reason why;
    double seconds;
    if (gpu_tool_open(device, "probe_m", &size, &tool, &why) != ATTN_OK ||
        gpu_tool_run(&tool, in, out, &seconds, &why) != ATTN_OK)
        fail_msg("%s: %s", device->info.selector, why.text);
    gpu_tool_close(&tool);
}

static void reads_past_the_end_are_reported(void **state)
{
    (void)state;
    setenv("ATTNMARK_VALIDATION", "core,gpu", 1);
    gpu_set *set = device_test_open();
    for (size_t i = 0; i < set->device_count; i++) {
        gpu_context *device = &set->devices[i];
        if (device->info.unavailable[0])
            continue;
        run_probe(device, GPU_TOOL_LOCAL);
        assert_int_equal(set->instance.messages, 0);
        run_probe(device, GPU_TOOL_LOCAL - 1);
        if (set->instance.messages == 0)
            fail_msg("%s (%s): not reported", device->info.selector, device->info.driver);
        set->instance.messages = 0;
    }
    device_test_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_past_the_end_are_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
