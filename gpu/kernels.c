/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/kernels.h"

#include <stdlib.h>

#include "attn/tensor.h"
#include "gpu/program.h"
#include "gpu/rows.h"

/* Bytes behind each tensor that a kernel could touch by mistake: behind q, k and v they hold NaN,
 * behind the output the sentinel, which fetch checks. One block of keys of the largest head. */
#define TAIL_BYTES (4 * (uint64_t)ATTN_BK * GPU_MAX_HEAD_SIZE)

struct attn_job {
    gpu_context *device;
    gpu_program program;
    gpu_buffer buffers[BIND_BUFFERS];
    uint64_t out_bytes, extra_bytes;
};

static attn_status make_plan(const attn_kernel *kernel, const attn_workload *w, gpu_plan *plan,
                             attn_reason *why)
{
    const gpu_row *row = kernel->impl;
    const gpu_context *device = kernel->context;
    if (kernel->unavailable)
        return attn_because(why, ATTN_UNAVAILABLE, "%s", kernel->unavailable);
    return row->plan(row, &device->limits, w, plan, why);
}

static attn_status supports(const attn_kernel *kernel, const attn_workload *w, attn_reason *why)
{
    gpu_plan plan;
    const attn_status status = make_plan(kernel, w, &plan, why);
    if (status == ATTN_OK)
        gpu_plan_free(&plan);
    return status;
}

/* Opens a buffer of `bytes` and a tail of `word`, and uploads `from` unless it is NULL. */
static attn_status open_tensor(attn_job *job, uint32_t binding, const void *from, uint64_t bytes,
                               uint32_t word, attn_reason *why)
{
    gpu_buffer *buffer = &job->buffers[binding];
    const uint64_t room = job->device->limits.range - bytes;
    const uint64_t tail = room < TAIL_BYTES ? room / 4 * 4 : TAIL_BYTES;
    const uint64_t fill_from = from ? bytes : 0;

    attn_status status = gpu_buffer_open(job->device, bytes + tail, buffer, why);
    if (status == ATTN_OK && from)
        status = gpu_buffer_write(job->device, buffer, 0, from, bytes, why);
    if (status == ATTN_OK && bytes + tail > fill_from)
        status =
            gpu_buffer_fill(job->device, buffer, fill_from, bytes + tail - fill_from, word, why);
    job->extra_bytes += tail;
    return status;
}

static attn_status open_spans(attn_job *job, const attn_workload *w, attn_reason *why)
{
    const uint64_t bytes = attn_mask_rows(w) * sizeof(attn_span);
    attn_span *table = attn_alloc(bytes);
    if (!table)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the mask's table");
    attn_mask_table(w, table);
    gpu_buffer *buffer = &job->buffers[BIND_SPANS];
    attn_status status = gpu_buffer_open(job->device, bytes, buffer, why);
    if (status == ATTN_OK)
        status = gpu_buffer_write(job->device, buffer, 0, table, bytes, why);
    attn_free(table);
    job->extra_bytes += bytes;
    return status;
}

static attn_status open_buffers(attn_job *job, const attn_workload *w, const attn_inputs *in,
                                uint64_t scratch, attn_reason *why)
{
    attn_status status =
        open_tensor(job, BIND_Q, in->q, 4 * attn_q_elements(w), ATTN_NAN_BITS, why);
    if (status == ATTN_OK)
        status = open_tensor(job, BIND_K, in->k, 4 * attn_k_elements(w), ATTN_NAN_BITS, why);
    if (status == ATTN_OK)
        status = open_tensor(job, BIND_V, in->v, 4 * attn_v_elements(w), ATTN_NAN_BITS, why);
    if (status == ATTN_OK)
        status = open_tensor(job, BIND_OUT, NULL, job->out_bytes, GPU_SENTINEL, why);
    if (status == ATTN_OK)
        status = open_spans(job, w, why);
    if (status == ATTN_OK)
        status = gpu_buffer_open(job->device, scratch, &job->buffers[BIND_SCRATCH], why);
    job->extra_bytes += scratch;
    return status;
}

static void release(attn_job *job)
{
    if (!job)
        return;
    gpu_program_close(&job->program);
    for (uint32_t i = 0; i < BIND_BUFFERS; i++)
        gpu_buffer_close(job->device, &job->buffers[i]);
    free(job);
}

static attn_status prepare(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                           unsigned threads, attn_job **out, attn_reason *why)
{
    gpu_plan plan;
    (void)threads;
    *out = NULL;
    attn_status status = make_plan(kernel, w, &plan, why);
    if (status != ATTN_OK)
        return status;
    attn_job *job = calloc(1, sizeof *job);
    if (!job) {
        gpu_plan_free(&plan);
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a job");
    }

    const gpu_row *row = kernel->impl;
    gpu_buffer *buffers[BIND_BUFFERS];
    for (uint32_t i = 0; i < BIND_BUFFERS; i++)
        buffers[i] = &job->buffers[i];
    job->device = kernel->context;
    job->out_bytes = 4 * attn_out_elements(w);
    status = open_buffers(job, w, in, plan.scratch, why);
    if (status == ATTN_OK)
        status = gpu_program_open(job->device, row->module, &plan, buffers, &job->program, why);
    gpu_plan_free(&plan);
    if (status != ATTN_OK) {
        release(job);
        return status;
    }
    *out = job;
    return ATTN_OK;
}

static attn_status run(attn_job *job, attn_timing *timing, attn_reason *why)
{
    return gpu_program_run(&job->program, &timing->device_s, why);
}

static attn_status fetch(attn_job *job, float *out, attn_reason *why)
{
    gpu_buffer *buffer = &job->buffers[BIND_OUT];
    uint32_t tail[TAIL_BYTES / 4];
    const uint64_t tail_bytes = buffer->bytes - job->out_bytes;

    attn_status status = gpu_buffer_read(job->device, buffer, 0, out, job->out_bytes, why);
    if (status == ATTN_OK && tail_bytes > 0)
        status = gpu_buffer_read(job->device, buffer, job->out_bytes, tail, tail_bytes, why);
    for (uint64_t i = 0; status == ATTN_OK && i < tail_bytes / 4; i++)
        if (tail[i] != GPU_SENTINEL)
            return attn_because(why, ATTN_ERROR, "the kernel wrote past the end of the output");
    return status;
}

static uint64_t extra_bytes(const attn_job *job)
{
    return job->extra_bytes;
}

const attn_kernel_ops gpu_kernel_ops = {.supports = supports,
                                        .prepare = prepare,
                                        .run = run,
                                        .fetch = fetch,
                                        .extra_bytes = extra_bytes,
                                        .release = release};
