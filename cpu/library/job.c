/* SPDX-License-Identifier: Apache-2.0
 *
 * What a user of a library does around it: 16-bit tensors that it does not multiply are widened in
 * every run.
 */
#include <stdlib.h>

#include "attn/tensor.h"
#include "cpu/frame.h"
#include "cpu/library/library.h"
#include "cpu/library/vectors.h"

enum { TENSORS = 3, WIDEN_AT_ONCE = 4096 };

typedef struct widened {
    const uint16_t *from;
    float *to; /* owned; NULL: not widened */
    uint64_t count;
} widened;

struct attn_job {
    attn_job *framed; /* the frame's job on f32 tensors: another struct behind the same name */
    widened tensor[TENSORS];
    void (*widen)(const uint16_t *from, size_t count, float *to);
    int threads;
};

static attn_workload in_f32(const attn_workload *w)
{
    attn_workload wide = *w;
    wide.dtype = ATTN_F32;
    return wide;
}

static attn_status supports(const attn_kernel *kernel, const attn_workload *w, attn_reason *why)
{
    const attn_workload wide = in_f32(w);
    return cpu_kernel_ops.supports(kernel, &wide, why);
}

static void release(attn_job *job)
{
    if (!job)
        return;
    if (job->framed)
        cpu_kernel_ops.release(job->framed);
    for (int i = 0; i < TENSORS; i++)
        attn_free(job->tensor[i].to);
    free(job);
}

/* An f32 copy takes the tensor's place. */
static attn_status replace(widened *t, void **tensor, uint64_t count, attn_reason *why)
{
    *t = (widened){*tensor, attn_alloc(count * sizeof(float)), count};
    *tensor = t->to;
    return t->to ? ATTN_OK
                 : attn_because(why, ATTN_OUT_OF_MEMORY,
                                "no memory for f32 copies of 16-bit tensors");
}

/* Makes f32 of everything that the library does not multiply as it is. *framed receives what the
 * frame shall run, wide and inputs what it shall see. */
static attn_status widen_inputs(attn_job *job, const attn_kernel *kernel, attn_kernel *framed,
                                attn_workload *wide, attn_inputs *inputs, attn_reason *why)
{
    const library_impl *impl = kernel->impl;
    const cpu_kernel_impl *pairs =
        wide->dtype == ATTN_BF16 && wide->d % 2 == 0 && impl->bf16 ? impl->bf16() : NULL;
    const library_vectors *vectors = library_usable_vectors();
    attn_status status = ATTN_OK;
    job->widen = wide->dtype == ATTN_F16 ? vectors->widen_f16 : vectors->widen_bf16;
    if (wide->dtype != ATTN_F32) {
        status = replace(&job->tensor[0], &inputs->v, attn_v_elements(wide), why);
        if (status == ATTN_OK && !pairs)
            status = replace(&job->tensor[1], &inputs->q, attn_q_elements(wide), why);
        if (status == ATTN_OK && !pairs)
            status = replace(&job->tensor[2], &inputs->k, attn_k_elements(wide), why);
    }
    wide->dtype = ATTN_F32;
    *framed = *kernel;
    if (pairs) {
        framed->impl = pairs;
        wide->d /= 2; /* two bf16 are one element of four bytes */
    }
    return status;
}

static attn_status prepare(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                           unsigned threads, attn_job **result, attn_reason *why)
{
    const library_impl *impl = kernel->impl;
    attn_kernel framed;
    attn_workload wide = *w;
    attn_inputs inputs = *in;
    attn_status status = supports(kernel, w, why);
    if (status != ATTN_OK)
        return status;
    attn_job *job = calloc(1, sizeof *job);
    if (!job)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a job");
    job->threads = threads < 1 ? 1 : (int)threads;
    if (impl->start)
        impl->start();
    status = widen_inputs(job, kernel, &framed, &wide, &inputs, why);
    if (status == ATTN_OK)
        status = cpu_kernel_ops.prepare(&framed, &wide, &inputs, threads, &job->framed, why);
    if (status == ATTN_OK)
        *result = job;
    else
        release(job);
    return status;
}

static void widen(const attn_job *job, const widened *t)
{
    const int64_t parts = (int64_t)((t->count + WIDEN_AT_ONCE - 1) / WIDEN_AT_ONCE);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(job->threads)
#endif
    for (int64_t part = 0; part < parts; part++) {
        const uint64_t first = (uint64_t)part * WIDEN_AT_ONCE, left = t->count - first;
        job->widen(t->from + first, left < WIDEN_AT_ONCE ? left : WIDEN_AT_ONCE, t->to + first);
    }
}

static attn_status run(attn_job *job, attn_timing *timing, attn_reason *why)
{
    for (int i = 0; i < TENSORS; i++)
        if (job->tensor[i].to)
            widen(job, &job->tensor[i]);
    return cpu_kernel_ops.run(job->framed, timing, why);
}

static attn_status fetch(attn_job *job, float *out, attn_reason *why)
{
    return cpu_kernel_ops.fetch(job->framed, out, why);
}

static void facts(const attn_job *job, attn_job_facts *known)
{
    cpu_kernel_ops.facts(job->framed, known);
    for (int i = 0; i < TENSORS; i++)
        known->extra_bytes += job->tensor[i].count * sizeof(float);
}

const attn_kernel_ops library_kernel_ops = {.supports = supports,
                                            .prepare = prepare,
                                            .run = run,
                                            .fetch = fetch,
                                            .facts = facts,
                                            .release = release};
