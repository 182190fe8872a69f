/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows that a reader looks for first: of each workload and device the fastest ones.
 */
#ifndef HARNESS_REPORT_BEST_H
#define HARNESS_REPORT_BEST_H

#include "harness/run_file.h"

/* Was it timed, and its output checked? Roofs are no such rows. */
bool report_counts(const result_row *row);

/* The fastest row that counts of each workload, device and tier of one run, exact before bounded,
 * in the order in which workloads and devices first appear. Returns the number of rows; *list
 * borrows from the run, is free()d by the caller, and is NULL when out of memory. */
size_t report_best(const run_file *run, const result_row ***list);

#endif
