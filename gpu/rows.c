/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/rows.h"

enum { DEVICES_ANY, DEVICES_SOFTWARE };

const gpu_row gpu_rows[] = {
#define TOOL(file)
#define ROW(name, file, plan, devices, x, y, rows, story, contract, suffix)                        \
    {                                                                                              \
        "vk_" #name suffix, #file suffix, story, ATTN_CONTRACT_##contract, gpu_plan_##plan,        \
            DEVICES_##devices == DEVICES_SOFTWARE, x, y, rows, NULL, 0                             \
    }
#define SHADER(...) ROW(__VA_ARGS__, M, "_m"), ROW(__VA_ARGS__, F, "_f"), ROW(__VA_ARGS__, X, "_x"),
#include "shaders/shaders.def"
#undef SHADER
#undef ROW
#undef TOOL
};
const size_t gpu_row_count = sizeof gpu_rows / sizeof gpu_rows[0];

size_t gpu_rows_total(const gpu_options *options)
{
    return gpu_row_count + (options ? options->row_count : 0);
}

const gpu_row *gpu_rows_at(const gpu_options *options, size_t index)
{
    return index < gpu_row_count ? &gpu_rows[index] : options->rows[index - gpu_row_count];
}

attn_kernel gpu_row_kernel(const gpu_row *row, const gpu_limits *limits, const char *unavailable)
{
    return (attn_kernel){.name = row->kernel,
                         .story = row->story,
                         .contract = row->contract,
                         .tier = ATTN_TIER_EXACT,
                         .tile_q = gpu_plan_tile_q(row, limits),
                         .tile_k = row->plan == gpu_plan_naive ? 1 : ATTN_BK,
                         .unavailable = unavailable,
                         .impl = row};
}

static attn_status absent_supports(const attn_kernel *kernel, const attn_workload *w,
                                   attn_reason *why)
{
    (void)w;
    return attn_because(why, ATTN_UNAVAILABLE, "%s", kernel->unavailable);
}

static attn_status absent_prepare(const attn_kernel *kernel, const attn_workload *w,
                                  const attn_inputs *in, unsigned threads, attn_job **job,
                                  attn_reason *why)
{
    (void)in, (void)threads;
    *job = NULL;
    return absent_supports(kernel, w, why);
}

/* No job exists, so the other operations have nothing to be called on. */
static const attn_kernel_ops absent_ops = {.supports = absent_supports, .prepare = absent_prepare};

void gpu_rows_absent(const char *reason, const gpu_options *options, attn_kernel *kernels)
{
    static const gpu_limits any = {.shared = UINT32_MAX,
                                   .invocations = UINT32_MAX,
                                   .group_x = UINT32_MAX,
                                   .group_y = UINT32_MAX};
    for (size_t i = 0; i < gpu_rows_total(options); i++) {
        kernels[i] = gpu_row_kernel(gpu_rows_at(options, i), &any, reason);
        kernels[i].device = "vk";
        kernels[i].device_name = "no Vulkan device";
        kernels[i].ops = &absent_ops;
    }
}
