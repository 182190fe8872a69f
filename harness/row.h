/* SPDX-License-Identifier: Apache-2.0
 *
 * One result row: what became of one kernel on one workload. The table, the fits, the plot and
 * run.jsonl are all made from these.
 */
#ifndef HARNESS_ROW_H
#define HARNESS_ROW_H

#include "attn/digest.h"
#include "attn/kernel.h"

typedef struct result_row {
    /* The key. Pointers are borrowed and outlive the row. */
    const char *kernel;
    const attn_workload *workload;
    unsigned threads; /* 0: does not apply (a GPU) */
    const char *device, *device_name;
    bool software;

    attn_contract contract;
    bool roof; /* a roof: no tier, no digest */
    attn_tier tier;

    attn_status status;
    attn_reason why; /* empty when there is nothing to say */

    char verified[64]; /* "golden", "full", "sampled (...)"; "" when it was not verified */
    char digest[33];   /* "" when unknown */
    double max_rel_error, max_bound_share; /* NAN unless the oracle judged */
    attn_digest inputs[3];                 /* of q, k, v; "" when unknown */

    /* "wall" or "gpu_timestamp"; NULL when nothing was timed. */
    const char *clock;
    unsigned warmup;     /* runs before the first sample */
    uint64_t iterations; /* runs per sample */
    double *samples_ns;  /* owned; mean time of one run, in the order of measuring */
    size_t samples;
    const char *stopped_by; /* "precision", "budget", "limit" or "flags"; NULL when not timed */
    double prepare_ns;      /* allocation, transfer, compilation; NAN when not prepared */

    double median_ns, ci_low_ns, ci_high_ns; /* NAN when unknown */
    uint64_t flops, flops_dense, bytes;
    double gflops;                  /* NAN when unknown, or without FLOPs */
    double roof_gflops, roof_share; /* NAN when unknown; no share without a rate */
    bool bytes_extra_known;
    uint64_t bytes_extra;
} result_row;

/* Every number unknown, status ATTN_OK. */
void result_row_init(result_row *row);
void result_row_free(result_row *row);

/* Appends one sample; false when out of memory. */
bool result_row_sample(result_row *row, double ns);

/* Half the width of the interval over the median; INFINITY while there is no interval. */
double result_row_precision(const result_row *row);

/* Derives median, interval and rate from the samples. A row of another status than ATTN_OK loses
 * its samples; an ok row without samples, or whose clock did not move, becomes ATTN_ERROR. */
void result_row_finish(result_row *row);
/* Rate of a finished ok row as a share of the roof's median rate; roof may be NULL or not ok. */
void result_row_judge(result_row *row, const result_row *roof);

/* Must a user see this, by the exit status? */
bool result_row_alarming(const result_row *row);

#endif
