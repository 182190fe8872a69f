/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/job.h"

#include <math.h>

#include "cpu/cpu.h"
#include "harness/machine.h"

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

attn_status job_fits(const attn_workload *w, attn_reason *why)
{
    const double bytes =
        (double)attn_dtype_size(w->dtype) *
            ((double)attn_q_elements(w) + (double)attn_k_elements(w) + (double)attn_v_elements(w)) +
        2.0 * sizeof(float) * (double)attn_out_elements(w);
    const double have = (double)machine_memory_bytes();
    if (have > 0 && bytes > 0.8 * have)
        return attn_because(why, ATTN_OUT_OF_MEMORY,
                            "tensors need %.1f GiB, this machine has %.1f GiB of memory",
                            bytes / 0x1p30, have / 0x1p30);
    return ATTN_OK;
}
