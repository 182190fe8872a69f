/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel prepared, run once, checked or fetched: what verify, hash and run share.
 */
#ifndef HARNESS_JOB_H
#define HARNESS_JOB_H

#include "harness/verify.h"

/* Prepares the kernel for the given inputs, verifies, releases. Fills *result whatever happens;
 * out has attn_out_elements(w) floats. threads 0: the default. */
void job_check(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
               unsigned threads, const verify_options *options, float *out, verify_result *result);

/* Prepares, runs once and fetches, without any check. */
attn_status job_output(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                       float *out, attn_reason *why);

uint64_t job_input_bytes(const attn_workload *w);
/* Host memory of one job beside the caller's inputs: its output and `extra` bytes of scratch, and
 * on a Vulkan device that runs on the CPU its copy of the inputs. A real GPU has its own memory,
 * and its own refusal. */
double job_host_bytes(const attn_kernel *kernel, const attn_workload *w, uint64_t extra);

/* ATTN_OUT_OF_MEMORY with the numbers when inputs and output would not fit this machine. */
attn_status job_fits(const attn_workload *w, attn_reason *why);
/* The same for any `bytes`, while `used` bytes are taken already. */
attn_status job_memory_fits(double bytes, double used, attn_reason *why);

#endif
