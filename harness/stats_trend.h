/* SPDX-License-Identifier: Apache-2.0
 *
 * Values in the order in which they were measured: do they depend on each other, do they drift?
 */
#ifndef HARNESS_STATS_TREND_H
#define HARNESS_STATS_TREND_H

#include <stddef.h>

/* Correlation of neighbours' ranks, corrected for the count; 0 below 6 values. */
double stats_serial_correlation(const double *values, size_t count);

/* How many independent values would tell as much as `count` of a first-order autoregression with
 * this correlation, in (0, count]: `count` where it is not positive. Beyond 0.95, where it can't be
 * told from a drift, as for 0.95. */
double stats_independent(size_t count, double correlation);

/* The same of values with their own correlation. It is known to about 1 / sqrt(count) only, so that
 * independent values, too, often count as fewer. */
double stats_effective_samples(const double *values, size_t count);

typedef struct stats_slope {
    double value;     /* of the values per unit of time; NAN below 2 distinct times */
    double low, high; /* 95 % confidence interval; NAN below 6 values */
} stats_slope;

/* Median of the slopes between all pairs of points (Theil 1950, Sen 1968), and the interval that
 * Kendall's test of the residuals gives. It allows for their serial correlation. Points in the
 * order of time; more than 200 are first joined into 200 groups of neighbours, each by medians. */
stats_slope stats_trend(const double *values, const double *times, size_t count);

#endif
