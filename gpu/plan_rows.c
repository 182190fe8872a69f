/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of rows.comp.
 */
#include "gpu/rows.h"

attn_status gpu_plan_rows(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                          gpu_plan *plan, attn_reason *why)
{
    const uint64_t most_x = gpu_smaller(limits->invocations, limits->group_x);
    const uint32_t local_x = (uint32_t)gpu_smaller(row->local_x, most_x);
    const attn_status status = gpu_plan_check(row, w, why);
    if (status != ATTN_OK)
        return status;
    *plan = (gpu_plan){.specs = {local_x, 1, 1, w->d, w->dv, [SPEC_BF16] = w->dtype == ATTN_BF16},
                       .passes = 1};
    /* A block: scores, weights and their sum, values. */
    const gpu_online online = {
        local_x,
        gpu_plan_loop(ATTN_BK, gpu_plan_loop(w->d, 0)) + gpu_plan_loop(16, 0) +
            gpu_plan_loop(ATTN_BK, 0) + gpu_plan_tree() +
            gpu_plan_loop(ATTN_BK, gpu_plan_loop(w->dv, 0)) + 2 * gpu_plan_loop(w->dv, 0),
        gpu_plan_loop(1, 0) + gpu_plan_loop(w->d, 0) + 2 * gpu_plan_loop(w->dv, 0)};
    return gpu_plan_online(limits, w, &online, plan, why);
}
