/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "attn/clock.h"
#include "harness/bench.h"
#include "harness/interrupt.h"
#include "harness/slowed.h"
#include "harness/stats.h"

#define LONG_SAMPLE_S 0.1
#define EMPTY_RUNS    5 /* before a sample */

static void take_turn(const bench_row *row)
{
    if (row->owner->position > 0)
        turns_sample(row->owner->turns, row->owner->position);
}

/* A clock that did not move is an error of this row, never a rate. */
static bool moved(bench_row *row, double seconds)
{
    if (!(seconds > 0))
        bench_close_row(row, ATTN_ERROR, "zero elapsed ticks on the %s clock", row->result.clock);
    return row->open;
}

bool bench_run_once(bench_row *row, bench_run *run, double *device_s)
{
    attn_timing timing = {NAN};
    attn_reason why;
    const attn_status status = run(row->job, &timing, &why);
    if (status != ATTN_OK)
        bench_close_row(row, status, "%s", why.text);
    *device_s += timing.device_s;
    return status == ATTN_OK;
}

/* Runs the row's job so many times; false when one failed, which closes the row. */
static bool repeat(bench_row *row, bench_run *run, uint64_t runs, double *device_s, double *wall_s)
{
    const double share = slowed_share(row->result.kernel);
    const double start = clock_seconds();
    *device_s = 0;
    for (uint64_t i = 0; i < runs; i++) {
        const double began = share > 0 ? clock_seconds() : start;
        if (!bench_run_once(row, run, device_s))
            return false;
        slowed_wait(share, began);
    }
    *wall_s = clock_seconds() - start;
    return true;
}

/* The median of a few: one alone may have waited for a busy core longer than the device takes. */
static bool time_empty(bench_row *row, bench_run *run_empty, double *wall_s)
{
    double each[EMPTY_RUNS], device_s;
    for (int i = 0; i < EMPTY_RUNS; i++)
        if (!repeat(row, run_empty, 1, &device_s, &each[i]))
            return false;
    *wall_s = stats_median_interval(each, EMPTY_RUNS).median;
    return true;
}

bool bench_run_kernel(void *context, uint64_t batch, gbench_times *total)
{
    bench_row *row = context;
    const attn_kernel_ops *ops = row->lane->kernel->ops;
    if (!row->open || interrupt_signal() != 0)
        return false;
    bench_show(row, row->sample_s > LONG_SAMPLE_S);
    take_turn(row);
    double device_s, wall_s, empty_s = NAN;
    /* What ran before left its own data in the caches. One run, not timed, brings back those of
     * this row; where a sample is a single run, it is long enough to do so itself. */
    if (batch > 1 && !repeat(row, ops->run, 1, &device_s, &wall_s))
        return false;
    if ((ops->run_empty != NULL && !time_empty(row, ops->run_empty, &empty_s)) ||
        !repeat(row, ops->run, batch, &device_s, &wall_s))
        return false;
    if (ops->run_empty != NULL) {
        total->wall_s = wall_s;
        total->empty_s = empty_s * (double)batch;
    }
    total->seconds = row->device_clock ? device_s : wall_s;
    row->sampled_at_s = clock_seconds() - row->owner->start_s;
    return moved(row, total->seconds);
}

/* A roof does at least the work it was asked for; its time is scaled to exactly that. */
bool bench_run_roof(void *context, uint64_t batch, gbench_times *total)
{
    bench_row *row = context;
    if (!row->open)
        return false;
    bench_show(row, row->sample_s > LONG_SAMPLE_S);
    take_turn(row);
    const uint64_t work = *bench_roof_work(row);
    total->seconds = 0;
    for (uint64_t i = 0; i < batch; i++) {
        attn_timing timing = {NAN};
        attn_reason why;
        uint64_t done = 0;
        double start = clock_seconds();
        attn_status status =
            row->roof->run(row->roof, row->result.threads, work, &done, &timing, &why);
        double elapsed = row->device_clock ? timing.device_s : clock_seconds() - start;
        if (status != ATTN_OK) {
            bench_close_row(row, status, "%s", why.text);
            return false;
        }
        total->seconds += elapsed * (double)work / (double)done;
    }
    row->sampled_at_s = clock_seconds() - row->owner->start_s;
    return moved(row, total->seconds);
}

void bench_take_sample(void *context, const gbench_times *mean)
{
    bench_row *row = context;
    if (!row->open)
        return;
    bool taken = result_row_sample(&row->result, 1e9 * mean->seconds, row->sampled_at_s);
    if (isfinite(mean->wall_s))
        taken = taken && result_row_clocks(&row->result, 1e9 * mean->wall_s, 1e9 * mean->empty_s);
    row->spent_s += mean->seconds * (double)row->batch;
    if (!taken)
        bench_close_row(row, ATTN_OUT_OF_MEMORY, "no memory for samples");
}
