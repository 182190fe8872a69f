/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "harness/bench.h"

/* The fastest library row that this row can be compared with: same workload, device and thread
 * count. NULL if none was measured. */
static const bench_row *best_library(const bench *b, const bench_group *g, const bench_row *row)
{
    const bench_row *best = NULL;
    for (size_t l = 0; l < b->lane_count; l++) {
        const bench_row *other = &g->rows[l];
        if (other->lane->kernel->library && other->result.status == ATTN_OK &&
            other->result.threads == row->result.threads &&
            strcmp(other->result.device, row->result.device) == 0 &&
            (best == NULL || other->result.median_ns < best->result.median_ns))
            best = other;
    }
    return best;
}

void bench_compare(const bench *b, bench_group *g)
{
    for (size_t l = 0; l < b->lane_count; l++) {
        const bench_row *best = best_library(b, g, &g->rows[l]);
        if (best != NULL)
            result_row_compare(&g->rows[l].result, &best->result, b->seed);
    }
}
