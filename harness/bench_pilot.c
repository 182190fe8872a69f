/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "harness/bench.h"
#include "harness/clock.h"

enum { PILOT_N = 256, SMALL_ENOUGH = 4 };

/* Seconds of the second run; NAN when the kernel cannot do the pilot. */
static double second_run_s(const bench_lane *lane, const attn_workload *w, uint32_t seed)
{
    const attn_kernel_ops *ops = lane->kernel->ops;
    attn_job *job = NULL;
    attn_inputs inputs;
    attn_timing timing;
    double seconds = NAN;
    if (ops->supports(lane->kernel, w, NULL) != ATTN_OK ||
        attn_inputs_make(w, ATTN_GEN_NORMAL, seed, &inputs, NULL) != ATTN_OK)
        return NAN;
    if (ops->prepare(lane->kernel, w, &inputs, lane->threads, &job, NULL) == ATTN_OK) {
        if (ops->run(job, &timing, NULL) == ATTN_OK) {
            double start = clock_seconds();
            if (ops->run(job, &timing, NULL) == ATTN_OK)
                seconds = clock_seconds() - start;
        }
        ops->release(job);
    }
    attn_inputs_free(&inputs);
    return seconds;
}

void bench_pilot(bench *b, bench_row *row)
{
    const attn_workload *w = row->result.workload;
    attn_workload small = attn_workload_default(PILOT_N, w->d);
    small.h = small.hk = 1;
    small.dv = w->dv;
    small.dtype = w->dtype;
    uint64_t flops = attn_flops(&small);
    if (isfinite(row->lane->s_per_flop) || attn_flops(w) <= SMALL_ENOUGH * flops)
        return;
    double start = clock_seconds();
    row->lane->s_per_flop = second_run_s(row->lane, &small, b->seed) / (double)flops;
    b->left_s -= clock_seconds() - start;
}
