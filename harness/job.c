/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cpu/cpu.h"
#include "harness/format.h"
#include "harness/machine.h"

/* The rest is for the system and for what kernels allocate on the way. */
#define MEMORY_SHARE 0.8

void job_check(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
               unsigned threads, const verify_options *options, float *out, verify_result *result)
{
    attn_job *job = NULL;
    *result = (verify_result){.max_rel_error = NAN, .max_bound_share = NAN};
    result->status = kernel->ops->supports(kernel, w, &result->why);
    if (result->status == ATTN_OK)
        result->status = kernel->ops->prepare(
            kernel, w, in, threads ? threads : cpu_default_threads(), &job, &result->why);
    if (result->status != ATTN_OK)
        return;
    verify_job(kernel, w, in, job, options, out, result);
    kernel->ops->release(job);
}

attn_status job_output(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                       float *out, attn_reason *why)
{
    attn_job *job = NULL;
    attn_timing timing;
    attn_status status = kernel->ops->supports(kernel, w, why);
    if (status == ATTN_OK)
        status = kernel->ops->prepare(kernel, w, in, cpu_default_threads(), &job, why);
    if (status != ATTN_OK)
        return status;
    status = kernel->ops->run(job, &timing, why);
    if (status == ATTN_OK)
        status = kernel->ops->fetch(job, out, why);
    kernel->ops->release(job);
    return status;
}

uint64_t job_input_bytes(const attn_workload *w)
{
    return attn_dtype_size(w->dtype) *
           (attn_q_elements(w) + attn_k_elements(w) + attn_v_elements(w));
}

double job_host_bytes(const attn_kernel *kernel, const attn_workload *w, uint64_t extra)
{
    const double own = sizeof(float) * (double)attn_out_elements(w) + (double)extra;
    if (kernel->software)
        return (double)job_input_bytes(w) + own;
    return strcmp(kernel->device, "cpu") == 0 ? own : 0;
}

attn_status job_fits(const attn_workload *w, attn_reason *why)
{
    const double bytes =
        (double)job_input_bytes(w) + 2.0 * sizeof(float) * (double)attn_out_elements(w);
    return job_memory_fits(bytes, 0, why);
}

attn_status job_memory_fits(double bytes, double used, attn_reason *why)
{
    const double total = (double)machine_memory_bytes(), usable = MEMORY_SHARE * total;
    char beside[80] = "";
    if (total == 0 || used + bytes <= usable)
        return ATTN_OK;
    if (used > 0)
        snprintf(beside, sizeof beside, " beside %s in use by the run", format_bytes(used).text);
    return attn_because(why, ATTN_OUT_OF_MEMORY,
                        "needs %s of memory%s; it may use %s (%.0f %% of this machine's %s)",
                        format_bytes(bytes).text, beside, format_bytes(usable).text,
                        100 * MEMORY_SHARE, format_bytes(total).text);
}
