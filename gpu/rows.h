/* SPDX-License-Identifier: Apache-2.0
 *
 * shaders.def as rows for C, and users' rows beside them. Built with and without Vulkan.
 */
#ifndef GPU_ROWS_H
#define GPU_ROWS_H

#include "gpu/gpu.h"
#include "gpu/plan.h"
#include "shaders/modules.h"

struct gpu_row {
    const char *kernel; /* "vk_tile_64_m" */
    const char *module; /* "tile_m" */
    const char *story;
    attn_contract contract;
    gpu_plan_function *plan;
    bool software_only;        /* for drivers that run on the CPU */
    uint32_t local_x, local_y; /* workgroup; a plan may lower local_y */
    uint32_t rows;             /* query rows per invocation */
    /* Of a user's shader; else NULL and 0. */
    const shader_module *code; /* in place of the module of that name */
    uint32_t subgroup;         /* operations that it needs: VkSubgroupFeatureFlags */
};

/* Three rows (M, F, X) for each row of shaders.def. */
extern const gpu_row gpu_rows[];
extern const size_t gpu_row_count;

/* Those, then the rows of the options (NULL: none). */
size_t gpu_rows_total(const gpu_options *options);
const gpu_row *gpu_rows_at(const gpu_options *options, size_t index);

/* The kernel of a row; `unavailable` may be NULL. The caller adds device, ops and context. */
attn_kernel gpu_row_kernel(const gpu_row *row, const gpu_limits *limits, const char *unavailable);

/* The rows as kernels of a machine without a Vulkan device. kernels[gpu_rows_total(options)] */
void gpu_rows_absent(const char *reason, const gpu_options *options, attn_kernel *kernels);

#endif
