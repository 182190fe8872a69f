/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "attn/inputs.h"
#include "harness/stats_sort.h"

#define COVERAGE     0.95
#define OUTLIER      3.5    /* scaled deviations */
#define MAD_SCALE    1.4826 /* of a normal distribution: standard deviation / MAD */
#define MEANAD_SCALE 1.2533 /* the same of the mean absolute deviation: sqrt(pi / 2) */

int stats_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_sorted_median(const double *sorted, size_t count)
{
    if (count % 2 == 1)
        return sorted[count / 2];
    return sorted[count / 2 - 1] + (sorted[count / 2] - sorted[count / 2 - 1]) / 2;
}

double *stats_sorted(const double *values, size_t count)
{
    bool comparable = count > 0;
    for (size_t i = 0; i < count && comparable; i++)
        comparable = !isnan(values[i]);
    double *copy = comparable ? malloc(count * sizeof *copy) : NULL;
    if (copy != NULL) {
        memcpy(copy, values, count * sizeof *copy);
        qsort(copy, count, sizeof *copy, stats_ascending);
    }
    return copy;
}

double stats_quantile_at(const double *sorted, size_t count, double position)
{
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* Where the interval begins among sorted values, from 0. [x_k, x_(count+1-k)], ranks from 1, covers
 * the median with g(k) = 1 - 2 P(X < k), X binomial(count, 1/2). Between the largest k that covers
 * 95 % and the next one Hettmansperger and Sheather's weight is nearly exact whatever the values'
 * distribution. Log-gamma keeps large counts from underflowing. count >= STATS_FEWEST. */
static double interval_position(size_t count)
{
    const double n = (double)count;
    double covered = 1, next = 1, k = 0;
    for (;; k++) {
        next = covered - 2 * exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2));
        if (next < COVERAGE)
            break;
        covered = next;
    }
    const double share = (covered - COVERAGE) / (covered - next);
    return k - 1 + (n - k) * share / (k + (n - 2 * k) * share);
}

stats_interval stats_median_interval(const double *values, size_t count)
{
    stats_interval result = {NAN, NAN, NAN};
    double *sorted = stats_sorted(values, count);
    if (sorted == NULL)
        return result;
    result.median = stats_sorted_median(sorted, count);
    if (count >= STATS_FEWEST) {
        const double position = interval_position(count);
        result.low = stats_quantile_at(sorted, count, position);
        result.high = stats_quantile_at(sorted, count, (double)(count - 1) - position);
    }
    free(sorted);
    return result;
}

/* The scale by which deviations from the median count; 0 where all values are equal. */
static double robust_scale(const double *values, size_t count, double median, double *scratch)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        scratch[i] = fabs(values[i] - median);
        sum += scratch[i];
    }
    qsort(scratch, count, sizeof *scratch, stats_ascending);
    const double mad = stats_sorted_median(scratch, count);
    return mad > 0 ? MAD_SCALE * mad : MEANAD_SCALE * sum / (double)count;
}

size_t stats_outliers(const double *values, size_t count, size_t *index)
{
    size_t outliers = 0;
    double *scratch = stats_sorted(values, count);
    if (scratch == NULL)
        return 0;
    const double median = stats_sorted_median(scratch, count);
    const double scale = robust_scale(values, count, median, scratch);
    for (size_t i = 0; i < count; i++)
        if (fabs(values[i] - median) > OUTLIER * scale)
            index[outliers++] = i;
    free(scratch);
    return outliers;
}

stats_random stats_random_start(uint64_t seed)
{
    stats_random random = {.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}, .used = 4};
    return random;
}

static uint32_t next_word(stats_random *random)
{
    if (random->used == 4) {
        uint32_t counter[4] = {(uint32_t)random->blocks, (uint32_t)(random->blocks >> 32), 0, 0};
        attn_philox(counter, random->key, random->word);
        random->blocks++;
        random->used = 0;
    }
    return random->word[random->used++];
}

uint32_t stats_random_below(stats_random *random, uint32_t limit)
{
    /* Lemire's multiply-shift; the rejection makes every result equally likely. */
    uint32_t threshold = (uint32_t)(-limit) % limit;
    for (;;) {
        uint64_t product = (uint64_t)next_word(random) * limit;
        if ((uint32_t)product >= threshold)
            return (uint32_t)(product >> 32);
    }
}

/* Of sorted values only how often each was drawn matters. */
double stats_resampled_median(stats_random *random, const double *sorted, size_t count,
                              size_t draws, double *scratch)
{
    memset(scratch, 0, count * sizeof *scratch);
    for (size_t i = 0; i < draws; i++)
        scratch[stats_random_below(random, (uint32_t)count)]++;
    size_t lower = 0, upper;
    double seen = scratch[0];
    const double below = (double)((draws - 1) / 2); /* draws before the (lower) middle one */
    while (seen <= below)
        seen += scratch[++lower];
    for (upper = lower; seen <= (double)(draws / 2);)
        seen += scratch[++upper];
    return sorted[lower] + (sorted[upper] - sorted[lower]) / 2;
}

/* As many draws as values overstate the variance of the median: of 10, 20, 40 normal values by 21,
 * 14 and 9 %. It shrinks as the inverse of the number of draws. The factor is the one that brings
 * intervals of ratios and slopes close to 95 % (tests/experiments/coverage.c). */
size_t stats_draws(double effective)
{
    return (size_t)fmax(1, round(effective + 0.6 * sqrt(effective)));
}

void stats_percentile_interval(double *draws, size_t count, double *low, double *high)
{
    qsort(draws, count, sizeof *draws, stats_ascending);
    *low = stats_quantile_at(draws, count, 0.025 * (double)(count - 1));
    *high = stats_quantile_at(draws, count, 0.975 * (double)(count - 1));
}
