/* SPDX-License-Identifier: Apache-2.0
 *
 * What the plans share.
 */
#include "gpu/plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "gpu/rows.h"

/* Of a submission, where their time is limited: systems watch over submissions, too. */
#define DISPATCHES_AT_ONCE 4

void gpu_plan_free(gpu_plan *plan)
{
    free(plan->pieces);
    free(plan->steps);
    plan->pieces = NULL;
    plan->steps = NULL;
    plan->piece_count = 0;
    plan->count = plan->room = 0;
}

uint64_t gpu_plan_bytes(const attn_workload *w, uint64_t elements)
{
    return 4 * gpu_ceil_div(elements * attn_dtype_size(w->dtype), 4);
}

attn_status gpu_plan_check(const gpu_row *row, const attn_workload *w, attn_reason *why)
{
    const attn_status status = attn_contract_takes(row->contract, w->dtype, why);
    if (status != ATTN_OK)
        return status;
    if (w->d > GPU_MAX_HEAD_SIZE || w->dv > GPU_MAX_HEAD_SIZE)
        return attn_because(why, ATTN_UNSUPPORTED, "needs head size %" PRIu32 ", at most %d",
                            w->d > w->dv ? w->d : w->dv, GPU_MAX_HEAD_SIZE);
    if ((uint64_t)w->b * w->h > UINT32_MAX)
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs %" PRIu64 " query heads in all, at most %u",
                            (uint64_t)w->b * w->h, UINT32_MAX);
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

static attn_status append(gpu_plan *plan, const gpu_step *step, attn_reason *why)
{
    if (plan->count == plan->room) {
        const size_t room = plan->room ? 2 * plan->room : 16;
        gpu_step *steps = realloc(plan->steps, room * sizeof *steps);
        if (!steps)
            return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the list of dispatches");
        plan->steps = steps;
        plan->room = room;
    }
    plan->steps[plan->count++] = *step;
    return ATTN_OK;
}

attn_status gpu_plan_add(const gpu_limits *limits, const gpu_step *step, uint64_t groups,
                         double work, gpu_plan *plan, attn_reason *why)
{
    const uint64_t grid = (uint64_t)limits->groups * limits->groups;
    const double fit = (double)limits->work / work;
    const uint64_t most = fit < 1 ? 1 : fit < (double)grid ? (uint64_t)fit : grid;
    const uint64_t steps = gpu_ceil_div(groups, most), each = gpu_ceil_div(groups, steps);
    if (groups > UINT32_MAX)
        return attn_because(why, ATTN_UNSUPPORTED, "needs %" PRIu64 " workgroups, at most %u",
                            groups, UINT32_MAX);
    plan->submit_work = DISPATCHES_AT_ONCE * (double)limits->work;
    attn_status status = ATTN_OK;
    for (uint64_t begin = 0; begin < groups && status == ATTN_OK; begin += each) {
        const uint64_t end = gpu_smaller(begin + each, groups);
        gpu_step next = *step;
        next.waits = begin == 0 && plan->count > 0;
        next.work = (double)(end - begin) * work;
        next.push.group_begin = (uint32_t)begin;
        next.push.group_end = (uint32_t)end;
        status = append(plan, &next, why);
    }
    return status;
}
