/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of tile.comp: the largest workgroup that fits the device.
 */
#include <inttypes.h>

#include "gpu/rows.h"

typedef struct tile_size {
    uint32_t x, y, q; /* workgroup, query rows */
} tile_size;

/* The shared arrays of tile.comp, in bytes. */
static uint64_t shared_bytes(uint32_t tile_q)
{
    const uint64_t row_words = 4;
    return 4 * (TILE_STAGE(tile_q) + (uint64_t)tile_q * (ATTN_BK + 16 + row_words));
}

static bool fits(const tile_size *size, const gpu_limits *limits)
{
    return size->x <= limits->group_x && size->y <= limits->group_y &&
           (uint64_t)size->x * size->y <= limits->invocations &&
           shared_bytes(size->q) <= limits->shared;
}

/* Halves the workgroup in y until it fits, or is one row. */
static tile_size choose_size(const gpu_row *row, const gpu_limits *limits)
{
    tile_size size = {row->local_x, row->local_y, row->local_y * row->rows};
    while (size.y > 1 && !fits(&size, limits)) {
        size.y /= 2;
        size.q = size.y * row->rows;
    }
    return size;
}

uint32_t gpu_plan_tile_q(const gpu_row *row, const gpu_limits *limits)
{
    if (row->plan == gpu_plan_naive)
        return 1;
    if (row->plan == gpu_plan_decode)
        return row->rows;
    return row->plan == gpu_plan_tile ? choose_size(row, limits).q : row->local_x * row->rows;
}

/* Loop iterations of one invocation for one block of keys. */
static uint64_t block_loops(const tile_size *size, const attn_workload *w)
{
    const uint64_t threads = (uint64_t)size->x * size->y;
    const uint64_t columns = 4 * (uint64_t)size->x * TILE_COLUMNS4(w->dv, size->x);
    const uint64_t value_rows = TILE_VALUE_ROWS(size->q, columns);
    const uint64_t slice = gpu_plan_loop(gpu_ceil_div(TILE_SLICE * size->q, threads), 0) +
                           gpu_plan_loop(gpu_ceil_div(TILE_SLICE * ATTN_BK, threads), 0) +
                           gpu_plan_loop(TILE_SLICE, 0);
    const uint64_t stage = gpu_plan_loop(gpu_ceil_div(value_rows * columns, threads), 0) +
                           gpu_plan_loop(value_rows, 0);
    return gpu_plan_loop(gpu_ceil_div(w->d, TILE_SLICE), slice) +
           gpu_plan_loop(gpu_ceil_div(size->q, threads), 0) +
           gpu_plan_loop(gpu_ceil_div(ATTN_BK, value_rows), stage);
}

/* Outside the loop over blocks: spans; loading and storing the state. */
static uint64_t other_loops(const tile_size *size, const attn_workload *w)
{
    const uint64_t threads = (uint64_t)size->x * size->y;
    const uint64_t columns = 4 * (uint64_t)TILE_COLUMNS4(w->dv, size->x);
    return gpu_plan_loop(size->q, 0) +
           2 * (gpu_plan_loop(gpu_ceil_div(size->q, threads), 0) + gpu_plan_loop(columns, 0));
}

attn_status gpu_plan_tile(const gpu_row *row, const gpu_limits *limits, const attn_workload *w,
                          gpu_plan *plan, attn_reason *why)
{
    const tile_size size = choose_size(row, limits);
    const attn_status status = gpu_plan_check(row, w, why);
    if (status != ATTN_OK)
        return status;
    if (!fits(&size, limits))
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs %" PRIu64 " bytes of shared memory and %" PRIu32
                            " invocations, the device has %" PRIu32 " and %" PRIu32,
                            shared_bytes(size.q), size.x * size.y, limits->shared,
                            limits->invocations);
    *plan = (gpu_plan){
        .specs = {size.x, size.y, row->rows, w->d, w->dv, [SPEC_BF16] = w->dtype == ATTN_BF16},
        .passes = 1};
    const gpu_online online = {size.q, block_loops(&size, w), other_loops(&size, w)};
    return gpu_plan_online(limits, w, &online, plan, why);
}
