/* SPDX-License-Identifier: Apache-2.0
 *
 * What `attnmark tune` has to do: which kernels on which workloads, and doing it.
 */
#ifndef HARNESS_TUNE_WORK_H
#define HARNESS_TUNE_WORK_H

#include "harness/cli.h"
#include "harness/registry.h"
#include "harness/tune.h"

/* Workloads, at most one of each class; none stands for the defaults. */
typedef struct tune_workloads {
    attn_workload list[ATTN_MAX_SWEEP];
    size_t count;
} tune_workloads;

/* Adds those of a text. ATTN_ERROR: it is none, or of a class that is there already. */
attn_status tune_workloads_add(tune_workloads *workloads, const char *text, attn_reason *why);

/* One kernel on one workload. */
typedef struct tune_item {
    const attn_kernel *kernel;
    attn_workload w; /* of an unavailable kernel: nothing */
} tune_item;

typedef struct tune_work {
    tune_item *items; /* those of one device, workload and data type one after the other */
    size_t count;
    tune_group *groups; /* one per item */
    bool *best;         /* for tune_table: whoever stores the choices fills it */
} tune_work;

/* The kernels of Vulkan devices that match, on each workload that they take; ATTN_ERROR where there
 * is none. To be freed whatever happens. */
attn_status tune_work_plan(tune_work *work, const registry *r, const tune_workloads *workloads,
                           const cli_list *globs, attn_reason *why);
void tune_work_measure(tune_work *work, double budget_s);
void tune_work_free(tune_work *work);

#endif
