/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "harness/bench.h"
#include "harness/clock.h"

#define SHORTEST_CALL_S 2e-3
#define LONGEST_CALL_S  0.1
#define MOST_FLOPS      (UINT64_C(1) << 50)

/* Seconds of one call; NAN when it failed, which closes the row. */
static double call_s(bench_row *row, uint64_t flops, uint64_t *done)
{
    attn_timing timing = {NAN};
    attn_reason why;
    double start = clock_seconds();
    attn_status status = row->roof->run(row->roof, row->result.threads, flops, done, &timing, &why);
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
    uint64_t flops = 10000000;
    bool rising = true;
    while (row->open && (row->run_s < SHORTEST_CALL_S || rising) && row->run_s < LONGEST_CALL_S &&
           flops < MOST_FLOPS) {
        uint64_t done = 0;
        row->run_s = call_s(row, flops, &done);
        row->result.flops = done;
        rising = (double)done / row->run_s > 1.5 * rate;
        rate = (double)done / row->run_s;
        flops *= 4;
    }
    row->result.clock = row->device_clock ? "gpu_timestamp" : "wall";
    if (row->open && !(row->run_s > 0))
        bench_close_row(row, ATTN_ERROR, "zero elapsed ticks on the %s clock", row->result.clock);
    b->left_s -= clock_seconds() - started;
}

/* 0 on a GPU, where threads do not apply. */
static unsigned roof_threads(const attn_roof *roof, const bench_row *judged)
{
    unsigned threads = judged->result.threads;
    return threads > 1 && !roof->threaded ? 1 : threads;
}

static bool add_roof(bench *b, bench_group *g, const attn_roof *roof, const bench_row *judged)
{
    bench_row *row = &g->roofs[g->roof_count];
    bench_row_init(b, row, &g->workload);
    row->roof = roof;
    row->id = (size_t)(g - b->groups) * 2 * b->lane_count + b->lane_count + g->roof_count;
    row->result.kernel = roof->name;
    row->result.roof = true;
    row->result.contract = roof->contract;
    row->result.threads = roof_threads(roof, judged);
    row->result.device = judged->result.device;
    row->result.device_name = judged->result.device_name;
    row->result.software = judged->result.software;
    row->name = bench_row_name(roof->name, &g->workload, row->result.threads);
    if (row->name == NULL)
        return false;
    g->roof_count++;
    row->run_s = 0;
    calibrate(b, row);
    return true;
}

void bench_roofs(bench *b, bench_group *g)
{
    g->roofs = calloc(b->lane_count, sizeof *g->roofs);
    g->roof_count = 0;
    for (size_t l = 0; g->roofs != NULL && l < b->lane_count; l++) {
        bench_row *row = &g->rows[l];
        const attn_roof *roof = row->open ? registry_roof(b->kernels, row->lane->kernel) : NULL;
        if (roof == NULL)
            continue;
        size_t r = 0;
        while (r < g->roof_count &&
               !(g->roofs[r].roof == roof && g->roofs[r].result.threads == roof_threads(roof, row)))
            r++;
        if (r < g->roof_count || add_roof(b, g, roof, row))
            row->judge = r;
    }
}
