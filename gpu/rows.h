/* SPDX-License-Identifier: Apache-2.0
 *
 * shaders.def as rows for C. Built with and without Vulkan.
 */
#ifndef GPU_ROWS_H
#define GPU_ROWS_H

#include "attn/kernel.h"
#include "gpu/plan.h"

struct gpu_row {
    const char *kernel; /* "vk_tile_64_m" */
    const char *module; /* "tile_m" */
    const char *story;
    attn_contract contract;
    gpu_plan_function *plan;
    bool software_only;        /* for drivers that run on the CPU */
    uint32_t local_x, local_y; /* workgroup; a plan may lower local_y */
    uint32_t rows;             /* query rows per invocation */
};

/* Three rows (M, F, X) for each row of shaders.def. */
extern const gpu_row gpu_rows[];
extern const size_t gpu_row_count;

/* The kernel of a row; `unavailable` may be NULL. The caller adds device, ops and context. */
attn_kernel gpu_row_kernel(const gpu_row *row, const gpu_limits *limits, const char *unavailable);

/* The rows as kernels of a machine without a Vulkan device. kernels[gpu_row_count] */
void gpu_rows_absent(const char *reason, attn_kernel *kernels);

#endif
