/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "attn/clock.h"
#include "harness/bench.h"
#include "harness/interrupt.h"
#include "harness/slowed.h"
#include "harness/stats.h"

#define LONGEST_ROOF_S 0.1
#define LONG_SAMPLE_S  0.1
#define EMPTY_RUNS     5 /* before a sample */

/* A clock that did not move is an error of this row, never a rate. */
static bool moved(bench_row *row, double seconds)
{
    if (!(seconds > 0))
        bench_close_row(row, ATTN_ERROR, "zero elapsed ticks on the %s clock", row->result.clock);
    return row->open;
}

typedef attn_status run_function(attn_job *job, attn_timing *timing, attn_reason *why);

/* Runs the row's job so many times; false when one failed, which closes the row. */
static bool repeat(bench_row *row, run_function *run, uint64_t runs, double *device_s,
                   double *wall_s)
{
    const double share = slowed_share(row->result.kernel);
    const double start = clock_seconds();
    *device_s = 0;
    for (uint64_t i = 0; i < runs; i++) {
        attn_timing timing = {NAN};
        attn_reason why;
        const double began = share > 0 ? clock_seconds() : start;
        attn_status status = run(row->job, &timing, &why);
        slowed_wait(share, began);
        if (status != ATTN_OK) {
            bench_close_row(row, status, "%s", why.text);
            return false;
        }
        *device_s += timing.device_s;
    }
    *wall_s = clock_seconds() - start;
    return true;
}

/* The median of a few: one alone may have waited for a busy core longer than the device takes. */
static bool time_empty(bench_row *row, run_function *run_empty, double *wall_s)
{
    double each[EMPTY_RUNS], device_s;
    for (int i = 0; i < EMPTY_RUNS; i++)
        if (!repeat(row, run_empty, 1, &device_s, &each[i]))
            return false;
    *wall_s = stats_median_interval(each, EMPTY_RUNS).median;
    return true;
}

static bool run_kernel(void *context, uint64_t batch, gbench_times *total)
{
    bench_row *row = context;
    const attn_kernel_ops *ops = row->lane->kernel->ops;
    if (!row->open || interrupt_signal() != 0)
        return false;
    bench_show(row, row->sample_s > LONG_SAMPLE_S);
    double device_s, wall_s, empty_s = NAN;
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
static bool run_roof(void *context, uint64_t batch, gbench_times *total)
{
    bench_row *row = context;
    if (!row->open)
        return false;
    bench_show(row, row->sample_s > LONG_SAMPLE_S);
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

static void take_sample(void *context, const gbench_times *mean)
{
    bench_row *row = context;
    if (!row->open)
        return;
    bool taken = result_row_sample(&row->result, 1e9 * mean->seconds, row->sampled_at_s);
    if (isfinite(mean->wall_s))
        taken = taken && result_row_clocks(&row->result, 1e9 * mean->wall_s, 1e9 * mean->empty_s);
    if (!taken)
        bench_close_row(row, ATTN_OUT_OF_MEMORY, "no memory for samples");
}

static bool wants_samples(const bench_row *row)
{
    return row->open && row->result.stopped_by == NULL;
}

static bool judged_by(const bench_row *row, size_t roof)
{
    bool judged = false;
    for (int kind = 0; kind < ATTN_ROOFS; kind++)
        judged = judged || row->judge[kind] == roof;
    return judged;
}

/* As long as a sample of the fastest row it judges, which is the one whose share says most: on a
 * shared machine a longer window would lose more time to others. 0 when its rows have stopped. */
static double roof_window(const bench *b, const bench_group *g, size_t roof)
{
    const bench_row *fastest = NULL;
    for (size_t l = 0; l < b->lane_count; l++) {
        const bench_row *row = &g->rows[l];
        if (wants_samples(row) && judged_by(row, roof) &&
            (fastest == NULL || row->run_s < fastest->run_s))
            fastest = row;
    }
    return fastest == NULL ? 0 : fmin(fastest->sample_s, LONGEST_ROOF_S);
}

/* Seconds of one round of everything that still wants samples. */
static double round_s(const bench *b, const bench_group *g)
{
    double total = 0;
    for (size_t l = 0; l < b->lane_count; l++)
        total += wants_samples(&g->rows[l]) ? g->rows[l].sample_s : 0;
    for (size_t r = 0; r < g->roof_count; r++)
        total += g->roofs[r].open ? roof_window(b, g, r) : 0;
    return total;
}

static void size_batches(const bench *b, bench_group *g, double window)
{
    for (size_t l = 0; l < b->lane_count; l++) {
        bench_row *row = &g->rows[l];
        double batch = row->open ? fmin(round(window / row->run_s), 1e9) : 1;
        row->batch = batch > 1 ? (uint64_t)batch : 1;
        row->sample_s = (double)row->batch * row->run_s;
    }
}

/* Fixes how many runs make one sample of each row, and the work of the roofs: shorter samples
 * where the least number of them would not fit into `seconds`. */
static void size_samples(const bench *b, bench_group *g, double seconds)
{
    double window = BENCH_WINDOW_S;
    size_batches(b, g, window);
    while (window > 1e-5 && BENCH_SAMPLES * round_s(b, g) > seconds)
        size_batches(b, g, window /= 2);
    for (size_t r = 0; r < g->roof_count; r++) {
        bench_row *row = &g->roofs[r];
        double length = roof_window(b, g, r);
        if (!row->open || length == 0)
            continue;
        uint64_t *work = bench_roof_work(row);
        *work = (uint64_t)fmax((double)*work * length / row->run_s, 1);
        row->run_s = length;
    }
}

static void add_item(gbench_item *items, size_t *count, bench_row *row,
                     bool (*run)(void *, uint64_t, gbench_times *))
{
    row->result.iterations = row->batch;
    items[(*count)++] = (gbench_item){.name = row->name,
                                      .label = row->result.device_name,
                                      .batch = row->batch,
                                      .flops = row->result.flops,
                                      .id = row->id,
                                      .run = run,
                                      .sample = take_sample,
                                      .context = row};
}

/* One sample of each row that wants some and of the roofs that judge them, in a random order. */
static void run_round(bench *b, bench_group *g, gbench_item *items)
{
    size_t count = 0;
    for (size_t r = 0; r < g->roof_count; r++)
        if (g->roofs[r].open && roof_window(b, g, r) > 0)
            add_item(items, &count, &g->roofs[r], run_roof);
    for (size_t l = 0; l < b->lane_count; l++)
        if (wants_samples(&g->rows[l]))
            add_item(items, &count, &g->rows[l], run_kernel);
    attn_reason why;
    attn_status status = count > 0 ? gbench_run(b->engine, items, count, &why) : ATTN_OK;
    for (size_t i = 0; status != ATTN_OK && i < count; i++)
        bench_close_row(items[i].context, status, "%s", why.text);
}

/* Is it time to look whether the row is precise enough? Not after every sample: the more often an
 * interval is looked at, the more often it is narrow by chance. */
static bool wants_look(const result_row *result)
{
    return result->samples >= BENCH_SAMPLES && result->samples % BENCH_LOOK == 0;
}

/* Rows that are precise enough, or have enough samples, stop. How many go on? */
static size_t stop_rows(bench *b, bench_group *g)
{
    const unsigned fixed = gbench_repetitions(b->engine);
    size_t going = 0;
    for (size_t l = 0; l < b->lane_count; l++) {
        result_row *result = &g->rows[l].result;
        if (!wants_samples(&g->rows[l]))
            continue;
        if (fixed > 0)
            result->stopped_by = result->samples >= fixed ? "flags" : NULL;
        else if (wants_look(result) && result_row_precision(result) <= BENCH_PRECISION)
            result->stopped_by = "precision";
        else if (result->samples >= BENCH_MAX_SAMPLES)
            result->stopped_by = "limit";
        going += result->stopped_by == NULL;
    }
    return going;
}

void bench_time(bench *b, bench_group *g)
{
    const double allotted = bench_allotment(b, g);
    const bool fixed = gbench_repetitions(b->engine) > 0;
    double spent = 0, next_s = 0;
    gbench_item *items = malloc(bench_most_rows(b) * sizeof *items);
    if (items == NULL)
        return; /* without a sample, every row says so */
    size_samples(b, g, allotted);
    for (unsigned round = 0; fixed || round < BENCH_SAMPLES || spent + next_s <= allotted;
         round++) {
        const double start = clock_seconds(), modelled = round_s(b, g);
        b->round_start = start;
        run_round(b, g, items);
        b->round_start = 0;
        const double elapsed = clock_seconds() - start;
        spent += elapsed;
        b->left_s -= elapsed;
        if (stop_rows(b, g) == 0 || interrupt_signal() != 0)
            break;
        /* The next round takes its share of what this one took. */
        next_s = elapsed * round_s(b, g) / modelled;
    }
    for (size_t l = 0; l < b->lane_count; l++)
        if (wants_samples(&g->rows[l]))
            g->rows[l].result.stopped_by = "budget";
    free(items);
}
