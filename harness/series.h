/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that form one scaling curve: same kernel, device, threads and workload, except for one
 * length: n at one m, n with m following it, or m at one n. A curve holds all such rows of a run,
 * so a row where curves cross belongs to each of them.
 */
#ifndef HARNESS_SERIES_H
#define HARNESS_SERIES_H

#include "harness/fit.h"
#include "harness/row.h"

/* What sweeps. */
typedef enum { SERIES_N, SERIES_N_AND_M, SERIES_M, SERIES_AXES } series_axis;

typedef struct series {
    const result_row *first; /* kernel, device and threads of the curve */
    char mark;               /* 'a', 'b', ... for the plot */
    series_axis axis;
    fit_point *points; /* in the order of the length; rows without a rate have t = NAN */
    size_t count;
    fit_result fit;
} series;

/* The length's name, 'n' or 'm'. */
char series_length(const series *s);
/* Is this row, of the same run, on the curve? */
bool series_holds(const series *s, const result_row *row);
/* What the fit says about the growth, one line. Returns text. */
#define SERIES_VERDICT 160
const char *series_verdict(const series *s, char text[SERIES_VERDICT]);
/* What workloads that differ in their lengths alone have in common. Returns text. */
const char *series_workload(const attn_workload *w, char text[ATTN_WORKLOAD_TEXT]);

/* Every curve of three rows or more, and those of two whose rows are on no longer one. Roofs are
 * left out. Returns the number of curves; *list is NULL when out of memory. */
size_t series_build(const result_row *rows, size_t count, uint64_t seed, series **list);
void series_free(series *list, size_t count);

#endif
