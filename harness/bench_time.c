/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "attn/clock.h"
#include "harness/bench.h"
#include "harness/interrupt.h"
#include "harness/stats.h"

#define LONGEST_ROOF_S 0.1
#define GROUP          (UINT64_C(1) << 32) /* positions of a group's rounds */

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
        const double length = window * (row->lane->kernel->ops->run_empty ? BENCH_DEVICE : 1);
        const double batch = row->open ? fmin(round(length / row->run_s), 1e9) : 1;
        row->batch = batch > 1 ? (uint64_t)batch : 1;
        row->sample_s = (double)row->batch * row->run_s;
    }
}

/* Fixes how many runs make one sample of each row, and the work of the roofs: shorter samples
 * where the least number of them would not fit into `seconds`. */
static void size_samples(const bench *b, bench_group *g, double seconds)
{
    double window = b->window_s;
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

void bench_add_item(gbench_item *items, size_t *count, bench_row *row,
                    bool (*run)(void *, uint64_t, gbench_times *))
{
    row->result.iterations = row->batch;
    items[(*count)++] = (gbench_item){.name = row->name,
                                      .label = row->result.device_name,
                                      .batch = row->batch,
                                      .flops = row->result.flops,
                                      .id = row->id,
                                      .run = run,
                                      .sample = bench_take_sample,
                                      .context = row};
}

/* One sample of a row, or of a roof: index counts the roofs, then the rows. */
static void run_one(bench *b, bench_group *g, size_t index)
{
    gbench_item item;
    size_t count = 0;
    attn_reason why;
    bench_row *const row =
        index < g->roof_count ? &g->roofs[index] : &g->rows[index - g->roof_count];
    if (index >= g->roof_count && wants_samples(row))
        bench_add_item(&item, &count, row, bench_run_kernel);
    else if (index < g->roof_count && row->open && roof_window(b, g, index) > 0)
        bench_add_item(&item, &count, row, bench_run_roof);
    const attn_status status = count > 0 ? gbench_run(b->engine, &item, 1, &why) : ATTN_OK;
    if (status != ATTN_OK)
        bench_close_row(row, status, "%s", why.text);
}

/* One sample of each row that wants some and of the roofs that judge them, in a random order. The
 * order is ours, not Google Benchmark's: two runs that take turns have the same one, so that the
 * samples of a row follow each other. */
static void run_round(bench *b, bench_group *g, size_t *order)
{
    const size_t count = g->roof_count + b->lane_count;
    stats_random random = stats_random_start(((uint64_t)b->seed << 32) ^ b->position);
    for (size_t i = 0; i < count; i++) {
        const size_t other = stats_random_below(&random, (uint32_t)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < count; i++)
        run_one(b, g, order[i]);
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
        else if (wants_look(result) && result_row_precision(result) <= b->precision)
            result->stopped_by = "precision";
        else if (result->samples >= BENCH_MAX_SAMPLES)
            result->stopped_by = "limit";
        else if (result->samples >= BENCH_SAMPLES && g->rows[l].spent_s >= b->row_budget_s)
            result->stopped_by = "row budget";
        going += result->stopped_by == NULL;
    }
    return going;
}

static void pause_for(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    while (seconds > 0 && nanosleep(&left, &left) != 0 && errno == EINTR &&
           interrupt_signal() == 0) {
    }
}

void bench_time(bench *b, bench_group *g)
{
    const double allotted = bench_allotment(b, g);
    const bool fixed = gbench_repetitions(b->engine) > 0;
    const uint64_t first = (uint64_t)(g - b->groups) * GROUP + 1;
    double spent = 0, next_s = 0;
    size_t *order = malloc(bench_most_rows(b) * sizeof *order);
    if (order == NULL)
        return; /* without a sample, every row says so */
    size_samples(b, g, allotted);
    turns_meet(b->turns, first);
    for (unsigned round = 0; fixed || round < BENCH_SAMPLES || spent + next_s <= allotted;
         round++) {
        pause_for(b->pause_s);
        const double start = clock_seconds(), waited = b->turns->waited_s, modelled = round_s(b, g);
        b->round_start = start;
        b->position = first + round + 1;
        run_round(b, g, order);
        b->round_start = 0;
        const double elapsed = clock_seconds() - start - (b->turns->waited_s - waited);
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
    turns_meet(b->turns, first + GROUP - 1); /* neither goes on while the other takes samples */
    b->position = 0;
    free(order);
}
