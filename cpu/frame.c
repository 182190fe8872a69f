/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are independent, so they are dealt to threads in any order: the bits cannot change. Nor do
 * they when threads share the keys of a row split by split: the workload says how large a split
 * is, and the merges keep their order.
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

/* What every thread should have at least, so that they end together. */
#define CALLS_PER_THREAD 4

/* Query heads that share a key head can share tiles where all their rows lie one behind the
 * other. */
typedef struct deal {
    uint32_t heads;  /* query heads whose rows are dealt together: 1, or all of a key head */
    uint32_t rows;   /* of these heads */
    uint32_t tile;   /* rows of a tile */
    uint32_t tiles;  /* for `rows` */
    uint32_t calls;  /* of the kernel, for `rows`: each takes its share of the tiles */
    uint32_t size;   /* most rows of one call */
    uint32_t splits; /* dealt to threads one by one and merged; 0: a call does them all */
    uint64_t groups; /* of `heads` query heads */
} deal;

struct attn_job {
    const cpu_kernel_impl *impl;
    attn_workload w;
    attn_inputs in;
    float s2;
    deal deal;
    unsigned threads;
    attn_span *spans;
    float *out;
    char *states; /* of every split of every call, when they are dealt one by one */
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
    const cpu_kernel_impl *impl = kernel->impl;
    if (impl->tile_q && impl->tile_q != kernel->tile_q)
        return attn_because(why, ATTN_ERROR,
                            "its row in kernels.def has %u queries per tile, its file %u",
                            (unsigned)kernel->tile_q, (unsigned)impl->tile_q);
    return attn_contract_takes(kernel->contract, w->dtype, why);
}

static void release(attn_job *job)
{
    if (!job)
        return;
    attn_free(job->spans);
    attn_free(job->out);
    attn_free(job->states);
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

/* Calls enough for every thread to find work until the end, and no smaller than that needs. */
static deal deal_rows(const attn_kernel *kernel, const attn_workload *w, attn_layout layout,
                      unsigned threads)
{
    const cpu_kernel_impl *impl = kernel->impl;
    const uint32_t tile = kernel->tile_q ? kernel->tile_q : w->n;
    const bool behind = layout == ATTN_LAYOUT_BHND || w->n == 1;
    deal d = {.heads = behind && w->n < impl->few ? w->h / w->hk : 1};
    d.rows = d.heads * w->n;
    d.groups = (uint64_t)w->b * w->h / d.heads;
    d.tile = tile;
    d.tiles = (d.rows + tile - 1) / tile;
    const uint32_t stack = cpu_kernel_stack(impl);
    const uint64_t enough = threads > 1 ? CALLS_PER_THREAD * (uint64_t)threads : 1;
    uint64_t calls = (enough + d.groups - 1) / d.groups;
    if (calls < (d.tiles + stack - 1) / stack)
        calls = (d.tiles + stack - 1) / stack;
    while (d.groups * calls % threads != 0)
        calls++; /* as many for each thread */
    d.calls = calls < d.tiles ? (uint32_t)calls : d.tiles;
    d.size = (d.tiles + d.calls - 1) / d.calls * tile;
    if (w->split && w->split < w->m && impl->part && threads > 1 && d.groups * d.calls < enough)
        d.splits = (w->m + w->split - 1) / w->split;
    return d;
}

/* Sequences with masks of their own. */
static uint32_t sequences(const attn_workload *w)
{
    return (uint32_t)(attn_mask_rows(w) / w->n);
}

/* Of all splits of one call. */
static uint64_t call_states_bytes(const attn_job *job)
{
    const deal *d = &job->deal;
    const uint32_t rows = d->size < d->rows ? d->size : d->rows;
    return d->splits ? d->splits * job->impl->state(&job->w, rows) : 0;
}

static uint64_t states_bytes(const attn_job *job)
{
    return job->deal.groups * job->deal.calls * call_states_bytes(job);
}

/* Allocates what `job` needs beside itself. */
static attn_status allocate(attn_job *job, attn_reason *why)
{
    const attn_workload *w = &job->w;
    const uint64_t out = attn_out_elements(w) * sizeof(float), states = states_bytes(job);
    const size_t spans = (size_t)sequences(w) * job->deal.rows;
    const uint64_t scratch = (uint64_t)job->scratch_stride * job->threads;
    attn_status status = check_memory(out + states + scratch + spans * sizeof(attn_span), why);
    if (status != ATTN_OK)
        return status;
    job->spans = attn_alloc(spans * sizeof(attn_span));
    job->out = attn_alloc(out);
    job->scratch = attn_alloc(scratch);
    job->states = attn_alloc(states);
    if (!job->spans || !job->out || !job->scratch || !job->states)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for scratch and output");
    for (size_t i = 0; i < spans; i++)
        job->spans[i] = attn_mask_row(w, (uint32_t)(i / job->deal.rows), i % job->deal.rows % w->n);
    for (size_t i = 0; i < out / sizeof(float); i++)
        job->out[i] = -12345.0f; /* a row that no kernel writes must not pass for 0 */
    return ATTN_OK;
}

static attn_status prepare(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                           unsigned threads, attn_job **result, attn_reason *why)
{
    attn_status status = supports(kernel, w, why);
    if (status != ATTN_OK)
        return status;
    if (threads < 1)
        threads = 1;
    if (threads > most_threads())
        return attn_because(why, ATTN_UNSUPPORTED, "needs %u threads, at most %u here", threads,
                            most_threads());
    attn_job *job = calloc(1, sizeof *job);
    if (!job)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a job");
    const cpu_kernel_impl *impl = kernel->impl;
    *job = (attn_job){.impl = impl,
                      .w = *w,
                      .in = *in,
                      .s2 = attn_workload_s2(w),
                      .deal = deal_rows(kernel, w, in->layout, threads),
                      .threads = threads,
                      .scratch_stride = (impl->scratch(w) + 127) / 64 * 64};
    status = allocate(job, why);
    if (status == ATTN_OK)
        *result = job;
    else
        release(job);
    return status;
}

/* The rows of call number `call` of all groups. */
static cpu_tile tile_of(const attn_job *job, uint64_t call, unsigned thread)
{
    const attn_workload *w = &job->w;
    const deal *d = &job->deal;
    const uint64_t first = call / d->calls * d->heads; /* of b * h heads */
    const uint32_t batch = (uint32_t)(first / w->h), head = (uint32_t)(first % w->h);
    const uint64_t share = call % d->calls;
    const uint32_t row = (uint32_t)(share * d->tiles / d->calls) * d->tile;
    const uint64_t end = (share + 1) * d->tiles / d->calls * d->tile;
    const uint64_t sequence = sequences(w) > 1 ? batch : 0;
    const attn_rows q = attn_inputs_rows(w, &job->in, ATTN_TENSOR_Q, batch, head, 0);
    const attn_rows k = attn_inputs_rows(w, &job->in, ATTN_TENSOR_K, batch, head, 0);
    const attn_rows v = attn_inputs_rows(w, &job->in, ATTN_TENSOR_V, batch, head, 0);
    const size_t q_stride = d->heads > 1 ? w->d : q.stride;
    return (cpu_tile){
        .w = w,
        .q = (const char *)q.first + row * q_stride * attn_dtype_size(w->dtype),
        .k = k.first,
        .v = v.first,
        .q_stride = q_stride,
        .k_stride = k.stride,
        .v_stride = v.stride,
        .out = job->out + (first * w->n + row) * w->dv,
        .spans = job->spans + sequence * d->rows + row,
        .rows = (uint32_t)(end < d->rows ? end : d->rows) - row,
        .s2 = job->s2,
        .scratch = job->scratch + thread * job->scratch_stride,
    };
}

static unsigned thread_number(void)
{
#ifdef _OPENMP
    return (unsigned)omp_get_thread_num();
#else
    return 0;
#endif
}

/* Later rows see more keys under causal masks: they go first, so that threads end together. */
static void run_calls(const attn_job *job)
{
    const int64_t calls = (int64_t)(job->deal.groups * job->deal.calls);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)job->threads)
#endif
    for (int64_t call = calls - 1; call >= 0; call--) {
        const cpu_tile tile = tile_of(job, (uint64_t)call, thread_number());
        job->impl->tile(&tile);
    }
}

static void run_splits(const attn_job *job)
{
    const cpu_kernel_impl *impl = job->impl;
    const uint32_t splits = job->deal.splits;
    const int64_t calls = (int64_t)(job->deal.groups * job->deal.calls);
    const uint64_t bytes = call_states_bytes(job);
#ifdef _OPENMP
#pragma omp parallel num_threads((int)job->threads)
#endif
    {
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
        for (int64_t part = 0; part < calls * splits; part++) {
            const uint64_t call = (uint64_t)part / splits, split = (uint64_t)part % splits;
            const cpu_tile tile = tile_of(job, call, thread_number());
            impl->part(&tile, (uint32_t)split,
                       job->states + call * bytes + split * impl->state(&job->w, tile.rows));
        }
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
        for (int64_t call = 0; call < calls; call++) {
            const cpu_tile tile = tile_of(job, (uint64_t)call, thread_number());
            impl->merge(&tile, job->states + (size_t)call * bytes, splits);
        }
    }
}

static attn_status run(attn_job *job, attn_timing *timing, attn_reason *why)
{
    (void)why;
#ifdef _OPENMP
    omp_set_dynamic(0); /* as many threads as the row says, whatever OMP_DYNAMIC is */
#endif
    if (job->deal.splits)
        run_splits(job);
    else
        run_calls(job);
    timing->device_s = NAN;
    return ATTN_OK;
}

static attn_status fetch(attn_job *job, float *out, attn_reason *why)
{
    (void)why;
    memcpy(out, job->out, attn_out_elements(&job->w) * sizeof(float));
    return ATTN_OK;
}

static void facts(const attn_job *job, attn_job_facts *known)
{
    *known = (attn_job_facts){.extra_bytes =
                                  (uint64_t)job->scratch_stride * job->threads + states_bytes(job) +
                                  (uint64_t)sequences(&job->w) * job->deal.rows * sizeof(attn_span),
                              .compile_s = NAN};
}

const attn_kernel_ops cpu_kernel_ops = {.supports = supports,
                                        .prepare = prepare,
                                        .run = run,
                                        .fetch = fetch,
                                        .facts = facts,
                                        .release = release};
