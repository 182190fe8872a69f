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

/* Seconds of the second run; NAN when the kernel does not support the pilot. */
static attn_status second_run(const bench_lane *lane, const attn_workload *w, uint32_t seed,
                              double *seconds, attn_reason *why)
{
    const attn_kernel_ops *ops = lane->kernel->ops;
    attn_job *job = NULL;
    attn_inputs inputs;
    attn_timing timing;
    *seconds = NAN;
    if (ops->supports(lane->kernel, w, NULL) != ATTN_OK)
        return ATTN_OK;
    attn_status status = attn_inputs_make(w, ATTN_GEN_NORMAL, seed, &inputs, why);
    if (status != ATTN_OK)
        return status;
    status = ops->prepare(lane->kernel, w, &inputs, lane->threads, &job, why);
    if (status == ATTN_OK) {
        status = ops->run(job, &timing, why);
        double start = clock_seconds();
        if (status == ATTN_OK)
            status = ops->run(job, &timing, why);
        if (status == ATTN_OK)
            *seconds = clock_seconds() - start;
        ops->release(job);
    }
    attn_inputs_free(&inputs);
    return status;
}

void bench_pilot(bench *b, bench_row *row)
{
    const attn_workload *w = row->result.workload;
    const attn_workload small = small_workload(w);
    uint64_t flops = attn_flops(&small);
    if (isfinite(row->lane->s_per_flop) || attn_flops(w) <= SMALL_ENOUGH * flops)
        return;
    double start = clock_seconds(), seconds;
    attn_reason why;
    attn_status status = second_run(row->lane, &small, b->seed, &seconds, &why);
    row->lane->s_per_flop = seconds / (double)flops;
    if (status != ATTN_OK)
        bench_close_row(row, status, "on a smaller problem: %s", why.text);
    b->left_s -= clock_seconds() - start;
}
