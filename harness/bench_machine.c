/* SPDX-License-Identifier: Apache-2.0
 *
 * Roofs that judge no row, and say what the machine can do: bandwidth per cache level, copying and
 * triad, the other instruction sets. They are measured once, before the first group, interleaved
 * among themselves, within a small part of the budget.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/clock.h"
#include "harness/bench.h"
#include "harness/format.h"

#define LONGEST_S   0.01 /* a sample */
#define CALIBRATION 0.6  /* of the time, before what is left goes to samples */

typedef struct machine {
    bench *b;
    bench_row *rows;
    size_t count;
    double seconds, start_s;
} machine;

/* No row to be timed will be sampled with this roof. */
static bool judges_nothing(const bench *b, const attn_roof *roof, unsigned threads)
{
    for (size_t i = 0; i < b->group_count; i++)
        for (size_t l = 0; l < b->lane_count; l++) {
            const bench_row *row = &b->groups[i].rows[l];
            if (row->open && bench_judge(b, row, roof->kind) == roof &&
                bench_roof_threads(roof, row->result.threads) == threads)
                return false;
        }
    return true;
}

static bool lane_is_open(const bench *b, size_t lane)
{
    bool open = false;
    for (size_t i = 0; i < b->group_count; i++)
        open = open || b->groups[i].rows[lane].open;
    return open;
}

/* A run that goes on has measured some before. */
static bool measured_before(const bench *b, const attn_roof *roof, unsigned threads)
{
    for (size_t i = 0; i < b->done_count; i++) {
        const result_row *row = &b->done[i];
        if (row->roof && row->threads == threads && strcmp(row->kernel, roof->name) == 0 &&
            strcmp(row->device, roof->device) == 0)
            return true;
    }
    return false;
}

static bool listed(const machine *m, const attn_roof *roof, unsigned threads)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->rows[i].roof == roof && m->rows[i].result.threads == threads)
            return true;
    return false;
}

/* Contract X multiplies as F does: its roof is of interest where it judges. */
static bool wanted(const machine *m, const attn_roof *roof, const bench_lane *lane)
{
    const unsigned threads = bench_roof_threads(roof, lane->threads);
    return strcmp(roof->device, lane->kernel->device) == 0 && roof->contract != ATTN_CONTRACT_X &&
           !listed(m, roof, threads) && !measured_before(m->b, roof, threads) &&
           judges_nothing(m->b, roof, threads);
}

/* A row for each roof of this level, of the lane's device and at its thread count. */
static bool add_rows(machine *m, const bench_lane *lane, unsigned level)
{
    bench *b = m->b;
    for (size_t r = 0; r < b->kernels->roof_count; r++) {
        const attn_roof *roof = &b->kernels->roofs[r];
        if (roof->level != level || !wanted(m, roof, lane))
            continue;
        bench_row *row = &m->rows[m->count];
        row->id = b->group_count * bench_most_rows(b) + b->done_count + m->count;
        if (!bench_roof_row(b, row, roof, lane->threads, lane->kernel, &b->groups[0].workload))
            return false;
        m->count++;
    }
    return true;
}

/* For all devices and thread counts of this run. Memory comes last: it takes longest. */
static bool list_rows(machine *m)
{
    bench *b = m->b;
    m->rows = calloc(b->lane_count * b->kernels->roof_count + 1, sizeof *m->rows);
    bool listed_all = m->rows != NULL;
    for (unsigned level = ATTN_LEVEL_NONE; level < ATTN_LEVELS; level++)
        for (size_t l = 0; l < b->lane_count && listed_all; l++)
            listed_all = !lane_is_open(b, l) || add_rows(m, &b->lanes[l], level);
    return listed_all;
}

static double spent_s(const machine *m)
{
    return clock_seconds() - m->start_s;
}

static void calibrate_rows(machine *m)
{
    for (size_t i = 0; i < m->count; i++) {
        if (spent_s(m) < CALIBRATION * m->seconds)
            bench_roof_start(m->b, &m->rows[i], m->b->roof_bytes);
        else
            bench_close_row(&m->rows[i], ATTN_SKIPPED,
                            "the time for roofs that judge no row, %s, was over before its turn",
                            format_ns(1e9 * m->seconds).text);
    }
}

/* What is left of the time, shared equally. */
static void size_windows(machine *m)
{
    size_t open = 0;
    for (size_t i = 0; i < m->count; i++)
        open += m->rows[i].open;
    const double window =
        fmin(fmax(m->seconds - spent_s(m), 0) / (double)(BENCH_SAMPLES * (open + 1)), LONGEST_S);
    for (size_t i = 0; i < m->count; i++) {
        bench_row *row = &m->rows[i];
        if (!row->open)
            continue;
        uint64_t *work = bench_roof_work(row);
        *work = (uint64_t)fmax((double)*work * window / row->run_s, 1);
        row->run_s = row->sample_s = window;
    }
}

/* The caches hold what ran last: a pass outside the sample brings back the set of this roof. */
static bool run_warm(void *context, uint64_t batch, gbench_times *total)
{
    const bench_row *row = context;
    attn_timing timing;
    uint64_t done;
    if (row->open && row->roof->level < ATTN_LEVEL_MEMORY && row->roof->level > ATTN_LEVEL_NONE)
        row->roof->run(row->roof, row->result.threads, 1, &done, &timing, NULL);
    return bench_run_roof(context, batch, total);
}

static void sample_rows(machine *m)
{
    gbench_item *items = malloc((m->count + 1) * sizeof *items);
    attn_reason why;
    for (unsigned round = 0; items != NULL && round < BENCH_SAMPLES; round++) {
        size_t count = 0;
        for (size_t i = 0; i < m->count; i++)
            if (m->rows[i].open)
                bench_add_item(items, &count, &m->rows[i], run_warm);
        const attn_status status =
            count > 0 ? gbench_run(m->b->engine, items, count, &why) : ATTN_OK;
        for (size_t i = 0; status != ATTN_OK && i < count; i++)
            bench_close_row(items[i].context, status, "%s", why.text);
    }
    free(items); /* without a sample, every row says so */
}

static attn_status keep_rows(machine *m, attn_reason *why)
{
    attn_status status = ATTN_OK;
    for (size_t i = 0; i < m->count; i++) {
        bench_row *row = &m->rows[i];
        result_row_finish(&row->result);
        if (row->result.status == ATTN_OK && status == ATTN_OK)
            status = gbench_keep(m->b->engine, row->id, why);
        status = bench_store_one(m->b, row, status, why);
    }
    return status;
}

/* The memory goes back to the groups, which come next. */
static void release_rows(machine *m, double roof_bytes)
{
    for (size_t i = 0; i < m->count; i++) {
        if (m->rows[i].roof->release != NULL)
            m->rows[i].roof->release(m->rows[i].roof);
        free(m->rows[i].name);
        result_row_free(&m->rows[i].result);
    }
    m->b->roof_bytes = roof_bytes;
    free(m->rows);
}

attn_status bench_machine(bench *b, attn_reason *why)
{
    machine m = {.b = b,
                 .seconds = fmin(BENCH_MACHINE_SHARE * b->budget_s, BENCH_MACHINE_S),
                 .start_s = clock_seconds()};
    const double roof_bytes = b->roof_bytes;
    attn_status status = attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    if (list_rows(&m) && bench_make_room(b, m.count)) {
        calibrate_rows(&m);
        size_windows(&m);
        const double start = clock_seconds();
        sample_rows(&m);
        b->left_s -= clock_seconds() - start;
        status = keep_rows(&m, why);
    }
    release_rows(&m, roof_bytes);
    return status;
}
