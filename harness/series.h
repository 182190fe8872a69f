/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that form one scaling curve: same kernel, device, threads and workload, except for n (and
 * m, where it follows n).
 */
#ifndef HARNESS_SERIES_H
#define HARNESS_SERIES_H

#include "harness/fit.h"
#include "harness/row.h"

typedef struct series {
    const result_row *first; /* kernel, device and threads of the curve */
    char mark;               /* 'a', 'b', ... for the plot */
    bool sweeps;             /* the rows asked for at least two different n */
    fit_point *points;       /* in the order of n; rows without a rate have t = NAN */
    size_t count;
    fit_result fit;
} series;

/* Roofs are left out. Returns the number of curves; *list is NULL when out of memory or empty. */
size_t series_build(const result_row *rows, size_t count, uint64_t seed, series **list);
void series_free(series *list, size_t count);

#endif
