/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/roof.h"

#include "gpu/start.h"

#define GROUPS     4096  /* enough to fill a large device */
#define MOST_COUNT 32768 /* loop iterations of one dispatch */

/* FLOPs of one loop iteration of all invocations. */
#define FLOPS_PER_COUNT (2 * UINT64_C(4) * ROOF_CHAINS * ROOF_STEPS * GPU_TOOL_LOCAL * GROUPS)

static attn_status open_tool(gpu_roof *roof, gpu_context *device, const char *module,
                             uint32_t count, attn_reason *why)
{
    const gpu_tool_size size = {
        .passes = 1, .groups = GROUPS, .count = count, .in_bytes = 16, .out_bytes = 4};
    gpu_roof_close(roof);
    const attn_status status = gpu_tool_open(device, module, &size, &roof->tool, why);
    if (status == ATTN_OK)
        roof->count = count;
    else
        gpu_tool_close(&roof->tool);
    return status;
}

static attn_status run(const attn_roof *self, unsigned threads, uint64_t wanted, uint64_t *done,
                       attn_timing *timing, attn_reason *why)
{
    /* Factor, summand, start; the last is a sum that no invocation reaches. */
    static const float inputs[4] = {0.5f, 1.0f, 1.0f, -1.0f};
    const uint64_t counts = (wanted + FLOPS_PER_COUNT - 1) / FLOPS_PER_COUNT;
    const uint32_t count = (uint32_t)(counts < 1 ? 1 : counts < MOST_COUNT ? counts : MOST_COUNT);
    gpu_roof *roof = self->context;
    gpu_context *device;
    float out;

    (void)threads;
    *done = 0;
    timing->device_s = 0;
    attn_status status = gpu_context_usable(roof->device, &device, why);
    if (status == ATTN_OK && (roof->count != count || roof->tool.program.device != device))
        status = open_tool(roof, device, self->impl, count, why);
    while (status == ATTN_OK && *done < wanted) {
        double seconds;
        status = gpu_tool_run(&roof->tool, inputs, &out, &seconds, why);
        timing->device_s += seconds;
        *done += count * FLOPS_PER_COUNT;
    }
    return status;
}

attn_roof gpu_roof_make(gpu_context *device, attn_contract contract, gpu_roof *roof)
{
    static const char *const names[] = {[ATTN_CONTRACT_F] = "roof_f_vk",
                                        [ATTN_CONTRACT_M] = "roof_m_vk",
                                        [ATTN_CONTRACT_X] = "roof_x_vk"};
    static const char *const modules[] = {[ATTN_CONTRACT_F] = "roof_mac_f",
                                          [ATTN_CONTRACT_M] = "roof_mac_m",
                                          [ATTN_CONTRACT_X] = "roof_mac_x"};
    *roof = (gpu_roof){.device = device};
    return (attn_roof){.name = names[contract],
                       .contract = contract,
                       .device = device->info.selector,
                       .run = run,
                       .impl = modules[contract],
                       .context = roof};
}

void gpu_roof_close(gpu_roof *roof)
{
    if (roof->count > 0)
        gpu_tool_close(&roof->tool);
    roof->count = 0;
}
