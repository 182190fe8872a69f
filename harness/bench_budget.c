/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "harness/bench.h"
#include "harness/format.h"

/* Time of all runs that a row needs at least: one to warm up, then its samples. 0 while its
 * speed is unknown. */
static double need_s(const bench_row *row)
{
    return isfinite(row->run_s) ? (BENCH_SAMPLES + 1) * row->run_s : 0;
}

void bench_estimate(bench *b)
{
    for (size_t i = 0; i < b->group_count; i++)
        for (size_t l = 0; l < b->lane_count; l++) {
            bench_row *row = &b->groups[i].rows[l];
            if (row->open && row->job == NULL)
                row->run_s = row->lane->s_per_flop * (double)b->groups[i].flops;
        }
}

void bench_admit(bench *b, bench_row *row)
{
    double needed = need_s(row), reserved = 0;
    for (size_t i = 0; i < b->group_count; i++)
        for (size_t l = 0; l < b->lane_count; l++) {
            const bench_row *other = &b->groups[i].rows[l];
            double theirs = need_s(other);
            if (other->open && (theirs < needed || (theirs == needed && other->id < row->id)))
                reserved += theirs;
        }
    if (reserved + needed <= b->left_s)
        return;
    bench_close_row(row, ATTN_SKIPPED,
                    "%d runs of about %s need %s; of the %.0f s budget %s are free after cheaper "
                    "rows",
                    BENCH_SAMPLES + 1, format_ns(1e9 * row->run_s).text,
                    format_ns(1e9 * needed).text, b->budget_s,
                    format_ns(1e9 * fmax(b->left_s - reserved, 0)).text);
}

double bench_reserved(const bench *b, const bench_group *g)
{
    double reserved = 0;
    for (size_t i = 0; i < b->group_count; i++)
        for (size_t l = 0; l < b->lane_count && &b->groups[i] != g; l++)
            reserved += b->groups[i].rows[l].open ? need_s(&b->groups[i].rows[l]) : 0;
    return reserved;
}

double bench_allotment(const bench *b, const bench_group *g)
{
    double minimum_all = 0, minimum_here = 0;
    unsigned open_all = 0, open_here = 0;
    for (size_t i = 0; i < b->group_count; i++)
        for (size_t l = 0; l < b->lane_count; l++) {
            const bench_row *row = &b->groups[i].rows[l];
            bool here = &b->groups[i] == g;
            if (!row->open)
                continue;
            minimum_all += need_s(row);
            minimum_here += here ? need_s(row) : 0;
            open_all++;
            open_here += here;
        }
    double spare = fmax(b->left_s - minimum_all, 0);
    return open_here == 0 ? 0 : minimum_here + spare * open_here / open_all;
}
