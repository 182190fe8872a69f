/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures which size of a kernel is the fastest on its device.
 *
 * A group is one kernel on one workload in each of its candidate sizes. Each output is checked bit
 * for bit; then all are timed in rounds, one sample of each, so that drift meets all of them.
 */
#ifndef HARNESS_TUNE_H
#define HARNESS_TUNE_H

#include "attn/digest.h"
#include "gpu/tuning.h"

#define TUNE_LEAST_ROUNDS 5
#define TUNE_MOST_ROUNDS  25
#define TUNE_NOISE        0.02 /* a size that gains no more than this is not worth leaving ours */

/* A workload's tensors, for all kernels that take its data type. */
typedef struct tune_case {
    attn_workload w;
    attn_inputs inputs;
    float *out;                            /* what was fetched last */
    attn_digest right[ATTN_CONTRACT_NONE]; /* of the reference's output, once it is known */
} tune_case;

/* ATTN_OUT_OF_MEMORY leaves nothing allocated. */
attn_status tune_case_open(tune_case *c, const attn_workload *w, attn_reason *why);
void tune_case_close(tune_case *c);

typedef struct tune_candidate {
    gpu_size size; /* asked for */
    gpu_size real; /* what the plan made of it */
    gpu_row row;
    attn_kernel kernel; /* as the group's, of this row */
    char config[64];
    attn_job *job;
    attn_status status; /* ATTN_FAILED: its output was wrong */
    attn_reason why;
    bool open;                         /* still in the race */
    double run_s;                      /* wall time of one run, for the budget */
    uint64_t batch;                    /* runs in one sample */
    double sample_s[TUNE_MOST_ROUNDS]; /* of one run, by the device's clock where it has one */
    size_t samples;
    double median_s; /* NAN: not timed */
} tune_candidate;

typedef struct tune_group {
    const attn_kernel *kernel;
    attn_workload w;
    attn_status status; /* of the whole: ATTN_OK, else nothing was timed */
    attn_reason why;
    tune_candidate list[GPU_PLAN_SIZES]; /* the row's own size first, if it is possible */
    size_t count;
    const tune_candidate *own, *chosen; /* in the list, or NULL */
} tune_group;

/* Measures; *group must not move afterwards. *left_s: the seconds of timing that are left, less
 * what was used; this group and `later` more share them. */
void tune_group_run(tune_group *group, const attn_kernel *kernel, tune_case *c, double *left_s,
                    size_t later);

/* What is to be stored; false where nothing was chosen. */
bool tune_group_choice(const tune_group *group, gpu_choice *choice);

/* tune_table.c: a line per candidate. `best` tells of each group whether its kernel is the fastest
 * of its contract and class. */
void tune_table(const tune_group *groups, const bool *best, size_t count);
/* Must a user see this, by the exit status? */
bool tune_group_alarming(const tune_group *group);

#endif
