/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of naive.comp: three passes over as many heads at a time as scratch can hold.
 */
#include <inttypes.h>

#include "gpu/rows.h"

/* FLOPs of the softmax for one key, roughly. */
#define SOFTMAX_WORK 32

/* Loop iterations of the longest invocation of any pass. */
static uint64_t longest_loops(const attn_workload *w, uint64_t blocks, uint64_t splits)
{
    const uint64_t keys = gpu_plan_loop(ATTN_BK, 0);
    const uint64_t block = keys + gpu_plan_loop(16, 0) + keys + gpu_plan_tree();
    const uint64_t over_splits = gpu_plan_loop(splits, 1);
    const uint64_t scores = gpu_plan_loop(w->d, 0);
    const uint64_t softmax = over_splits + gpu_plan_loop(blocks, block);
    const uint64_t values = over_splits + gpu_plan_loop(blocks, keys);
    return gpu_larger(scores, gpu_larger(softmax, values));
}

static attn_status add_piece(const gpu_limits *limits, const attn_workload *w, uint32_t split,
                             uint32_t piece, gpu_plan *plan, attn_reason *why)
{
    gpu_step step = {.piece = piece, .push = gpu_plan_push(plan, w, piece)};
    step.push.split = split;
    const uint64_t rows = step.push.rows, local_x = plan->specs[SPEC_LOCAL_X];
    const uint64_t items[NAIVE_PASSES] = {rows * w->m, rows, rows * w->dv};
    const double item_work[NAIVE_PASSES] = {2.0 * w->d, (double)SOFTMAX_WORK * w->m, 2.0 * w->m};
    attn_status status = ATTN_OK;
    for (; step.pass < NAIVE_PASSES && status == ATTN_OK; step.pass++)
        status = gpu_plan_add(limits, &step, gpu_ceil_div(items[step.pass], local_x),
                              item_work[step.pass] * (double)local_x, plan, why);
    return status;
}

attn_status gpu_plan_naive(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                           gpu_plan *plan, attn_reason *why)
{
    const uint64_t blocks = gpu_ceil_div(w->m, ATTN_BK);
    const uint32_t split = w->split && w->split < w->m ? w->split : (uint32_t)(blocks * ATTN_BK);
    const uint64_t splits = gpu_ceil_div(w->m, split);
    const uint64_t head_bytes = 4 * (uint64_t)w->n * (w->m + NAIVE_FACTORS(blocks, splits));
    const uint64_t most_x = gpu_smaller(limits->invocations, limits->group_x);
    const uint32_t local_x = (uint32_t)gpu_smaller(row->local_x, most_x);

    *plan = (gpu_plan){.specs = {local_x, 1, 1, w->d, w->dv, [SPEC_BF16] = w->dtype == ATTN_BF16},
                       .passes = NAIVE_PASSES};
    attn_status status = gpu_plan_check(row, w, why);
    if (status == ATTN_OK && head_bytes > limits->range)
        status = attn_because(why, ATTN_UNSUPPORTED,
                              "needs %" PRIu64 " bytes for the scores of a head, the device binds "
                              "%" PRIu64,
                              head_bytes, limits->range);
    if (status == ATTN_OK)
        status = gpu_plan_loops(limits, longest_loops(w, blocks, splits), why);
    if (status == ATTN_OK) /* as many heads at a time as scratch can hold */
        status = gpu_plan_pieces(limits, w, limits->range / head_bytes, plan, why);
    for (uint32_t i = 0; i < plan->piece_count && status == ATTN_OK; i++) {
        status = add_piece(limits, w, split, i, plan, why);
        plan->scratch = gpu_larger(plan->scratch, plan->pieces[i].heads * head_bytes);
    }
    if (status != ATTN_OK)
        gpu_plan_free(plan);
    return status;
}
