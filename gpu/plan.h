/* SPDX-License-Identifier: Apache-2.0
 *
 * What to dispatch for a workload: computed from the sizes and the device's limits alone.
 */
#ifndef GPU_PLAN_H
#define GPU_PLAN_H

#include "attn/workload.h"
#include "gpu/device_limits.h"
#include "shaders/interface.h"

#define GPU_MAX_HEAD_SIZE 256 /* d and dv */
#define GPU_MAX_PASSES    3

typedef struct gpu_row gpu_row;

/* One dispatch; all writes of the steps before are visible to it. */
typedef struct gpu_step {
    uint32_t pass; /* pipeline: value of SPEC_PASS */
    shader_push push;
} gpu_step;

typedef struct gpu_plan {
    uint32_t specs[SPEC_COUNT]; /* but for SPEC_PASS */
    uint32_t passes;            /* pipelines */
    uint64_t scratch;           /* bytes */
    uint32_t texel_words;       /* of K and V as texel buffers; 0: the shader has no such view */
    gpu_step *steps;            /* owned: gpu_plan_free */
    size_t count;
} gpu_plan;

/* Fills the plan, or says why there is none: ATTN_UNSUPPORTED with needed and available numbers,
 * ATTN_OUT_OF_MEMORY. */
typedef attn_status gpu_plan_function(const gpu_row *row, const gpu_limits *limits,
                                      const attn_workload *w, gpu_plan *plan, attn_reason *why);
gpu_plan_function gpu_plan_naive, gpu_plan_tile, gpu_plan_lanes;

void gpu_plan_free(gpu_plan *plan);

/* Query rows per workgroup of a row, for the smallest head size: 1 without tiles. */
uint32_t gpu_plan_tile_q(const gpu_row *row, const gpu_limits *limits);

/* What the plan functions share. */

/* Bytes of the buffer of a tensor of the workload's data type: whole words. */
uint64_t gpu_plan_bytes(const attn_workload *w, uint64_t elements);
/* Data type, head sizes and buffer sizes. */
attn_status gpu_plan_check(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                           uint64_t scratch, attn_reason *why);
/* A grid of `groups` workgroups, folded where it is too long. */
attn_status gpu_plan_grid(const gpu_limits *limits, uint64_t groups, attn_reason *why);
/* Loop iterations that a driver counts for `trips` trips through a loop whose body counts `body`:
 * the trip that ends it is one. Unrolled loops count nothing. */
static inline uint64_t gpu_plan_loop(uint64_t trips, uint64_t body)
{
    return trips * (1 + body) + 1;
}
/* The same for the tree over 16 lanes: 4 levels of 8, 4, 2, 1 additions. */
static inline uint64_t gpu_plan_tree(void)
{
    return gpu_plan_loop(4, 1) + 8 + 4 + 2 + 1;
}
/* `loops` such iterations of one invocation. */
attn_status gpu_plan_loops(const gpu_limits *limits, uint64_t loops, attn_reason *why);
/* The fields of a push that depend on the workload alone. */
shader_push gpu_plan_push(const attn_workload *w);

/* The dispatches of an online softmax whose workgroups take `tile_q` rows each: one over all
 * keys, or one for each split, or more where loop iterations are limited. The body of the loop
 * over blocks of keys counts block_loops, everything else other_loops. Sets steps and scratch. */
attn_status gpu_plan_online(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                            uint32_t tile_q, uint64_t block_loops, uint64_t other_loops,
                            gpu_plan *plan, attn_reason *why);

#endif
