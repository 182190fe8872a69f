/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of naive.comp: three passes over as many heads at a time as scratch can hold.
 */
#include <stdlib.h>

#include "gpu/rows.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Loop iterations of the longest invocation of any pass. */
static uint64_t longest_loops(const attn_workload *w, uint64_t blocks, uint64_t splits)
{
    const uint64_t keys = gpu_plan_loop(ATTN_BK, 0);
    const uint64_t block = keys + gpu_plan_loop(16, 0) + keys + gpu_plan_tree();
    const uint64_t over_splits = gpu_plan_loop(splits, 1);
    const uint64_t scores = gpu_plan_loop(w->d, 0);
    const uint64_t softmax = over_splits + gpu_plan_loop(blocks, block);
    const uint64_t values = over_splits + gpu_plan_loop(blocks, keys);
    return larger(scores, larger(softmax, values));
}

static attn_status make_steps(const gpu_limits *limits, const attn_workload *w, uint32_t local_x,
                              uint32_t batch, const shader_push *push, gpu_plan *plan,
                              attn_reason *why)
{
    const uint32_t heads = w->b * w->h;
    plan->steps = calloc(NAIVE_PASSES * (size_t)(heads / batch + 1), sizeof *plan->steps);
    if (!plan->steps)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the list of dispatches");
    for (uint32_t head = 0; head < heads; head += batch) {
        const uint32_t end = heads - head < batch ? heads : head + batch;
        const uint64_t rows = (uint64_t)(end - head) * w->n;
        const uint64_t items[NAIVE_PASSES] = {rows * w->m, rows, rows * w->dv};
        for (uint32_t pass = 0; pass < NAIVE_PASSES; pass++) {
            const uint64_t groups = (items[pass] + local_x - 1) / local_x;
            const attn_status status = gpu_plan_grid(limits, groups, why);
            if (status != ATTN_OK)
                return status;
            gpu_step *step = &plan->steps[plan->count++];
            *step = (gpu_step){pass, *push};
            step->push.groups = (uint32_t)groups;
            step->push.head_begin = head;
            step->push.head_end = end;
        }
    }
    return ATTN_OK;
}

attn_status gpu_plan_naive(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                           gpu_plan *plan, attn_reason *why)
{
    const uint64_t blocks = ((uint64_t)w->m + ATTN_BK - 1) / ATTN_BK;
    shader_push push = gpu_plan_push(w);
    push.split = w->split && w->split < w->m ? w->split : (uint32_t)(blocks * ATTN_BK);
    const uint64_t splits = ((uint64_t)w->m + push.split - 1) / push.split;

    /* As many heads at a time as scratch can hold. */
    const uint64_t head_bytes = 4 * (uint64_t)w->n * (w->m + NAIVE_FACTORS(blocks, splits));
    const uint64_t heads = (uint64_t)w->b * w->h, fit = limits->range / head_bytes;
    const uint32_t batch = (uint32_t)(fit < 1 ? 1 : fit < heads ? fit : heads);

    const uint32_t local_x = row->local_x < limits->invocations && row->local_x < limits->group_x
                                 ? row->local_x
                             : limits->invocations < limits->group_x ? limits->invocations
                                                                     : limits->group_x;
    *plan = (gpu_plan){.specs = {local_x, 1, 1, w->d, w->dv, [SPEC_BF16] = w->dtype == ATTN_BF16},
                       .passes = NAIVE_PASSES,
                       .scratch = batch * head_bytes};
    attn_status status = gpu_plan_check(row, limits, w, plan->scratch, why);
    if (status == ATTN_OK)
        status = gpu_plan_loops(limits, longest_loops(w, blocks, splits), why);
    if (status == ATTN_OK)
        status = make_steps(limits, w, local_x, batch, &push, plan, why);
    if (status != ATTN_OK)
        gpu_plan_free(plan);
    return status;
}
