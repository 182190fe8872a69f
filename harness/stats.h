/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of repeated timings: medians and their intervals, resampling, outliers. Ratios, tests
 * and trends are in headers of their own, which this one includes. tests/experiments/coverage.c
 * measures how often the intervals hold the truth.
 */
#ifndef HARNESS_STATS_H
#define HARNESS_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "harness/stats_ratio.h"
#include "harness/stats_test.h"
#include "harness/stats_trend.h"

/* Fewer values than this have no interval of their median: the smallest and the largest of five
 * cover it in 93.75 % of cases only. */
#define STATS_FEWEST 6

typedef struct stats_interval {
    double median;    /* NAN without a value (or memory to sort a copy) */
    double low, high; /* 95 % confidence interval of the median; NAN below 6 values */
} stats_interval;

/* Of independent values in any order. The interval is interpolated between order statistics
 * (Hettmansperger and Sheather 1986), so that its coverage is close to 95 % for every count and
 * nearly free of the values' distribution. */
stats_interval stats_median_interval(const double *values, size_t count);

/* Indices of the values farther than 3.5 scaled median absolute deviations from the median
 * (Iglewicz and Hoaglin 1993), ascending. Where more than half of the values are equal, so that
 * this deviation is 0, the mean absolute deviation takes its place, scaled as for a normal
 * distribution; where that is 0, too, there are none. Returns how many; index has room for count.
 * They are there to be shown, never to be dropped. */
size_t stats_outliers(const double *values, size_t count, size_t *index);

/* Deterministic random numbers for resampling (Philox4x32-10). */
typedef struct stats_random {
    uint32_t key[2];
    uint64_t blocks;  /* blocks drawn so far: the counter */
    uint32_t word[4]; /* the current block */
    unsigned used;    /* words of it already given out */
} stats_random;

stats_random stats_random_start(uint64_t seed);
/* Uniform in [0, limit); limit >= 1. */
uint32_t stats_random_below(stats_random *random, uint32_t limit);

/* Median of `draws` draws with replacement from ascending values; draws >= 1. scratch[count] is
 * overwritten. */
double stats_resampled_median(stats_random *random, const double *sorted, size_t count,
                              size_t draws, double *scratch);

/* How many draws make the resampled medians of values that are worth `effective` independent ones
 * spread as their median does. */
size_t stats_draws(double effective);

/* Sorts the draws of a statistic and gives their 2.5 % and 97.5 % quantiles. count >= 1. */
void stats_percentile_interval(double *draws, size_t count, double *low, double *high);

#endif
