/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "attn/tensor.h"
#include "gpu/empty.h"
#include "gpu/pace.h"
#include "gpu/shared.h"
#include "gpu/start.h"
#include "gpu/tuning.h"

/* Bytes behind each tensor that a kernel could touch by mistake: behind q, k and v they hold NaN,
 * behind the output the sentinel, which fetch checks. One block of keys of the largest head. */
#define TAIL_BYTES (4 * (uint64_t)ATTN_BK * GPU_MAX_HEAD_SIZE)
#define TAIL_WORD  0x7fc07fc0u /* NaN as one f32, and as two f16 or bf16 */

struct attn_job {
    gpu_context *device;
    gpu_program program;
    gpu_buffer buffers[BIND_BUFFERS];
    uint64_t out_bytes, extra_bytes;
    uint32_t dispatches;
    gpu_size size;
    bool tuned, best; /* of the choice that gave the size */
};

/* A row in the size that it will run in. */
typedef struct sized_row {
    gpu_row row;
    const gpu_choice *choice; /* that gave the size; NULL: it is the row's own */
} sized_row;

static attn_status plan_row(const attn_kernel *kernel, const attn_workload *w, const gpu_row *row,
                            gpu_plan *plan, attn_reason *why)
{
    const gpu_context *device = kernel->context;
    attn_status status = row->plan(row, &device->limits, w, plan, why);
    if (status == ATTN_OK && row->code) {
        status = gpu_shared_fits(row->code, plan->specs, device->limits.shared, why);
        if (status != ATTN_OK)
            gpu_plan_free(plan);
    }
    return status;
}

/* By the size that was chosen for this device, unless limits were lowered below it since. */
static attn_status make_plan(const attn_kernel *kernel, const attn_workload *w, sized_row *sized,
                             gpu_plan *plan, attn_reason *why)
{
    const gpu_row *row = kernel->impl;
    const gpu_context *device = kernel->context;
    if (kernel->unavailable)
        return attn_because(why, ATTN_UNAVAILABLE, "%s", kernel->unavailable);
    const gpu_choice *choice = gpu_tuning_find(device->tuned, kernel->name, w);
    if (choice) {
        *sized = (sized_row){gpu_row_sized(row, choice->size), choice};
        if (plan_row(kernel, w, &sized->row, plan, why) == ATTN_OK)
            return ATTN_OK;
    }
    *sized = (sized_row){*row, NULL};
    return plan_row(kernel, w, row, plan, why);
}

static gpu_size plan_size(const gpu_plan *plan)
{
    return (gpu_size){plan->specs[SPEC_LOCAL_X], plan->specs[SPEC_LOCAL_Y], plan->specs[SPEC_ROWS]};
}

attn_status gpu_kernel_size(const attn_kernel *kernel, const attn_workload *w, gpu_size *size,
                            attn_reason *why)
{
    gpu_plan plan;
    sized_row sized;
    const attn_status status = make_plan(kernel, w, &sized, &plan, why);
    if (status != ATTN_OK)
        return status;
    *size = plan_size(&plan);
    gpu_plan_free(&plan);
    return ATTN_OK;
}

static attn_status supports(const attn_kernel *kernel, const attn_workload *w, attn_reason *why)
{
    gpu_size size;
    return gpu_kernel_size(kernel, w, &size, why);
}

/* Opens a buffer of `bytes` in whole words and a tail, all filled with `word` but for the words
 * that lie wholly within the first `kept` bytes. */
static attn_status open_tensor(attn_job *job, uint32_t binding, uint64_t bytes, uint64_t kept,
                               uint32_t word, attn_reason *why)
{
    gpu_buffer *buffer = &job->buffers[binding];
    const uint64_t room = job->device->limits.allocation - bytes;
    const uint64_t tail = room < TAIL_BYTES ? room / 4 * 4 : TAIL_BYTES;
    const uint64_t from = kept / 4 * 4;

    attn_status status = gpu_buffer_open(job->device, bytes + tail, buffer, why);
    if (status == ATTN_OK && bytes + tail > from)
        status = gpu_buffer_fill(job->device, buffer, from, bytes + tail - from, word, why);
    job->extra_bytes += tail;
    return status;
}

/* Opens the buffer of an input and uploads it in canonical layout, else as it is. */
static attn_status open_input(attn_job *job, uint32_t binding, const attn_workload *w,
                              const attn_inputs *in, attn_tensor_id tensor, attn_reason *why)
{
    const attn_shape shape = attn_inputs_shape(w, tensor);
    const uint64_t elements = attn_shape_elements(shape);
    const size_t size = attn_dtype_size(w->dtype), bytes = elements * size;
    const void *from = attn_inputs_tensor(in, tensor);
    void *packed = NULL;
    if (in->layout != ATTN_LAYOUT_BHND) {
        from = packed = attn_alloc(bytes);
        if (!packed)
            return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to lay out an input");
        attn_layout_copy(shape, size, in->layout, attn_inputs_tensor(in, tensor), ATTN_LAYOUT_BHND,
                         packed);
    }
    attn_status status =
        open_tensor(job, binding, gpu_plan_bytes(w, elements), bytes, TAIL_WORD, why);
    if (status == ATTN_OK)
        status = gpu_buffer_write(job->device, &job->buffers[binding], 0, from, bytes, why);
    attn_free(packed);
    return status;
}

/* Writes the mask's table, or one by which every row sees every key. */
static attn_status write_spans(attn_job *job, const attn_workload *w, bool masked, attn_reason *why)
{
    const uint64_t rows = attn_mask_rows(w), bytes = rows * sizeof(attn_span);
    attn_span *table = attn_alloc(bytes);
    if (!table)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the mask's table");
    if (masked)
        attn_mask_table(w, table);
    for (uint64_t i = 0; !masked && i < rows; i++)
        table[i] = (attn_span){0, w->m};
    const attn_status status =
        gpu_buffer_write(job->device, &job->buffers[BIND_SPANS], 0, table, bytes, why);
    attn_free(table);
    return status;
}

static attn_status open_spans(attn_job *job, const attn_workload *w, attn_reason *why)
{
    const uint64_t bytes = attn_mask_rows(w) * sizeof(attn_span);
    job->extra_bytes += bytes;
    return gpu_buffer_open(job->device, bytes, &job->buffers[BIND_SPANS], why);
}

static attn_status open_buffers(attn_job *job, const attn_workload *w, const attn_inputs *in,
                                attn_reason *why)
{
    attn_status status = open_input(job, BIND_Q, w, in, ATTN_TENSOR_Q, why);
    if (status == ATTN_OK)
        status = open_input(job, BIND_K, w, in, ATTN_TENSOR_K, why);
    if (status == ATTN_OK)
        status = open_input(job, BIND_V, w, in, ATTN_TENSOR_V, why);
    if (status == ATTN_OK)
        status = open_tensor(job, BIND_OUT, job->out_bytes, 0, GPU_SENTINEL, why);
    if (status == ATTN_OK)
        status = open_spans(job, w, why);
    return status;
}

/* Replaces the plan by one of shorter dispatches, where it needs to. They are measured without the
 * mask: the few rows that are timed may see nothing of the keys, and others all. */
static attn_status pace(attn_job *job, const gpu_row *row, const attn_workload *w,
                        gpu_buffer *const *buffers, gpu_plan *plan, attn_reason *why)
{
    gpu_buffer *out = buffers[BIND_OUT];
    attn_status status = write_spans(job, w, false, why);
    if (status == ATTN_OK)
        status = gpu_pace(&job->program, row, w, buffers, plan, why);
    if (status == ATTN_OK)
        status = gpu_buffer_fill(job->device, out, 0, out->bytes, GPU_SENTINEL, why);
    return status;
}

/* Makes the job ready to run the plan, or a plan of shorter dispatches. */
static attn_status open_program(attn_job *job, const gpu_row *row, const attn_workload *w,
                                gpu_plan *plan, attn_reason *why)
{
    static const char *const merges[] = {[ATTN_CONTRACT_F] = "merge_f",
                                         [ATTN_CONTRACT_M] = "merge_m",
                                         [ATTN_CONTRACT_X] = "merge_x"};
    const shader_module *merge = shader_module_find(merges[row->contract]);
    const shader_module *code = row->code ? row->code : shader_module_find(row->module);
    gpu_buffer *buffers[BIND_BUFFERS];
    for (uint32_t i = 0; i < BIND_BUFFERS; i++)
        buffers[i] = &job->buffers[i];
    attn_status status = gpu_program_open(job->device, code, merge, plan, &job->program, why);
    if (status == ATTN_OK && gpu_pace_needed(&job->device->limits, plan))
        status = pace(job, row, w, buffers, plan, why);
    if (status == ATTN_OK)
        status = write_spans(job, w, true, why);
    if (status == ATTN_OK)
        status = gpu_buffer_open(job->device, plan->scratch, &job->buffers[BIND_SCRATCH], why);
    if (status == ATTN_OK)
        status = gpu_program_bind(&job->program, plan, buffers, why);
    job->dispatches = (uint32_t)plan->count;
    job->extra_bytes += plan->scratch;
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
    gpu_context *device;
    gpu_plan plan;
    sized_row sized;
    (void)threads;
    *out = NULL;
    attn_status status = gpu_context_usable(kernel->context, &device, why);
    if (status == ATTN_OK)
        status = make_plan(kernel, w, &sized, &plan, why);
    if (status != ATTN_OK)
        return status;
    attn_job *job = calloc(1, sizeof *job);
    if (!job) {
        gpu_plan_free(&plan);
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a job");
    }

    job->device = device;
    job->out_bytes = 4 * attn_out_elements(w);
    job->size = plan_size(&plan);
    job->tuned = sized.choice != NULL;
    job->best = sized.choice && sized.choice->best;
    status = open_buffers(job, w, in, why);
    if (status == ATTN_OK)
        status = open_program(job, &sized.row, w, &plan, why);
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

static attn_status run_empty(attn_job *job, attn_timing *timing, attn_reason *why)
{
    return gpu_empty_run(job->device, &timing->device_s, why);
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

static void facts(const attn_job *job, attn_job_facts *known)
{
    *known = (attn_job_facts){.extra_bytes = job->extra_bytes,
                              .compile_s = job->program.compile_s,
                              .dispatches = job->dispatches,
                              .tuned = job->tuned,
                              .best = job->best};
    snprintf(known->config, sizeof known->config, "%" PRIu32 "x%" PRIu32 ", %" PRIu32 " row%s",
             job->size.local_x, job->size.local_y, job->size.rows, job->size.rows == 1 ? "" : "s");
}

const attn_kernel_ops gpu_kernel_ops = {.supports = supports,
                                        .prepare = prepare,
                                        .run = run,
                                        .run_empty = run_empty,
                                        .fetch = fetch,
                                        .facts = facts,
                                        .release = release};
