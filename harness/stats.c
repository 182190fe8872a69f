/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/inputs.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sorted_median(const double *sorted, size_t count)
{
    if (count == 0)
        return NAN;
    if (count % 2 == 1)
        return sorted[count / 2];
    return sorted[count / 2 - 1] + (sorted[count / 2] - sorted[count / 2 - 1]) / 2;
}

static double *sorted_copy(const double *values, size_t count)
{
    double *copy = count == 0 ? NULL : malloc(count * sizeof *copy);
    if (copy != NULL) {
        memcpy(copy, values, count * sizeof *copy);
        qsort(copy, count, sizeof *copy, ascending);
    }
    return copy;
}

size_t stats_interval_rank(size_t count)
{
    /* The interval misses when fewer than k values fall on one side of the median: probability
     * 2 P(X < k), X binomial(count, 1/2). Log-gamma keeps large counts from underflowing. */
    double missed = 0;
    size_t rank = 0;
    while (2 * (rank + 1) <= count) {
        missed += 2 * exp(lgamma((double)count + 1) - lgamma((double)rank + 1) -
                          lgamma((double)(count - rank) + 1) - (double)count * log(2));
        if (missed > 0.05)
            break;
        rank++;
    }
    return rank;
}

stats_interval stats_median_interval(const double *values, size_t count)
{
    stats_interval result = {NAN, NAN, NAN};
    double *sorted = sorted_copy(values, count);
    if (sorted == NULL)
        return result;
    result.median = sorted_median(sorted, count);
    size_t rank = stats_interval_rank(count);
    if (rank > 0) {
        result.low = sorted[rank - 1];
        result.high = sorted[count - rank];
    }
    free(sorted);
    return result;
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

double stats_resampled_median(stats_random *random, const double *values, size_t count,
                              double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = values[stats_random_below(random, (uint32_t)count)];
    qsort(scratch, count, sizeof *scratch, ascending);
    return sorted_median(scratch, count);
}

/* Linear interpolation between order statistics. */
static double quantile(const double *sorted, size_t count, double q)
{
    double position = q * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

void stats_percentile_interval(double *draws, size_t count, double *low, double *high)
{
    qsort(draws, count, sizeof *draws, ascending);
    *low = quantile(draws, count, 0.025);
    *high = quantile(draws, count, 0.975);
}

stats_ratio stats_median_ratio(const double *values, size_t count, const double *others,
                               size_t other_count, uint64_t seed)
{
    enum { DRAWS = 1000 };
    stats_ratio ratio = {stats_median_interval(values, count).median /
                             stats_median_interval(others, other_count).median,
                         NAN, NAN};
    if (stats_interval_rank(count) == 0 || stats_interval_rank(other_count) == 0)
        return ratio;
    double *draws = malloc(DRAWS * sizeof *draws);
    double *scratch = malloc((count > other_count ? count : other_count) * sizeof *scratch);
    if (draws != NULL && scratch != NULL) {
        stats_random random = stats_random_start(seed);
        for (int i = 0; i < DRAWS; i++) {
            const double above = stats_resampled_median(&random, values, count, scratch);
            draws[i] = above / stats_resampled_median(&random, others, other_count, scratch);
        }
        stats_percentile_interval(draws, DRAWS, &ratio.low, &ratio.high);
    }
    free(draws);
    free(scratch);
    return ratio;
}
