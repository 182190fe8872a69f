/* SPDX-License-Identifier: Apache-2.0
 *
 * Did the machine keep its speed while the run lasted? The multiply-accumulate roofs are the
 * reference: the same loop on registers is sampled in every round of every workload, so what
 * changes in its rate is the machine, not a kernel.
 */
#ifndef HARNESS_DRIFT_H
#define HARNESS_DRIFT_H

#include <jansson.h>
#include <stdio.h>

#include "harness/row.h"

typedef struct drift {
    const result_row *reference; /* its first row: kernel, device and threads */
    size_t samples;
    double span_s; /* from the first sample to the last */
    /* Of the rate, from the first sample to the last along a robust line through its logarithms,
     * with a 95 % interval; NAN when there are too few samples. */
    double change, change_low, change_high;
    double spread; /* how much more the 95th percentile of the rate is than the 5th; or NAN */
} drift;

#define DRIFT_THROTTLED (-0.05) /* a change below this, for sure, is called throttling */

/* Of every reference among the rows; *list is NULL, and 0 returned, when out of memory. */
size_t drift_find(const result_row *rows, size_t count, drift **list);
bool drift_throttled(const drift *d);

/* One line per reference: after an empty line, nothing where there is none. */
void drift_print(FILE *out, const drift *list, size_t count);
json_t *drift_json(const drift *list, size_t count);

#endif
