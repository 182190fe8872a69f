/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/pace.h"

#include <math.h>

#include "attn/clock.h"

#define FIRST_WORK (UINT64_C(1) << 23) /* FLOPs that no device takes long for */
#define GROWTH     8
/* Long enough for a rate, and to end the search: half of what the final dispatches aim at. */
#define MEASURED_S (GPU_DISPATCH_S / 8)
#define AIM_S      (GPU_DISPATCH_S / 4)

/* Seconds of one step by itself. */
static attn_status time_step(gpu_program *program, const gpu_plan *plan, const gpu_step *step,
                             gpu_buffer *const *buffers, double *seconds, attn_reason *why)
{
    gpu_step alone = *step;
    gpu_plan part = *plan;
    alone.waits = false;
    part.steps = &alone;
    part.count = 1;
    attn_status status = gpu_program_bind(program, &part, buffers, why);
    const double start = clock_seconds();
    if (status == ATTN_OK)
        status = gpu_program_run(program, seconds, why);
    if (!isfinite(*seconds))
        *seconds = clock_seconds() - start;
    return status;
}

/* Times the first step of every pass: the slowest, and its work. */
static attn_status time_passes(gpu_program *program, const gpu_plan *plan,
                               gpu_buffer *const *buffers, double *work, double *seconds,
                               attn_reason *why)
{
    bool seen[GPU_PASS_MERGE + 1] = {false};
    attn_status status = ATTN_OK;
    *seconds = 0;
    for (size_t i = 0; i < plan->count && status == ATTN_OK; i++) {
        const gpu_step *step = &plan->steps[i];
        double took = 0;
        if (seen[step->pass])
            continue;
        seen[step->pass] = true;
        status = time_step(program, plan, step, buffers, &took, why);
        if (took >= *seconds) {
            *seconds = took;
            *work = step->work;
        }
    }
    return status;
}

/* FLOPs of a dispatch, by the slowest of those measured. */
static uint64_t work_within(double work, double seconds)
{
    const double most = work * AIM_S / seconds;
    return most < 1 ? 1 : most < 0x1p62 ? (uint64_t)most : UINT64_C(1) << 62;
}

bool gpu_pace_needed(const gpu_limits *limits, const gpu_plan *plan)
{
    double work = 0;
    for (size_t i = 0; i < plan->count; i++)
        work += plan->steps[i].work;
    return limits->work == GPU_ANY_WORK && work > FIRST_WORK;
}

/* Times a plan under a limit; *same: the limit cut nothing. */
static attn_status try_limit(gpu_program *program, const gpu_row *row, const attn_workload *w,
                             gpu_buffer *const *buffers, const gpu_plan *uncut,
                             const gpu_limits *limits, bool *same, double *work, double *seconds,
                             attn_reason *why)
{
    gpu_plan plan;
    attn_status status = row->plan(row, limits, w, &plan, why);
    if (status != ATTN_OK)
        return status;
    *same = plan.count == uncut->count;
    status = gpu_buffer_open(program->device, plan.scratch, buffers[BIND_SCRATCH], why);
    if (status == ATTN_OK)
        status = time_passes(program, &plan, buffers, work, seconds, why);
    gpu_program_unbind(program);
    gpu_buffer_close(program->device, buffers[BIND_SCRATCH]);
    gpu_plan_free(&plan);
    return status;
}

attn_status gpu_pace(gpu_program *program, const gpu_row *row, const attn_workload *w,
                     gpu_buffer *const *buffers, gpu_plan *plan, attn_reason *why)
{
    gpu_limits limits = program->device->limits;
    bool same = false;
    double work = 0, seconds = 0;
    attn_status status = ATTN_OK;
    for (limits.work = FIRST_WORK; status == ATTN_OK && !same && seconds < MEASURED_S;
         limits.work *= GROWTH)
        status = try_limit(program, row, w, buffers, plan, &limits, &same, &work, &seconds, why);
    if (status != ATTN_OK || (same && seconds < GPU_DISPATCH_S))
        return status;
    gpu_plan shorter;
    limits.work = work_within(work, seconds);
    status = row->plan(row, &limits, w, &shorter, why);
    if (status != ATTN_OK)
        return status;
    gpu_plan_free(plan);
    *plan = shorter;
    return ATTN_OK;
}
