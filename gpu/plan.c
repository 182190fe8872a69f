/* SPDX-License-Identifier: Apache-2.0
 *
 * What the plans share.
 */
#include "gpu/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "attn/mask.h"
#include "gpu/rows.h"

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void gpu_plan_free(gpu_plan *plan)
{
    free(plan->steps);
    plan->steps = NULL;
    plan->count = 0;
}

uint64_t gpu_plan_bytes(const attn_workload *w, uint64_t elements)
{
    return 4 * ceil_div(elements * attn_dtype_size(w->dtype), 4);
}

attn_status gpu_plan_check(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                           uint64_t scratch, attn_reason *why)
{
    const attn_status status = attn_contract_takes(row->contract, w->dtype, why);
    if (status != ATTN_OK)
        return status;
    if (w->d > GPU_MAX_HEAD_SIZE || w->dv > GPU_MAX_HEAD_SIZE)
        return attn_because(why, ATTN_UNSUPPORTED, "needs head size %" PRIu32 ", at most %d",
                            w->d > w->dv ? w->d : w->dv, GPU_MAX_HEAD_SIZE);
    const uint64_t elements =
        larger(attn_q_elements(w), larger(attn_k_elements(w), attn_v_elements(w)));
    const uint64_t bytes =
        larger(larger(gpu_plan_bytes(w, elements), 4 * attn_out_elements(w)), scratch);
    if (bytes > limits->range)
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs a buffer of %" PRIu64 " bytes, the device binds %" PRIu64, bytes,
                            limits->range);
    return ATTN_OK;
}

shader_push gpu_plan_push(const attn_workload *w)
{
    shader_push push = {.n = w->n,
                        .m = w->m,
                        .heads = w->h,
                        .head_group = w->h / w->hk,
                        .rows = w->b * w->h * w->n,
                        .span_stride = (uint32_t)attn_mask_stride(w)};
    const float s2 = attn_workload_s2(w);
    memcpy(&push.s2, &s2, sizeof s2);
    return push;
}

attn_status gpu_plan_grid(const gpu_limits *limits, uint64_t groups, attn_reason *why)
{
    const uint64_t most = (uint64_t)limits->groups * limits->groups;
    if (groups > most || groups > UINT32_MAX)
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs %" PRIu64 " workgroups, the device takes %" PRIu64, groups,
                            most < UINT32_MAX ? most : UINT32_MAX);
    return ATTN_OK;
}

attn_status gpu_plan_loops(const gpu_limits *limits, uint64_t loops, attn_reason *why)
{
    if (loops > limits->loops)
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs %" PRIu64 " loop iterations of one invocation, on this "
                            "driver at most %" PRIu64,
                            loops, limits->loops);
    return ATTN_OK;
}

/* keys: of one dispatch, a multiple of 64. */
static attn_status online_steps(const attn_workload *w, uint64_t keys, uint64_t split,
                                const shader_push *push, gpu_plan *plan, attn_reason *why)
{
    const uint64_t all = ceil_div(w->m, ATTN_BK) * ATTN_BK;
    plan->steps = calloc(ceil_div(all, split) * ceil_div(split, keys), sizeof *plan->steps);
    if (!plan->steps)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the list of dispatches");
    for (uint64_t begin = 0; begin < all;) {
        const uint64_t split_begin = begin / split * split;
        const uint64_t split_end = smaller(split_begin + split, all);
        const uint64_t end = smaller(begin + keys, split_end);
        gpu_step *step = &plan->steps[plan->count++];
        *step = (gpu_step){0, *push};
        step->push.key_begin = (uint32_t)begin;
        step->push.key_end = (uint32_t)smaller(end, w->m);
        step->push.flags = (begin > split_begin ? STATE_RESUME : 0) |
                           (end == split_end && split < all ? STATE_MERGE : 0) |
                           (split_begin == 0 ? STATE_FIRST : 0) | (end == all ? STATE_FINISH : 0);
        begin = end;
    }
    return ATTN_OK;
}

attn_status gpu_plan_online(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                            uint32_t tile_q, uint64_t block_loops, uint64_t other_loops,
                            gpu_plan *plan, attn_reason *why)
{
    attn_status status = gpu_plan_check(row, limits, w, 0, why);
    if (status != ATTN_OK)
        return status;
    shader_push push = gpu_plan_push(w);
    const uint64_t groups = (uint64_t)w->b * w->h * ceil_div(w->n, tile_q);
    push.groups = (uint32_t)groups;
    status = gpu_plan_grid(limits, groups, why);
    if (status == ATTN_OK)
        status = gpu_plan_loops(limits, other_loops + gpu_plan_loop(1, block_loops), why);
    if (status != ATTN_OK)
        return status;

    const uint64_t all = ceil_div(w->m, ATTN_BK) * ATTN_BK;
    const uint64_t split = w->split ? smaller(w->split, all) : all;
    const uint64_t fit = (limits->loops - other_loops - 1) / (1 + block_loops);
    const uint64_t dispatch = smaller(fit, split / ATTN_BK) * ATTN_BK;
    status = online_steps(w, dispatch, split, &push, plan, why);
    const uint64_t states = split < all ? 2 : dispatch < all ? 1 : 0;
    plan->scratch = states * push.rows * 4 * STATE_WORDS((uint64_t)w->dv);
    if (status == ATTN_OK)
        status = gpu_plan_check(row, limits, w, plan->scratch, why);
    if (status != ATTN_OK)
        gpu_plan_free(plan);
    return status;
}
