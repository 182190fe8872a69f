/* SPDX-License-Identifier: Apache-2.0
 *
 * What the statistics share: sorted values.
 */
#ifndef HARNESS_STATS_SORT_H
#define HARNESS_STATS_SORT_H

#include <stddef.h>

/* Order of doubles for qsort. */
int stats_ascending(const void *a, const void *b);

/* A sorted copy; free it. NULL without values, with a NAN among them, or out of memory. */
double *stats_sorted(const double *values, size_t count);

/* Of sorted values, count >= 1. */
double stats_sorted_median(const double *sorted, size_t count);

/* Linear interpolation between sorted values; position 0 is the smallest, count - 1 the largest. */
double stats_quantile_at(const double *sorted, size_t count, double position);

#endif
