/* SPDX-License-Identifier: Apache-2.0
 *
 * The plans by name, for shaders that name theirs at run time, and the sizes that tuning tries.
 */
#ifndef GPU_PLANS_H
#define GPU_PLANS_H

#include "gpu/gpu.h"
#include "gpu/plan.h"

/* Workgroup, and query rows of an invocation. */
struct gpu_size {
    uint32_t local_x, local_y, rows;
};

#define GPU_PLAN_SIZES 8

typedef struct gpu_plan_kind {
    const char *name; /* "tile" */
    gpu_plan_function *plan;
    uint32_t most_x, most_y, most_rows; /* that a row may ask for: workgroup, rows per invocation */
    bool texels;                        /* whether K and V are also bound as texel buffers */
    /* Worth trying on a device; after the last, zeros. Those of shaders.def are among them. */
    gpu_size sizes[GPU_PLAN_SIZES];
} gpu_plan_kind;

extern const gpu_plan_kind gpu_plan_kinds[];
extern const size_t gpu_plan_kind_count;

/* NULL: none of this name. */
const gpu_plan_kind *gpu_plan_kind_find(const char *name);
const gpu_plan_kind *gpu_plan_kind_of(gpu_plan_function *plan);

#endif
