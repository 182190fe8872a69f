/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters and energy of the CPU's rows, in a pass of its own after their samples, so that reading
 * them is in none.
 */
#include <math.h>

#include "attn/clock.h"
#include "harness/bench.h"

#define PASS_S 0.02 /* longer only where one run, or the energy meter, needs more */

/* The runs of a sample, so many as fit; a meter of energy needs its time. */
static uint64_t pass_runs(const bench_row *row, bool metered)
{
    double runs = fmin((double)row->batch, floor(PASS_S / row->run_s));
    if (metered)
        runs = fmax(runs, ceil(ENERGY_REGION_S / row->run_s));
    return runs > 1 ? (uint64_t)fmin(runs, 1e9) : 1;
}

static bool run_all(bench_row *row, uint64_t runs)
{
    double unused = 0;
    for (uint64_t i = 0; i < runs; i++)
        if (!bench_run_once(row, row->lane->kernel->ops->run, &unused))
            return false;
    return true;
}

static void count_row(bench_row *row, const bench_meters *m, uint64_t runs)
{
    counters_reading before, after;
    energy_reading full, less;
    bench_show(row, (double)runs * row->run_s > 10 * PASS_S);
    energy_read(&m->energy, &full);
    counters_read(&m->counters, &before);
    if (!run_all(row, runs))
        return;
    counters_read(&m->counters, &after);
    energy_read(&m->energy, &less);
    for (int kind = 0; kind < COUNTER_KINDS; kind++)
        row->result.counters[kind] =
            counters_between(&before, &after, (counter_kind)kind) / (double)runs;
    row->result.energy_j = energy_between_j(&m->energy, &full, &less) / (double)runs;
}

static bool has_meter(const bench_meters *m)
{
    return m->counters.any || m->energy.count > 0;
}

/* Rows still to come keep what they need. */
static bool affords(const bench *b, const bench_group *g, const bench_row *row, uint64_t runs)
{
    const double seconds = (double)runs * row->run_s;
    return seconds <= PASS_S || seconds <= b->left_s - bench_reserved(b, g);
}

/* What is not available anyway keeps its own reason. */
static void leave_out(result_row *result, const bench_meters *m)
{
    static const char reason[] = "the budget has no room for another run";
    result->counters_unavailable = m->counters.any ? reason : result->counters_unavailable;
    result->energy_unavailable = m->energy.count > 0 ? reason : result->energy_unavailable;
}

void bench_count(bench *b, bench_group *g)
{
    const bench_meters *m = b->meters;
    for (size_t l = 0; m != NULL && l < b->lane_count; l++) {
        bench_row *row = &g->rows[l];
        result_row *result = &row->result;
        if (!row->open || result->threads == 0 || result->samples == 0)
            continue;
        result->counters_unavailable = m->counters.why.text[0] ? m->counters.why.text : NULL;
        result->energy_unavailable = m->energy.why.text[0] ? m->energy.why.text : NULL;
        const uint64_t runs = pass_runs(row, m->energy.count > 0);
        const double start = clock_seconds();
        if (!has_meter(m))
            continue;
        if (affords(b, g, row, runs))
            count_row(row, m, runs);
        else
            leave_out(result, m);
        b->left_s -= clock_seconds() - start;
    }
}
