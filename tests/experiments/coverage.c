/* SPDX-License-Identifier: Apache-2.0
 *
 * How often the 95 % intervals of the statistics hold the truth: on data made up with known truth,
 * by seeded random numbers, so that the figures are the same on every machine with the same libm.
 *
 *     coverage-experiment [SETS]
 *
 * SETS data sets per row, 2000 by default. Exit status 1 when a row lies outside what it wants;
 * with fewer sets by more than their number explains.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/crossover.h"
#include "harness/fit.h"
#include "harness/stats.h"

enum { MOST = 200, SETS = 2000, LENGTHS = 6, FIRST_LENGTH = 64, RUN_SAMPLES = 10 };

/* Of one sample; all have a median known exactly. */
typedef enum {
    NORMAL,    /* standard deviation 5 % */
    LOGNORMAL, /* skewed: standard deviation 1 of the logarithm */
    TWO_HUMPS, /* 70 % near 1, 30 % near 1.2 */
    CORRELATED /* normal, first-order autoregression with rho = 0.5 */
} noise;

static const char *const noise_name[] = {"normal", "lognormal", "two humps", "AR(1) 0.5"};

#define PI 3.141592653589793

static double uniform(stats_random *random)
{
    return (stats_random_below(random, UINT32_C(1) << 30) + 0.5) * 0x1p-30;
}

static double normal(stats_random *random)
{
    const double radius = sqrt(-2 * log(uniform(random)));
    return radius * cos(2 * PI * uniform(random));
}

/* Samples with the median 1, in the order of time. */
static void make_samples(stats_random *random, noise kind, size_t count, double *values)
{
    double z = normal(random);
    for (size_t i = 0; i < count; i++) {
        const double u = kind == TWO_HUMPS ? uniform(random) : 0;
        if (kind == LOGNORMAL)
            values[i] = exp(z);
        else if (kind == TWO_HUMPS)
            values[i] = (u < 0.7 ? 1 + 0.02 * u / 0.7 : 1.2 + 0.04 * (u - 0.7) / 0.3) /
                        (1 + 0.02 * 0.5 / 0.7);
        else
            values[i] = 1 + 0.05 * z;
        z = kind == CORRELATED ? 0.5 * z + sqrt(0.75) * normal(random) : normal(random);
    }
}

typedef struct row {
    const char *statistic;
    /* Does the interval of a new data set hold the truth? */
    bool (*holds)(stats_random *random, noise kind, size_t count);
    noise kind;
    size_t count;
    double least, most; /* wanted coverage in %; 0 and 100: shown only */
} row;

static bool within(double low, double truth, double high)
{
    return low <= truth && truth <= high;
}

static bool median_holds(stats_random *random, noise kind, size_t count)
{
    double values[MOST];
    make_samples(random, kind, count, values);
    const stats_interval interval = stats_median_interval(values, count);
    return within(interval.low, 1, interval.high);
}

static bool ratio_holds(stats_random *random, noise kind, size_t count)
{
    double a[MOST], b[MOST];
    make_samples(random, kind, count, a);
    make_samples(random, kind, count, b);
    const stats_ratio ratio = stats_median_ratio(a, count, b, count, 1);
    return within(ratio.low, 1, ratio.high);
}

/* count runs a side, each with an error of its own of 2 %. */
static bool grouped_holds(stats_random *random, noise kind, size_t count)
{
    double values[MOST];
    stats_run runs[MOST / RUN_SAMPLES];
    for (size_t r = 0; r < 2 * count; r++) {
        double *samples = values + r * RUN_SAMPLES;
        const double error = exp(0.02 * normal(random));
        make_samples(random, kind, RUN_SAMPLES, samples);
        for (size_t i = 0; i < RUN_SAMPLES; i++)
            samples[i] *= error;
        runs[r] = (stats_run){samples, RUN_SAMPLES};
    }
    const stats_ratio ratio = stats_median_ratio_grouped(runs, count, runs + count, count, 1);
    return within(ratio.low, 1, ratio.high);
}

static bool trend_holds(stats_random *random, noise kind, size_t count)
{
    double values[MOST], times[MOST];
    make_samples(random, kind, count, values);
    for (size_t i = 0; i < count; i++) {
        times[i] = (double)i;
        values[i] += 0.03 * times[i];
    }
    const stats_slope slope = stats_trend(values, times, count);
    return within(slope.low, 0.03, slope.high);
}

/* Points of t = x[0] + x[1] n + x[2] n^2 under the FLOPs 256 n^2; samples has room for
 * LENGTHS * count. */
static void make_curve(stats_random *random, noise kind, size_t count, const double x[3],
                       fit_point points[LENGTHS], double *samples)
{
    for (int i = 0; i < LENGTHS; i++) {
        const double n = FIRST_LENGTH << i;
        double *own = samples + (size_t)i * count;
        make_samples(random, kind, count, own);
        for (size_t s = 0; s < count; s++)
            own[s] *= x[0] + x[1] * n + x[2] * n * n;
        points[i] = (fit_point){.n = n,
                                .t = stats_median_interval(own, count).median,
                                .flops = 256 * n * n,
                                .samples = own,
                                .count = count};
    }
}

static fit_result fitted(stats_random *random, noise kind, size_t count, double a)
{
    double samples[LENGTHS * MOST];
    fit_point points[LENGTHS];
    make_curve(random, kind, count, (const double[3]){a, 0, 1}, points, samples);
    return fit_analyse(points, LENGTHS, 1);
}

static bool slope_holds(stats_random *random, noise kind, size_t count)
{
    const fit_result fit = fitted(random, kind, count, 0);
    return within(fit.all.low, 2, fit.all.high);
}

static bool half_rate_holds(stats_random *random, noise kind, size_t count)
{
    const fit_result fit = fitted(random, kind, count, 50000);
    return within(fit.half_rate_interval.low, sqrt(50000), fit.half_rate_interval.high);
}

static bool constant_holds(stats_random *random, noise kind, size_t count)
{
    const fit_result fit = fitted(random, kind, count, 50000);
    return within(fit.a_interval.low, 50000, fit.a_interval.high);
}

static bool quadratic_holds(stats_random *random, noise kind, size_t count)
{
    const fit_result fit = fitted(random, kind, count, 50000);
    return within(fit.c_interval.low, 1, fit.c_interval.high);
}

static crossover_result crossing(stats_random *random, noise kind, size_t count,
                                 const double first[3], const double second[3])
{
    double samples[2][LENGTHS * MOST];
    fit_point one[LENGTHS], other[LENGTHS];
    make_curve(random, kind, count, first, one, samples[0]);
    make_curve(random, kind, count, second, other, samples[1]);
    return crossover_find(one, LENGTHS, other, LENGTHS, 1);
}

static bool crossover_holds(stats_random *random, noise kind, size_t count)
{
    static const double first[] = {50000, 100, 1}, second[] = {10000, 100, 1.5};
    const crossover_result result = crossing(random, kind, count, first, second);
    return result.count == 1 && within(result.at[0].low, sqrt(80000), result.at[0].high);
}

/* Without a linear term: half of the fits end at their bound, b = 0. */
static bool bound_crossover_holds(stats_random *random, noise kind, size_t count)
{
    static const double first[] = {50000, 0, 1}, second[] = {10000, 0, 1.5};
    const crossover_result result = crossing(random, kind, count, first, second);
    return result.count == 1 && within(result.at[0].low, sqrt(80000), result.at[0].high);
}

static bool equal_curves(stats_random *random, noise kind, size_t count)
{
    static const double both[] = {50000, 0, 1};
    return crossing(random, kind, count, both, both).count == 0;
}

#define MAIN 93, 97
#define WIDE 93, 100 /* wide rather than wrong: few runs, serial correlation */
#define SHOW 0, 100

static const row rows[] = {
    {"median", median_holds, NORMAL, 6, MAIN},
    {"median", median_holds, NORMAL, 10, MAIN},
    {"median", median_holds, NORMAL, 40, MAIN},
    {"median", median_holds, NORMAL, 100, MAIN},
    {"median", median_holds, LOGNORMAL, 6, MAIN},
    {"median", median_holds, LOGNORMAL, 10, MAIN},
    {"median", median_holds, LOGNORMAL, 40, MAIN},
    {"median", median_holds, TWO_HUMPS, 10, MAIN},
    {"median", median_holds, TWO_HUMPS, 40, MAIN},
    {"median", median_holds, CORRELATED, 40, SHOW},
    {"ratio", ratio_holds, NORMAL, 10, MAIN},
    {"ratio", ratio_holds, NORMAL, 20, MAIN},
    {"ratio", ratio_holds, NORMAL, 40, MAIN},
    {"ratio", ratio_holds, NORMAL, 100, MAIN},
    {"ratio", ratio_holds, LOGNORMAL, 10, MAIN},
    {"ratio", ratio_holds, LOGNORMAL, 40, MAIN},
    {"ratio", ratio_holds, LOGNORMAL, 100, MAIN},
    {"ratio", ratio_holds, TWO_HUMPS, 10, MAIN},
    {"ratio", ratio_holds, TWO_HUMPS, 40, MAIN},
    {"ratio", ratio_holds, TWO_HUMPS, 100, MAIN},
    {"ratio", ratio_holds, CORRELATED, 10, SHOW},
    {"ratio", ratio_holds, CORRELATED, 20, SHOW},
    {"ratio", ratio_holds, CORRELATED, 40, WIDE},
    {"ratio", ratio_holds, CORRELATED, 100, WIDE},
    {"ratio, runs", grouped_holds, NORMAL, 2, WIDE},
    {"ratio, runs", grouped_holds, NORMAL, 3, WIDE},
    {"ratio, runs", grouped_holds, NORMAL, 5, WIDE},
    {"ratio, runs", grouped_holds, NORMAL, 8, MAIN},
    {"trend", trend_holds, NORMAL, 10, MAIN},
    {"trend", trend_holds, NORMAL, 40, MAIN},
    {"trend", trend_holds, NORMAL, 200, MAIN},
    {"trend", trend_holds, LOGNORMAL, 40, MAIN},
    {"trend", trend_holds, CORRELATED, 40, SHOW},
    {"trend", trend_holds, CORRELATED, 200, WIDE},
    {"slope", slope_holds, NORMAL, 10, MAIN},
    {"slope", slope_holds, NORMAL, 40, MAIN},
    {"slope", slope_holds, LOGNORMAL, 40, MAIN},
    {"a", constant_holds, NORMAL, 20, SHOW},
    {"c", quadratic_holds, NORMAL, 20, SHOW},
    {"n_1/2", half_rate_holds, NORMAL, 20, SHOW},
    {"crossover", crossover_holds, NORMAL, 10, MAIN},
    {"crossover", crossover_holds, NORMAL, 40, MAIN},
    {"crossover, b=0", bound_crossover_holds, NORMAL, 40, WIDE},
    {"no crossover", equal_curves, NORMAL, 10, WIDE},
};

int main(int argc, char **argv)
{
    const long sets = argc > 1 ? strtol(argv[1], NULL, 10) : SETS;
    if (sets < 1 || sets > 1000000) {
        fprintf(stderr, "SETS: want 1..1000000\n");
        return 2;
    }
    /* With fewer sets, three standard deviations of a coverage of 95 % more. */
    const double more = sets < SETS ? 300 * sqrt(0.05 * 0.95 / (double)sets) : 0;
    int status = 0;
    printf("statistic       noise      n    coverage\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        stats_random random = stats_random_start(i);
        long held = 0;
        for (long set = 0; set < sets; set++)
            held += r->holds(&random, r->kind, r->count);
        const double coverage = 100 * (double)held / (double)sets;
        const bool wanted = within(r->least - more, coverage, r->most + more);
        printf("%-14s  %-9s  %3zu  %5.1f %%%s\n", r->statistic, noise_name[r->kind], r->count,
               coverage, wanted ? "" : "  outside");
        fflush(stdout);
        status |= !wanted;
    }
    return status;
}
