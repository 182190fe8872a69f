/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of lanes.comp: fewer rows per invocation for large heads.
 */
#include <inttypes.h>

#include "gpu/rows.h"

/* Outputs of one invocation. More run faster, but drivers take seconds to compile them. */
#define MOST_OUTPUTS 256

/* Four, where every row of K and V is whole texels. */
static uint32_t texel_words(const attn_workload *w)
{
    const uint32_t elements = 16 / (uint32_t)attn_dtype_size(w->dtype);
    return w->d % elements == 0 && w->dv % elements == 0 ? 4 : 1;
}

attn_status gpu_plan_lanes(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                           gpu_plan *plan, attn_reason *why)
{
    const uint64_t head_size = gpu_larger(w->d, w->dv);
    uint32_t rows = row->rows;
    while (rows > 1 && rows * head_size > MOST_OUTPUTS)
        rows /= 2;
    const attn_status status = gpu_plan_check(row, w, why);
    if (status != ATTN_OK)
        return status;
    if (limits->width == 0)
        return attn_because(why, ATTN_UNSUPPORTED, "needs subgroup shuffles");
    if (row->local_x > limits->invocations || row->local_x > limits->group_x)
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs %" PRIu32 " invocations, the device has %" PRIu32, row->local_x,
                            limits->invocations);

    const uint32_t words = texel_words(w);
    *plan = (gpu_plan){.specs = {row->local_x, 1, rows, w->d, w->dv, 0, limits->width,
                                 w->dtype == ATTN_BF16, words, w->mask != ATTN_MASK_FULL},
                       .passes = 1,
                       .texel_words = words};
    /* Scores and values take a loop over the keys each, weights one over half the lanes; besides,
     * loops over spans and queries, and to load and store the state. */
    const uint32_t tile_q = row->local_x * rows;
    const gpu_online online = {
        tile_q, 2 * gpu_plan_loop(ATTN_BK / LANES_KEYS, 0) + gpu_plan_loop(8, 0),
        gpu_plan_loop(tile_q, 0) + gpu_plan_loop(w->d, 0) + 2 * gpu_plan_loop(w->dv, 0)};
    return gpu_plan_online(limits, w, &online, plan, why);
}
