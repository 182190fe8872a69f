/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "attn/clock.h"
#include "harness/bench.h"
#include "harness/job.h"

#define SHORTEST_CALL_S 2e-3
#define LONGEST_CALL_S  0.1
#define MOST_WORK       (UINT64_C(1) << 50)

uint64_t *bench_roof_work(bench_row *row)
{
    return attn_roof_moves(row->roof->kind) ? &row->result.bytes : &row->result.flops;
}

bool bench_reads_memory(const attn_workload *w, const attn_roof *roof, unsigned threads)
{
    const double bytes = (double)attn_bytes(w);
    const double caches = roof->cache_bytes ? (double)roof->cache_bytes(roof, threads) : 0;
    return (double)attn_flops(w) < BENCH_READ_INTENSITY * bytes &&
           bytes > BENCH_READ_CACHES * caches;
}

/* Seconds of one call; NAN when it failed, which closes the row. */
static double call_s(bench_row *row, uint64_t work, uint64_t *done)
{
    attn_timing timing = {NAN};
    attn_reason why;
    double start = clock_seconds();
    attn_status status = row->roof->run(row->roof, row->result.threads, work, done, &timing, &why);
    double wall = clock_seconds() - start;
    if (status != ATTN_OK) {
        bench_close_row(row, status, "%s", why.text);
        return NAN;
    }
    row->result.warmup++;
    row->device_clock = isfinite(timing.device_s) && timing.device_s > 0;
    return row->device_clock ? timing.device_s : wall;
}

/* Raises the work until more of it does not raise the rate any more: then neither the cost of a
 * call nor a wait for a busy core decides how long the windows of this roof will be. */
static void calibrate(bench *b, bench_row *row)
{
    double started = clock_seconds(), rate = 0;
    uint64_t work = 10000000, done;
    bool rising = true;
    call_s(row, 1, &done); /* the first call may allocate */
    row->run_s = 0;
    while (row->open && (row->run_s < SHORTEST_CALL_S || rising) && row->run_s < LONGEST_CALL_S &&
           work < MOST_WORK) {
        row->run_s = call_s(row, work, &done);
        *bench_roof_work(row) = done;
        rising = (double)done / row->run_s > 1.5 * rate;
        rate = (double)done / row->run_s;
        work *= 4;
    }
    /* Others may have had the core in the meantime. */
    for (int again = 0; again < 2 && row->open; again++)
        row->run_s = fmin(row->run_s, call_s(row, *bench_roof_work(row), &done));
    row->result.clock = row->device_clock ? "gpu_timestamp" : "wall";
    if (row->open && !(row->run_s > 0))
        bench_close_row(row, ATTN_ERROR, "zero elapsed ticks on the %s clock", row->result.clock);
    b->left_s -= clock_seconds() - started;
}

unsigned bench_roof_threads(const attn_roof *roof, unsigned threads)
{
    return threads > 1 && !roof->threaded ? 1 : threads;
}

bool bench_roof_row(bench *b, bench_row *row, const attn_roof *roof, unsigned threads,
                    const attn_kernel *judged, const attn_workload *w)
{
    bench_row_init(b, row, w);
    row->roof = roof;
    row->result.kernel = roof->name;
    row->result.roof = true;
    row->result.bound = roof->kind;
    row->result.level = roof->level;
    row->result.contract = roof->contract;
    row->result.threads = bench_roof_threads(roof, threads);
    row->result.device = judged->device;
    row->result.device_name = judged->device_name;
    row->result.software = judged->software;
    row->name = bench_row_name(roof->name, w, row->result.threads);
    return row->name != NULL;
}

/* What a run of the row's roof would take now. */
static double roof_bytes(const bench_row *row)
{
    return row->roof->bytes ? (double)row->roof->bytes(row->roof, row->result.threads) : 0;
}

double bench_roof_start(bench *b, bench_row *row, double used)
{
    attn_reason why;
    const double needed = roof_bytes(row);
    if (job_memory_fits(needed, used, &why) == ATTN_OK)
        calibrate(b, row);
    else
        bench_close_row(row, ATTN_SKIPPED, "%s", why.text);
    const double taken = needed - roof_bytes(row);
    b->roof_bytes += taken;
    return taken;
}

static bool add_roof(bench *b, bench_group *g, const attn_roof *roof, const bench_row *judged)
{
    bench_row *row = &g->roofs[g->roof_count];
    if (!bench_roof_row(b, row, roof, judged->result.threads, judged->lane->kernel, &g->workload))
        return false;
    row->id = (size_t)(g - b->groups) * bench_most_rows(b) + b->lane_count + g->roof_count;
    g->roof_count++;
    g->bytes_used += bench_roof_start(b, row, g->bytes_used);
    return true;
}

/* Index of the group's row of this roof for the threads of `judged`, added where there is none yet;
 * SIZE_MAX when out of memory. */
static size_t find_roof(bench *b, bench_group *g, const attn_roof *roof, const bench_row *judged)
{
    size_t r = 0;
    while (r < g->roof_count &&
           !(g->roofs[r].roof == roof &&
             g->roofs[r].result.threads == bench_roof_threads(roof, judged->result.threads)))
        r++;
    return r < g->roof_count || add_roof(b, g, roof, judged) ? r : SIZE_MAX;
}

const attn_roof *bench_judge(const bench *b, const bench_row *row, attn_roof_kind kind)
{
    const attn_roof *roof = registry_roof(b->kernels, row->lane->kernel, kind);
    const bool judges =
        roof != NULL && (kind == ATTN_ROOF_MAC ||
                         (kind == ATTN_ROOF_READ &&
                          bench_reads_memory(row->result.workload, roof, row->result.threads)));
    return judges ? roof : NULL;
}

void bench_roofs(bench *b, bench_group *g)
{
    g->roofs = calloc(ATTN_ROOFS * b->lane_count, sizeof *g->roofs);
    g->roof_count = 0;
    for (size_t l = 0; g->roofs != NULL && l < b->lane_count; l++) {
        bench_row *row = &g->rows[l];
        for (int kind = 0; row->open && kind < ATTN_ROOFS; kind++) {
            const attn_roof *roof = bench_judge(b, row, (attn_roof_kind)kind);
            if (roof != NULL)
                row->judge[kind] = find_roof(b, g, roof, row);
        }
    }
}
