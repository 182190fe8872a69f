/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a job's output right? By golden digest, by the scalar reference, or by the oracle.
 */
#ifndef HARNESS_VERIFY_H
#define HARNESS_VERIFY_H

#include "attn/digest.h"
#include "attn/kernel.h"

typedef struct verify_options {
    bool golden;      /* the inputs are the golden table's, and it may decide */
    bool always_full; /* never sample */
    double seconds;   /* sample when the full reference would take longer than this */
} verify_options;

typedef struct verify_result {
    attn_status status; /* ATTN_OK, ATTN_FAILED, or what kept the kernel from running */
    attn_reason why;
    char method[64];        /* "golden", "full", "sampled (64 of 8192 rows)", "oracle (...)" */
    attn_digest digest;     /* of the whole output */
    uint64_t first_bad;     /* index into the canonical output, when failed */
    double max_rel_error;   /* oracle only, else NAN */
    double max_bound_share; /* largest error / bound, oracle only, else NAN */
} verify_result;

/* Runs the job once, fetches and checks. `out` has attn_out_elements(w) floats. */
void verify_job(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                attn_job *job, const verify_options *options, float *out, verify_result *result);

/* Output rows by the scalar reference of a contract, on all threads: rows[i] counts through
 * [batch][head][query]; out has dv floats for each. */
attn_status verify_reference(attn_contract contract, const attn_workload *w, const attn_inputs *in,
                             const uint64_t *rows, size_t count, float *out, attn_reason *why);

/* Checks `count` rows, spread over all of out, against the oracle's bound (exact tier: that of the
 * contract's own order); fills the error figures and, for a value outside its bound, status,
 * first_bad and why. */
void verify_oracle(const attn_workload *w, const attn_inputs *in, attn_tier tier, const float *out,
                   size_t count, verify_result *result);

#endif
