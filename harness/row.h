/* SPDX-License-Identifier: Apache-2.0
 *
 * One result row: what became of one kernel on one workload. The table, the fits, the plot and
 * run.jsonl are all made from these.
 */
#ifndef HARNESS_ROW_H
#define HARNESS_ROW_H

#include "attn/digest.h"
#include "attn/kernel.h"
#include "harness/counters.h"

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
    /* When each of them was taken: seconds since the run began, at its end; NULL: unknown. Owned.
     */
    double *sample_at_s;
    size_t samples;
    const char *stopped_by; /* "precision", "budget", "limit" or "flags"; NULL when not timed */
    double prepare_ns;      /* allocation, transfer, compilation; NAN when not prepared */
    double compile_ns;      /* of which compilation; NAN where nothing is compiled */
    uint32_t dispatches;    /* of one run; 0: unknown, or on a CPU */
    char config[64];        /* workgroup and tile in words; "" when unknown, or on a CPU */
    bool tuned, best;       /* as attn_job_facts; false without a config */

    /* The clocks of a GPU. Beside each of samples_ns: wall time from submission to done, mean of
     * one run, and that of a submission that does nothing, taken just before. Owned. */
    double *wall_samples_ns, *empty_samples_ns;
    size_t clock_samples; /* 0 on a CPU */
    /* Medians: by the device's clock; by the host's; of an empty submission; by the host's less
     * the empty submission, pair by pair. NAN when unknown; on a CPU all but wall_ns. */
    double device_ns, wall_ns, empty_ns, wall_net_ns;

    double median_ns, ci_low_ns, ci_high_ns; /* NAN when unknown */
    uint64_t flops, flops_dense, bytes;
    double gflops, gb_per_s; /* NAN when unknown, or without FLOPs or bytes; 1e9 of them */
    /* NAN when unknown; no share without a rate. A share of bandwidth above 1 says that caches held
     * some of the bytes. */
    double roof_gflops, roof_share, roof_gb_per_s, bandwidth_share;
    unsigned level;       /* of a roof: where its bytes are; ATTN_LEVEL_NONE elsewhere */
    attn_roof_kind bound; /* the roof that binds this workload; of a roof its own kind */
    /* The fastest library row of the same workload, device and threads (this one, perhaps), and
     * rate over its rate with a 95 % interval; NULL and NAN when none was measured. */
    const char *library;
    double library_ratio, library_ratio_low, library_ratio_high;
    bool bytes_extra_known;
    uint64_t bytes_extra;
    /* Of one run on a CPU, in a pass after the samples: NAN when unknown; which are missing and
     * why, NULL when none is or they were not asked for. */
    double counters[COUNTER_KINDS];
    const char *counters_unavailable;
    double energy_j; /* joules of the whole machine's packages while it ran */
    const char *energy_unavailable;
} result_row;

/* Every number unknown, status ATTN_OK. */
void result_row_init(result_row *row);
void result_row_free(result_row *row);

/* Appends one sample, and when it was taken; false when out of memory. */
bool result_row_sample(result_row *row, double ns, double at_s);
/* The same for the other clocks of a GPU. */
bool result_row_clocks(result_row *row, double wall_ns, double empty_ns);

/* Half the width of the interval over the median; INFINITY while there is no interval. */
double result_row_precision(const result_row *row);

/* Derives medians, interval and rate from the samples. A row of another status than ATTN_OK loses
 * its samples; an ok row without samples, or whose clock did not move, becomes ATTN_ERROR. */
void result_row_finish(result_row *row);
/* Rates of a finished ok row as shares of the roofs' median rates; either roof may be NULL or not
 * ok. Reading is the bound where the FLOPs per byte are fewer than the roofs' rates allow. */
void result_row_judge(result_row *row, const result_row *mac, const result_row *read);
const char *result_row_bound(const result_row *row); /* "MAC" or "read" */
/* FLOPs per byte of least traffic, the row's place below the roofs; NAN where either is unknown or
 * none, and for a roof. */
double result_row_intensity(const result_row *row);

/* Ratio of an ok row to an ok library row, which may be the same. */
void result_row_compare(result_row *row, const result_row *library, uint64_t seed);

/* Must a user see this, by the exit status? */
bool result_row_alarming(const result_row *row);

#endif
