/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of decode.comp: as many rows as there are, at most the row's number, in shared memory.
 */
#include <inttypes.h>

#include "gpu/rows.h"

static uint32_t choose_rows(const gpu_row *row, const gpu_limits *limits, const attn_workload *w)
{
    const uint64_t run = (uint64_t)w->n * (w->h / w->hk);
    uint32_t rows = 1;
    while (rows < row->rows && rows < run &&
           4 * DECODE_SHARED(2 * (uint64_t)rows, w->d) <= limits->shared)
        rows *= 2;
    return rows;
}

/* Loop iterations of one invocation for one block of keys. */
static uint64_t block_loops(uint32_t rows, const attn_workload *w)
{
    const uint64_t slices = gpu_ceil_div(w->d, DECODE_SLICE);
    const uint64_t lanes = gpu_plan_loop(gpu_ceil_div(rows * 16, ATTN_BK), 0);
    return gpu_plan_loop(slices, 2 * gpu_plan_loop(DECODE_SLICE, 0)) + lanes +
           gpu_plan_loop(4, lanes) + DECODE_COLUMNS(w->dv) * gpu_plan_loop(ATTN_BK / 8, 0);
}

attn_status gpu_plan_decode(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                            gpu_plan *plan, attn_reason *why)
{
    const uint32_t rows = choose_rows(row, limits, w);
    const uint64_t shared = 4 * DECODE_SHARED((uint64_t)rows, w->d);
    const uint64_t invocations = gpu_smaller(limits->invocations, limits->group_x);
    const attn_status status = gpu_plan_check(row, w, why);
    if (status != ATTN_OK)
        return status;
    if (shared > limits->shared || invocations < ATTN_BK)
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs %" PRIu64 " bytes of shared memory and %d invocations, the "
                            "device has %" PRIu32 " and %" PRIu64,
                            shared, ATTN_BK, limits->shared, invocations);
    *plan = (gpu_plan){
        .specs = {ATTN_BK, 1, rows, w->d, w->dv, [SPEC_BF16] = w->dtype == ATTN_BF16}, .passes = 1};
    const gpu_online online = {rows, block_loops(rows, w),
                               gpu_plan_loop(rows, 0) +
                                   gpu_plan_loop(gpu_ceil_div(rows * w->d, ATTN_BK), 0)};
    return gpu_plan_online(limits, w, &online, plan, why);
}
