/* SPDX-License-Identifier: Apache-2.0
 *
 * What does the harness add to a kernel of 100 us? Its samples, as `attnmark bench` takes them
 * through Google Benchmark, against a bare timing loop around the same function, in one process,
 * in turn. Exit status 1 when it is 1 % or more for sure.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/clock.h"
#include "harness/bench.h"
#include "harness/stats.h"

#define KERNEL_S 100e-6
#define ALLOWED  0.01

enum { ROUNDS = 300 };

static uint64_t steps = 1000;
static volatile double sink;

static attn_status run(attn_job *job, attn_timing *timing, attn_reason *why)
{
    (void)job, (void)timing, (void)why;
    double x = 1.000001;
    for (uint64_t i = 0; i < steps; i++)
        x = x * 0.999999 + 1e-7; /* each step waits for the one before: no clock rate wins */
    sink = x;
    return ATTN_OK;
}

static double bare_s(uint64_t batch)
{
    const double start = clock_seconds();
    for (uint64_t i = 0; i < batch; i++)
        run(NULL, NULL, NULL);
    return (clock_seconds() - start) / (double)batch;
}

static void calibrate(void)
{
    double fastest = INFINITY;
    steps = 200000;
    for (int i = 0; i < 100; i++)
        fastest = fmin(fastest, bare_s(1));
    steps = (uint64_t)((double)steps * KERNEL_S / fastest);
}

/* One sample by the harness. */
static double harness_s(gbench *engine, bench_row *row, uint64_t batch)
{
    attn_reason why;
    gbench_item item = {.name = "spin/n=1/threads:1",
                        .label = "cpu",
                        .batch = batch,
                        .run = bench_run_kernel,
                        .sample = bench_take_sample,
                        .context = row};
    const size_t before = row->result.samples;
    if (gbench_run(engine, &item, 1, &why) != ATTN_OK || row->result.samples != before + 1) {
        fprintf(stderr, "overhead: %s %s\n", why.text, row->result.why.text);
        exit(2);
    }
    return 1e-9 * row->result.samples_ns[before];
}

/* Prints a line; false when the overhead is too high for sure. */
static bool compare(gbench *engine, bench_row *row, uint64_t batch)
{
    double with[ROUNDS], without[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        /* Neither is always the first after the other. */
        if (i % 2 == 0)
            with[i] = harness_s(engine, row, batch);
        without[i] = bare_s(batch);
        if (i % 2 == 1)
            with[i] = harness_s(engine, row, batch);
    }
    const stats_ratio ratio = stats_median_ratio(with, ROUNDS, without, ROUNDS, 1);
    printf("%3u runs in a sample: bare loop %.2f us, harness %+.3f %% [%+.3f, %+.3f]\n",
           (unsigned)batch, 1e6 * stats_median_interval(without, ROUNDS).median,
           100 * (ratio.value - 1), 100 * (ratio.low - 1), 100 * (ratio.high - 1));
    return ratio.low - 1 < ALLOWED;
}

int main(void)
{
    const attn_kernel_ops ops = {.run = run};
    const attn_kernel kernel = {.name = "spin", .device = "cpu", .device_name = "", .ops = &ops};
    const attn_workload workload = attn_workload_default(1, 1);
    bench b = {.start_s = clock_seconds()};
    bench_lane lane = {.kernel = &kernel};
    bench_row row = {.owner = &b, .open = true, .lane = &lane};
    attn_reason why;
    result_row_init(&row.result);
    row.result.kernel = kernel.name;
    row.result.workload = &workload;
    row.result.clock = "wall";
    if (gbench_open(0, NULL, &b.engine, &why) != ATTN_OK) {
        fprintf(stderr, "overhead: %s\n", why.text);
        return 2;
    }
    calibrate();
    const bool single = compare(b.engine, &row, 1), batched = compare(b.engine, &row, 100);
    gbench_close(b.engine);
    result_row_free(&row.result);
    return single && batched ? 0 : 1;
}
