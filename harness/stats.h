/* SPDX-License-Identifier: Apache-2.0
 *
 * Order statistics of repeated timings, free of any assumption about their distribution.
 */
#ifndef HARNESS_STATS_H
#define HARNESS_STATS_H

#include <stddef.h>
#include <stdint.h>

typedef struct stats_interval {
    double median;    /* NAN without a value (or memory to sort a copy) */
    double low, high; /* 95 % confidence interval of the median; NAN below 6 values */
} stats_interval;

/* Of values in any order. The interval runs between two of the values themselves: the ranks come
 * from the binomial distribution, so its coverage is at least 95 % whatever the values'
 * distribution. */
stats_interval stats_median_interval(const double *values, size_t count);

/* Rank k (1 = smallest) such that [x_k, x_(count+1-k)] covers the median with at least 95 %;
 * 0 when no rank does (count < 6). */
size_t stats_interval_rank(size_t count);

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

/* Median of count draws with replacement; scratch[count] is overwritten. */
double stats_resampled_median(stats_random *random, const double *values, size_t count,
                              double *scratch);

typedef struct stats_ratio {
    double value;     /* of the medians; NAN without values on both sides */
    double low, high; /* 95 % bootstrap interval; NAN below 6 values on either side */
} stats_ratio;

/* Median of the values over the median of the others, both positive. The interval is the
 * percentile bootstrap's: each side is resampled by itself. Deterministic for a given seed. */
stats_ratio stats_median_ratio(const double *values, size_t count, const double *others,
                               size_t other_count, uint64_t seed);

/* Sorts the draws of a statistic and gives their 2.5 % and 97.5 % quantiles. count >= 1. */
void stats_percentile_interval(double *draws, size_t count, double *low, double *high);

#endif
