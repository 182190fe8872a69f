/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool report_counts(const result_row *row)
{
    return !row->roof && row->status == ATTN_OK && isfinite(row->median_ns) &&
           row->verified[0] != '\0';
}

static bool same_place(const result_row *a, const result_row *b)
{
    return strcmp(a->device, b->device) == 0 && attn_workload_same(a->workload, b->workload);
}

/* Is there one before this row whose place it shares? */
static bool seen(const run_file *run, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (!run->rows[i].roof && same_place(&run->rows[i], &run->rows[index]))
            return true;
    return false;
}

static const result_row *fastest(const run_file *run, const result_row *place, attn_tier tier)
{
    const result_row *best = NULL;
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (report_counts(row) && row->tier == tier && same_place(row, place) &&
            (best == NULL || row->median_ns < best->median_ns))
            best = row;
    }
    return best;
}

size_t report_best(const run_file *run, const result_row ***list)
{
    static const attn_tier tiers[] = {ATTN_TIER_EXACT, ATTN_TIER_BOUNDED};
    size_t count = 0;
    *list = calloc(run->count + 1, sizeof **list);
    for (size_t i = 0; i < run->count && *list != NULL; i++) {
        if (run->rows[i].roof || seen(run, i))
            continue;
        for (size_t t = 0; t < sizeof tiers / sizeof tiers[0]; t++) {
            const result_row *best = fastest(run, &run->rows[i], tiers[t]);
            if (best != NULL)
                (*list)[count++] = best;
        }
    }
    return count;
}
