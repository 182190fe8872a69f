/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/stats_trend.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/stats.h"
#include "harness/stats_sort.h"

#define MOST_POINTS 200 /* 19900 pairs: 4 ms */
#define NORMAL_975  1.959963984540054

/* Ranks centred on 0, ties at their mean: twice each, which is an integer. `sorted` are the same
 * values. */
static void centred_ranks(const double *values, const double *sorted, size_t count, double *rank)
{
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = count; /* first index not below, first index above */
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (sorted[middle] < values[i])
                low = middle + 1;
            else
                high = middle;
        }
        size_t above = low;
        while (above < count && sorted[above] == values[i])
            above++;
        rank[i] = (double)(low + above) - (double)count;
    }
}

/* Correlation of neighbours' ranks; where all are equal, that of independent ones after the
 * correction. */
static double rank_correlation(const double *rank, size_t count)
{
    double own = 0, shifted = 0;
    for (size_t i = 0; i < count; i++) {
        own += rank[i] * rank[i];
        shifted += i > 0 ? rank[i] * rank[i - 1] : 0;
    }
    return own > 0 ? shifted / own : -1 / ((double)count + 4);
}

double stats_serial_correlation(const double *values, size_t count)
{
    double r = 0;
    double *sorted = count < STATS_FEWEST ? NULL : stats_sorted(values, count);
    double *rank = sorted == NULL ? NULL : malloc(count * sizeof *rank);
    if (rank != NULL) {
        centred_ranks(values, sorted, count, rank);
        r = rank_correlation(rank, count);
        /* Around the mean of few values it comes out too low by about this (Kendall 1954). */
        r += (1 + 4 * r) / (double)count;
    }
    free(rank);
    free(sorted);
    return r;
}

double stats_independent(size_t count, double correlation)
{
    const double r = fmin(fmax(correlation, 0), 0.95);
    return (double)count * (1 - r) / (1 + r);
}

double stats_effective_samples(const double *values, size_t count)
{
    return stats_independent(count, stats_serial_correlation(values, count));
}

/* Points in the order of time. */
typedef struct time_series {
    double *value, *time;
    size_t count;
} time_series;

static double median_of(const double *values, size_t count)
{
    return stats_median_interval(values, count).median;
}

/* A copy, or the medians of MOST_POINTS groups; value is NULL when out of memory. */
static time_series thinned(const double *values, const double *times, size_t count)
{
    time_series points = {.count = count < MOST_POINTS ? count : MOST_POINTS};
    points.value = malloc((2 * points.count + 1) * sizeof *points.value);
    if (points.value == NULL)
        return points;
    points.time = points.value + points.count;
    for (size_t i = 0; i < points.count; i++) {
        const size_t first = i * count / points.count, end = (i + 1) * count / points.count;
        points.value[i] = median_of(values + first, end - first);
        points.time[i] = median_of(times + first, end - first);
    }
    return points;
}

/* Slopes of all pairs at different times, sorted. */
static size_t pair_slopes(const time_series *points, double *slope)
{
    size_t pairs = 0;
    for (size_t i = 0; i < points->count; i++)
        for (size_t j = 0; j < i; j++)
            if (points->time[i] != points->time[j])
                slope[pairs++] =
                    (points->value[i] - points->value[j]) / (points->time[i] - points->time[j]);
    qsort(slope, pairs, sizeof *slope, stats_ascending);
    return pairs;
}

static double residual_samples(const time_series *points, double slope, double *residual)
{
    for (size_t i = 0; i < points->count; i++)
        residual[i] = points->value[i] - slope * points->time[i];
    return stats_effective_samples(residual, points->count);
}

/* The slopes b for which Kendall's S of the residuals v - b t is within its 95 %: S falls by 2 at
 * each of the sorted slopes. Correlated residuals widen the interval as they would that of a
 * mean. */
static void slope_interval(const time_series *points, const double *slope, size_t pairs,
                           double effective, stats_slope *trend)
{
    const double n = (double)points->count;
    const double within = NORMAL_975 * sqrt(n * (n - 1) * (2 * n + 5) / 18);
    const double rank = fmax(((double)pairs - within) / 2 - 0.5, 0);
    const double widen = sqrt(n / effective);
    const double low = stats_quantile_at(slope, pairs, rank);
    const double high = stats_quantile_at(slope, pairs, (double)(pairs - 1) - rank);
    trend->low = trend->value - widen * (trend->value - low);
    trend->high = trend->value + widen * (high - trend->value);
}

stats_slope stats_trend(const double *values, const double *times, size_t count)
{
    stats_slope trend = {NAN, NAN, NAN};
    const time_series points = thinned(values, times, count);
    const size_t most = points.count * points.count / 2 + points.count;
    double *slope = points.value == NULL ? NULL : malloc((most + 1) * sizeof *slope);
    const size_t pairs = slope == NULL ? 0 : pair_slopes(&points, slope);
    if (pairs > 0)
        trend.value = stats_sorted_median(slope, pairs);
    if (pairs > 0 && count >= STATS_FEWEST) {
        double *residual = slope + pairs; /* most - pairs >= count */
        slope_interval(&points, slope, pairs, residual_samples(&points, trend.value, residual),
                       &trend);
    }
    free(slope);
    free(points.value);
    return trend;
}
