/* SPDX-License-Identifier: Apache-2.0
 *
 * What to dispatch for a workload: computed from the sizes and the device's limits alone.
 *
 * A plan is a list of steps, each one dispatch. The rows of a workload are cut three ways, none of
 * which changes a bit: heads into pieces, where a tensor is larger than what a device binds at
 * once; workgroups and keys into steps, where a dispatch would run too long; the splits of the
 * workload into slots, which run side by side and are merged in order.
 */
#ifndef GPU_PLAN_H
#define GPU_PLAN_H

#include "attn/workload.h"
#include "gpu/device_limits.h"
#include "shaders/interface.h"

#define GPU_MAX_HEAD_SIZE 256 /* d and dv */
#define GPU_MAX_PASSES    3
#define GPU_PASS_MERGE    GPU_MAX_PASSES /* merge.comp, after the passes of the shader itself */

typedef struct gpu_row gpu_row;

/* Query heads that are bound together, and where in the buffers of Q, K, V and the output. */
typedef struct gpu_piece {
    uint32_t head, heads; /* query heads, counted over the batch */
    struct {
        uint64_t offset, bytes;
    } bound[BIND_OUT + 1];
} gpu_piece;

typedef struct gpu_step {
    uint32_t pass; /* pipeline: value of SPEC_PASS, or GPU_PASS_MERGE */
    uint32_t piece;
    bool waits;  /* for the writes of all steps before; else it reads none of the last pass's */
    double work; /* FLOPs, roughly: as if nothing were masked */
    shader_push push;
} gpu_step;

typedef struct gpu_plan {
    uint32_t specs[SPEC_COUNT]; /* but for SPEC_PASS */
    uint32_t passes;            /* pipelines, but for merge.comp */
    bool merges;                /* merge.comp takes part */
    uint32_t texel_words;       /* of K and V as texel buffers; 0: the shader has no such view */
    uint64_t scratch;           /* bytes */
    gpu_piece *pieces;          /* owned: gpu_plan_free */
    uint32_t piece_count;
    gpu_step *steps; /* owned */
    size_t count, room;
    double submit_work; /* FLOPs of one submission, roughly */
} gpu_plan;

/* Fills the plan, or says why there is none: ATTN_UNSUPPORTED with needed and available numbers,
 * ATTN_OUT_OF_MEMORY. */
typedef attn_status gpu_plan_function(const gpu_row *row, const gpu_limits *limits,
                                      const attn_workload *w, gpu_plan *plan, attn_reason *why);
gpu_plan_function gpu_plan_naive, gpu_plan_rows, gpu_plan_tile, gpu_plan_lanes, gpu_plan_decode;

void gpu_plan_free(gpu_plan *plan);

/* Query rows per workgroup of a row, for the smallest head size: 1 without tiles. */
uint32_t gpu_plan_tile_q(const gpu_row *row, const gpu_limits *limits);

/* What the plan functions share. */

/* Bytes of the buffer of a tensor of the workload's data type: whole words. */
uint64_t gpu_plan_bytes(const attn_workload *w, uint64_t elements);
/* Data type and head sizes. */
attn_status gpu_plan_check(const gpu_row *row, const attn_workload *w, attn_reason *why);

/* plan_pieces.c: cuts the heads into pieces of at most `most` heads that the device can bind; with
 * plan->texel_words, K and V as texel buffers, too. */
attn_status gpu_plan_pieces(const gpu_limits *limits, const attn_workload *w, uint64_t most,
                            gpu_plan *plan, attn_reason *why);
/* The push constants of a piece that depend on nothing else; stack is 1, slots 1. */
shader_push gpu_plan_push(const gpu_plan *plan, const attn_workload *w, uint32_t piece);

/* Adds the steps for `groups` workgroups of a pass, each of which does `work`: as many as the
 * limits ask for, the first of which waits for the steps before. */
attn_status gpu_plan_add(const gpu_limits *limits, const gpu_step *step, uint64_t groups,
                         double work, gpu_plan *plan, attn_reason *why);

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

/* How an online softmax divides its work. */
typedef struct gpu_online {
    uint32_t tile_q;      /* rows of a workgroup */
    uint64_t block_loops; /* iterations that a driver counts: the body of the loop over blocks */
    uint64_t other_loops; /* and everything else */
} gpu_online;

/* plan_online.c: sets pieces, steps and scratch of an online softmax. */
attn_status gpu_plan_online(const gpu_limits *limits, const attn_workload *w,
                            const gpu_online *online, gpu_plan *plan, attn_reason *why);

#endif
