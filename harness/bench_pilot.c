/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "attn/clock.h"
#include "harness/bench.h"

enum { PILOT_N = 256, PILOT_M = 16384, SMALL_ENOUGH = 4 };

/* One head and a square; or, where the row has few queries, as few on many keys, by all query heads
 * of a key head: the rate of few queries says little about that of many. */
static attn_workload small_workload(const attn_workload *w)
{
    attn_workload small = attn_workload_default(PILOT_N, w->d);
    small.h = small.hk = 1;
    small.dv = w->dv;
    small.dtype = w->dtype;
    if (w->n < PILOT_N) {
        small.h = w->h / w->hk;
        small.n = w->n;
        small.m = PILOT_N * PILOT_N / w->n < PILOT_M ? PILOT_N * PILOT_N / w->n : PILOT_M;
        small.split = w->split;
    }
    return small;
}

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
    const attn_workload small = small_workload(w);
    uint64_t flops = attn_flops(&small);
    if (isfinite(row->lane->s_per_flop) || attn_flops(w) <= SMALL_ENOUGH * flops)
        return;
    double start = clock_seconds();
    row->lane->s_per_flop = second_run_s(row->lane, &small, b->seed) / (double)flops;
    b->left_s -= clock_seconds() - start;
}
