/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/stats_ratio.h"

#include <math.h>
#include <stdlib.h>

#include "harness/stats.h"
#include "harness/stats_sort.h"
#include "harness/stats_trend.h"

enum { DRAWS = 1000 };

#define PI 3.141592653589793

/* One side of a ratio: its values, sorted, and as many draws as they are worth. */
typedef struct side {
    double *sorted;
    size_t count, draws;
} side;

static side side_of(const double *values, size_t count)
{
    const size_t draws = stats_draws(stats_effective_samples(values, count));
    return (side){stats_sorted(values, count), count, draws};
}

/* Percentile bootstrap, each side resampled by itself. It holds the truth in 93 to 97 % of cases
 * for skewed and two-humped noise, too. Price and Bonett's interval, from the normal distribution
 * of the medians' logarithms, fell to 90 % for ten values of two humps; combining the two intervals
 * of the medians by squares (MOVER) gave 97 to 98 % for ten of any noise. */
static void bootstrap(const side *above, const side *below, uint64_t seed, stats_ratio *ratio)
{
    const size_t most = above->count > below->count ? above->count : below->count;
    double *draws = malloc((DRAWS + most) * sizeof *draws);
    if (draws == NULL || above->sorted == NULL || below->sorted == NULL) {
        free(draws);
        return;
    }
    double *scratch = draws + DRAWS;
    stats_random random = stats_random_start(seed);
    for (int i = 0; i < DRAWS; i++) {
        draws[i] =
            stats_resampled_median(&random, above->sorted, above->count, above->draws, scratch);
        draws[i] /=
            stats_resampled_median(&random, below->sorted, below->count, below->draws, scratch);
    }
    stats_percentile_interval(draws, DRAWS, &ratio->low, &ratio->high);
    free(draws);
}

stats_ratio stats_median_ratio(const double *values, size_t count, const double *others,
                               size_t other_count, uint64_t seed)
{
    stats_ratio ratio = {stats_median_interval(values, count).median /
                             stats_median_interval(others, other_count).median,
                         NAN, NAN};
    if (isfinite(ratio.value) && count >= STATS_FEWEST && other_count >= STATS_FEWEST) {
        const side above = side_of(values, count), below = side_of(others, other_count);
        bootstrap(&above, &below, seed, &ratio);
        free(above.sorted);
        free(below.sorted);
    }
    return ratio;
}

stats_ratio stats_paired_ratio(const double *values, const double *others, size_t count,
                               uint64_t seed)
{
    static const double one[STATS_FEWEST] = {1, 1, 1, 1, 1, 1};
    double *ratios = malloc((count + 1) * sizeof *ratios);
    for (size_t i = 0; ratios != NULL && i < count; i++)
        ratios[i] = values[i] / others[i];
    const stats_ratio ratio =
        stats_median_ratio(ratios, ratios != NULL ? count : 0, one, STATS_FEWEST, seed);
    free(ratios);
    return ratio;
}

/* The medians of a side's runs, over its runs. */
typedef struct run_medians {
    double *values;
    size_t count;
    double median;
    double squares; /* of the logarithms' deviations from their mean, summed */
} run_medians;

static run_medians medians_of(const stats_run *runs, size_t count)
{
    run_medians m = {.values = calloc(count + 1, sizeof *m.values)};
    double mean = 0;
    for (size_t i = 0; i < count && m.values != NULL; i++) {
        const double median = stats_median_interval(runs[i].values, runs[i].count).median;
        if (!isnan(median))
            m.values[m.count++] = median;
    }
    m.median = stats_median_interval(m.values, m.count).median;
    for (size_t i = 0; i < m.count; i++)
        mean += log(m.values[i]) / (double)m.count;
    for (size_t i = 0; i < m.count; i++)
        m.squares += pow(log(m.values[i]) - mean, 2);
    return m;
}

/* P(|T| <= t), T of Student's distribution: its density over atan(t / sqrt(freedom)), by
 * Simpson's rule. */
static double student_within(double angle, double freedom)
{
    enum { STEPS = 64 };
    double sum = 0;
    for (int i = 0; i <= STEPS; i++)
        sum +=
            pow(cos(angle * i / STEPS), freedom - 1) * (i == 0 || i == STEPS ? 1 : 2 + i % 2 * 2);
    const double scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2));
    return 2 * scale / sqrt(PI) * sum * angle / (3 * STEPS);
}

/* t with P(|T| <= t) = 95 %; freedom >= 1. */
static double student_95(double freedom)
{
    double low = 0, high = PI / 2;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (student_within(middle, freedom) < 0.95)
            low = middle;
        else
            high = middle;
    }
    return tan(low) * sqrt(freedom);
}

/* Variance of the median of `count` normal values in units of that of their mean. */
static double median_variance(size_t count)
{
    static const double known[] = {1, 1, 1, 1.346, 1.193, 1.434};
    return count < sizeof known / sizeof *known ? known[count] : PI / 2;
}

/* Variance of the logarithm of a side's median, from its own spread or, for one run, the
 * other's. */
static double log_variance(const run_medians *own, const run_medians *other)
{
    const run_medians *spread = own->count > 1 ? own : other;
    return spread->squares / (double)(spread->count - 1) * median_variance(own->count) /
           (double)own->count;
}

/* Welch's degrees of freedom. */
static double freedom_of(const run_medians *a, const run_medians *b, double of_a, double of_b)
{
    if (a->count == 1 || b->count == 1)
        return (double)(a->count + b->count - 2);
    const double sum = of_a + of_b;
    return sum * sum /
           (of_a * of_a / (double)(a->count - 1) + of_b * of_b / (double)(b->count - 1));
}

/* By the spread of the runs' medians, within which lies that of the samples. Resampling runs, and
 * the samples within, held the truth in 68 and 91 % of cases for two and three runs a side, where
 * runs differ by more than their samples explain; this holds it in 95 % and more. */
static void student_interval(const run_medians *a, const run_medians *b, stats_ratio *ratio)
{
    const double of_a = log_variance(a, b), of_b = log_variance(b, a);
    double width = 0;
    if (of_a + of_b > 0)
        width = student_95(freedom_of(a, b, of_a, of_b)) * sqrt(of_a + of_b);
    ratio->low = ratio->value * exp(-width);
    ratio->high = ratio->value * exp(width);
}

static const stats_run *first_run(const stats_run *runs)
{
    while (isnan(stats_median_interval(runs->values, runs->count).median))
        runs++;
    return runs;
}

stats_ratio stats_median_ratio_grouped(const stats_run *runs, size_t count, const stats_run *others,
                                       size_t other_count, uint64_t seed)
{
    const run_medians a = medians_of(runs, count), b = medians_of(others, other_count);
    stats_ratio ratio = {a.median / b.median, NAN, NAN};
    if (a.count == 1 && b.count == 1) {
        const stats_run *one = first_run(runs), *other = first_run(others);
        ratio = stats_median_ratio(one->values, one->count, other->values, other->count, seed);
    } else if (a.count >= STATS_FEWEST && b.count >= STATS_FEWEST) {
        ratio = stats_median_ratio(a.values, a.count, b.values, b.count, seed);
    } else if (a.count > 0 && b.count > 0) {
        student_interval(&a, &b, &ratio);
    }
    free(a.values);
    free(b.values);
    return ratio;
}
