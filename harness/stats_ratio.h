/* SPDX-License-Identifier: Apache-2.0
 *
 * How many times larger one median is than another.
 */
#ifndef HARNESS_STATS_RATIO_H
#define HARNESS_STATS_RATIO_H

#include <stddef.h>
#include <stdint.h>

typedef struct stats_ratio {
    double value;     /* of the medians; NAN without values on both sides */
    double low, high; /* 95 % confidence interval; NAN where there is none */
} stats_ratio;

/* Median of the values over the median of the others, all positive, each side in the order in
 * which it was measured. No interval below 6 values on either side. Serial correlation widens it,
 * as far as the values tell: where neighbours correlate by 0.5 it holds the truth in 96 % of cases
 * with 40 values a side, in 93 % with 20 and in 90 % with 10. It knows nothing of what differs
 * between runs. Deterministic for a given seed, and so is the next. */
stats_ratio stats_median_ratio(const double *values, size_t count, const double *others,
                               size_t other_count, uint64_t seed);

/* Median of values[i] / others[i]: each pair was measured under the same conditions, in the order
 * of the array. The interval as above. */
stats_ratio stats_paired_ratio(const double *values, const double *others, size_t count,
                               uint64_t seed);

/* The samples of one run, positive, in the order in which they were measured. */
typedef struct stats_run {
    const double *values;
    size_t count;
} stats_run;

/* The same for several runs of each side: the ratio of the medians, over the runs, of the runs'
 * medians. Runs without values are left out. The interval:
 * - one run on each side: that of stats_median_ratio;
 * - at least 6 on each: that of stats_median_ratio, of the runs' medians;
 * - else from the spread of the runs' medians, by Student's t. A side of one run is taken to spread
 *   as the other does. Two runs say little about their spread, so that the interval is wide. */
stats_ratio stats_median_ratio_grouped(const stats_run *runs, size_t count, const stats_run *others,
                                       size_t other_count, uint64_t seed);

#endif
