/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "harness/bench.h"
#include "harness/interrupt.h"

attn_status bench_store_closed(bench *b, attn_reason *why)
{
    attn_status status = ATTN_OK;
    for (size_t i = 0; i < b->group_count; i++)
        for (size_t l = 0; l < b->lane_count && status == ATTN_OK; l++) {
            bench_row *row = &b->groups[i].rows[l];
            if (row->open || row->stored)
                continue;
            status = store_row(b->file, &row->result, why);
            row->stored = true;
        }
    return status;
}

attn_status bench_store_one(bench *b, bench_row *row, attn_status status, attn_reason *why)
{
    if (!row->stored && status == ATTN_OK)
        status = store_row(b->file, &row->result, why);
    row->stored = true;
    row->open = false;
    b->done[b->done_count++] = row->result;
    row->result.samples_ns = row->result.sample_at_s = NULL;
    row->result.wall_samples_ns = row->result.empty_samples_ns = NULL;
    return status;
}

/* The roof of this kind that judges the row; NULL if none does. */
static const result_row *roof_of(const bench_group *g, const bench_row *row, attn_roof_kind kind)
{
    return row->judge[kind] < g->roof_count ? &g->roofs[row->judge[kind]].result : NULL;
}

static attn_status store_all(bench *b, bench_group *g, attn_reason *why)
{
    attn_status status = ATTN_OK;
    for (size_t r = 0; r < g->roof_count; r++)
        result_row_finish(&g->roofs[r].result);
    for (size_t l = 0; l < b->lane_count; l++) {
        bench_row *row = &g->rows[l];
        result_row_finish(&row->result);
        if (row->result.status == ATTN_OK && status == ATTN_OK)
            status = gbench_keep(b->engine, row->id, why);
        result_row_judge(&row->result, roof_of(g, row, ATTN_ROOF_MAC),
                         roof_of(g, row, ATTN_ROOF_READ));
    }
    bench_compare(b, g);
    /* Roofs first: a run that goes on knows by its rows which workloads are whole. */
    for (size_t r = 0; r < g->roof_count; r++) {
        if (g->roofs[r].result.status == ATTN_OK && status == ATTN_OK)
            status = gbench_keep(b->engine, g->roofs[r].id, why);
        status = bench_store_one(b, &g->roofs[r], status, why);
    }
    for (size_t l = 0; l < b->lane_count; l++)
        status = bench_store_one(b, &g->rows[l], status, why);
    return status;
}

/* ATTN_SKIPPED when a signal asked to stop. */
static attn_status go_on(attn_reason *why)
{
    if (interrupt_signal() == 0)
        return ATTN_OK;
    return attn_because(why, ATTN_SKIPPED, "stopped by %s", interrupt_name());
}

attn_status bench_group_run(bench *b, bench_group *g, attn_reason *why)
{
    if (g->finished)
        return ATTN_OK;
    attn_status status = bench_store_closed(b, why);
    if (status == ATTN_OK)
        status = go_on(why);
    if (status == ATTN_OK)
        status = bench_prepare(b, g, why);
    if (status == ATTN_OK)
        status = go_on(why);
    if (status == ATTN_OK) {
        bench_roofs(b, g);
        bench_time(b, g);
        bench_count(b, g);
        status = go_on(why);
    }
    if (status == ATTN_OK)
        status = store_all(b, g, why);
    for (size_t r = 0; r < g->roof_count; r++) {
        free(g->roofs[r].name);
        result_row_free(&g->roofs[r].result);
    }
    free(g->roofs);
    g->roofs = NULL;
    g->roof_count = 0;
    bench_release(b, g);
    b->shown += (unsigned)b->lane_count;
    return status;
}
