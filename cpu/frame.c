/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are independent, so tiles are dealt to threads in any order: the bits cannot change.
 */
#include "cpu/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "cpu/tile.h"

struct attn_job {
    const cpu_kernel_impl *impl;
    attn_workload w;
    attn_inputs in;
    float s2;
    uint32_t tile_q;
    unsigned threads;
    attn_span *spans;
    float *out;
    char *scratch;
    size_t scratch_stride; /* bytes between the scratch of two threads */
};

/* Threads that a parallel region can have; OMP_THREAD_LIMIT lowers it. */
static unsigned most_threads(void)
{
#ifdef _OPENMP
    return (unsigned)omp_get_thread_limit();
#else
    return 1;
#endif
}

unsigned cpu_default_threads(void)
{
#ifdef _OPENMP
    const unsigned wanted = (unsigned)omp_get_max_threads();
    return wanted < most_threads() ? wanted : most_threads();
#else
    return 1;
#endif
}

static attn_status supports(const attn_kernel *kernel, const attn_workload *w, attn_reason *why)
{
    if (kernel->unavailable)
        return attn_because(why, ATTN_UNAVAILABLE, "%s", kernel->unavailable);
    const bool wide = w->dtype == ATTN_F32;
    if (wide != (kernel->contract != ATTN_CONTRACT_X))
        return attn_because(why, ATTN_UNSUPPORTED, "contract %s takes %s, not %s",
                            attn_contract_name(kernel->contract), wide ? "f16 or bf16" : "f32",
                            attn_dtype_name(w->dtype));
    return ATTN_OK;
}

static void release(attn_job *job)
{
    if (!job)
        return;
    attn_free(job->spans);
    attn_free(job->out);
    attn_free(job->scratch);
    free(job);
}

/* Refuses what the machine cannot hold before a system that overcommits kills the program. */
static attn_status check_memory(uint64_t bytes, attn_reason *why)
{
    const double physical = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (physical > 0 && (double)bytes > 0.8 * physical)
        return attn_because(why, ATTN_OUT_OF_MEMORY,
                            "needs %.1f GiB of scratch and output, the machine has %.1f GiB",
                            (double)bytes / 0x1p30, physical / 0x1p30);
    return ATTN_OK;
}

static attn_status prepare(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                           unsigned threads, attn_job **result, attn_reason *why)
{
    attn_status status = supports(kernel, w, why);
    if (status != ATTN_OK)
        return status;
    const cpu_kernel_impl *impl = kernel->impl;
    const size_t out = attn_out_elements(w), stride = (impl->scratch(w) + 127) / 64 * 64;
    if (threads < 1)
        threads = 1;
    if (threads > most_threads())
        return attn_because(why, ATTN_UNSUPPORTED, "needs %u threads, at most %u here", threads,
                            most_threads());
    status = check_memory(out * sizeof(float) + (uint64_t)stride * threads, why);
    if (status != ATTN_OK)
        return status;

    attn_job *job = calloc(1, sizeof *job);
    if (!job)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a job");
    *job = (attn_job){.impl = impl,
                      .w = *w,
                      .in = *in,
                      .s2 = attn_workload_s2(w),
                      .tile_q = kernel->tile_q ? kernel->tile_q : w->n,
                      .threads = threads,
                      .spans = attn_alloc(attn_mask_rows(w) * sizeof(attn_span)),
                      .out = attn_alloc(out * sizeof(float)),
                      .scratch = attn_alloc(stride * threads),
                      .scratch_stride = stride};
    if (!job->spans || !job->out || !job->scratch) {
        release(job);
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for scratch and output");
    }
    attn_mask_table(w, job->spans);
    for (size_t i = 0; i < out; i++)
        job->out[i] = -12345.0f; /* a row that no kernel writes must not pass for 0 */
    *result = job;
    return ATTN_OK;
}

/* Tile number `item` of all tiles of all heads. */
static void run_tile(const attn_job *job, uint64_t item, uint32_t tiles, unsigned thread)
{
    const attn_workload *w = &job->w;
    const size_t size = attn_dtype_size(w->dtype);
    const uint64_t head = item / tiles; /* of b * h */
    const uint64_t key_head = head / w->h * w->hk + head % w->h / (w->h / w->hk);
    const uint32_t row = (uint32_t)(item % tiles) * job->tile_q;
    const cpu_tile tile = {
        .w = w,
        .q = (const char *)job->in.q + (head * w->n + row) * w->d * size,
        .k = (const char *)job->in.k + key_head * w->m * w->d * size,
        .v = (const char *)job->in.v + key_head * w->m * w->dv * size,
        .out = job->out + (head * w->n + row) * w->dv,
        .spans = job->spans + head / w->h * attn_mask_stride(w) + row,
        .rows = w->n - row < job->tile_q ? w->n - row : job->tile_q,
        .s2 = job->s2,
        .scratch = job->scratch + thread * job->scratch_stride,
    };
    job->impl->tile(&tile);
}

static attn_status run(attn_job *job, attn_timing *timing, attn_reason *why)
{
    (void)why;
    const uint32_t tiles = (job->w.n + job->tile_q - 1) / job->tile_q;
    const int64_t items = (int64_t)job->w.b * job->w.h * tiles;
#ifdef _OPENMP
    omp_set_dynamic(0); /* as many threads as the row says, whatever OMP_DYNAMIC is */
#endif
    /* Later tiles see more keys under causal masks: they go first, so that threads end together. */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)job->threads)
#endif
    for (int64_t item = items - 1; item >= 0; item--) {
#ifdef _OPENMP
        run_tile(job, (uint64_t)item, tiles, (unsigned)omp_get_thread_num());
#else
        run_tile(job, (uint64_t)item, tiles, 0);
#endif
    }
    timing->device_s = NAN;
    return ATTN_OK;
}

static attn_status fetch(attn_job *job, float *out, attn_reason *why)
{
    (void)why;
    memcpy(out, job->out, attn_out_elements(&job->w) * sizeof(float));
    return ATTN_OK;
}

static uint64_t extra_bytes(const attn_job *job)
{
    return (uint64_t)job->scratch_stride * job->threads +
           attn_mask_rows(&job->w) * sizeof(attn_span);
}

const attn_kernel_ops cpu_kernel_ops = {supports, prepare, run, fetch, extra_bytes, release};
