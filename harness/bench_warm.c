/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "attn/clock.h"
#include "harness/bench.h"

#define WINDOW_S  0.01 /* of runs whose mean is compared with that of the window before */
#define LEAST_S   0.02
#define MOST_S    0.1 /* a machine that is not stable by then will show it in the samples */
#define STABLE    0.02
#define MOST_RUNS 1000 /* of a kernel whose clock does not move */

/* Runs for so long, or once; the mean time of a run by the host's clock, NAN when one failed. Adds
 * to *device_s. */
static double run_for(bench_row *row, double seconds, double *device_s)
{
    const double start = clock_seconds();
    double elapsed = 0;
    unsigned runs = 0;
    while (runs == 0 || (elapsed < seconds && runs < MOST_RUNS)) {
        if (!bench_run_once(row, row->lane->kernel->ops->run, device_s))
            return NAN;
        runs++;
        elapsed = clock_seconds() - start;
    }
    row->result.warmup += runs;
    return elapsed / runs;
}

void bench_warm_up(bench *b, bench_row *row)
{
    const attn_kernel_ops *ops = row->lane->kernel->ops;
    const double start = clock_seconds();
    double before = NAN, fastest = INFINITY, device_s = 0, spent = 0, unused = 0;
    bool stable = false;
    row->result.warmup = 1; /* verify_job ran it once */
    if (ops->run_empty != NULL)
        bench_run_once(row, ops->run_empty, &unused); /* the first one compiles */
    while (row->open && (spent < LEAST_S || (!stable && spent < MOST_S))) {
        const double mean = run_for(row, WINDOW_S, &device_s);
        stable = fabs(mean / before - 1) <= STABLE;
        before = mean;
        fastest = fmin(fastest, mean); /* others may have had the core in the meantime */
        spent = clock_seconds() - start;
    }
    row->run_s = fastest;
    b->left_s -= spent;
    row->device_clock = isfinite(device_s) && device_s > 0;
    row->result.clock = row->device_clock ? "gpu_timestamp" : "wall";
    if (row->open && row->result.flops > 0)
        row->lane->s_per_flop = row->run_s / (double)row->result.flops;
}
