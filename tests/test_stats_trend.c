/* SPDX-License-Identifier: Apache-2.0
 *
 * Serial correlation and trends against known answers.
 */
#include "unit.h"

#include <math.h>

#include "harness/stats.h"

enum { MANY = 4000 };

static double uniform(stats_random *random)
{
    return (stats_random_below(random, 1u << 30) + 0.5) * 0x1p-30;
}

static double normal(stats_random *random)
{
    const double radius = sqrt(-2 * log(uniform(random)));
    return radius * cos(6.283185307179586 * uniform(random));
}

static double autoregression(double rho, size_t count)
{
    static double values[MANY];
    stats_random random = stats_random_start(4);
    double z = normal(&random);
    for (size_t i = 0; i < count; i++) {
        values[i] = exp(z); /* ranks do not care */
        z = rho * z + sqrt(1 - rho * rho) * normal(&random);
    }
    return stats_effective_samples(values, count) / (double)count;
}

static void effective_samples(void **state)
{
    (void)state;
    assert_true(autoregression(0, MANY) > 0.93);
    const double half =
        autoregression(0.5, MANY); /* (1 - 0.5) / (1 + 0.5), a little more by ranks */
    assert_true(half > 0.30 && half < 0.40);
    assert_true(autoregression(0.9, MANY) < 0.08);
    assert_true(autoregression(-0.5, MANY) == 1);
    double rising[40], equal[40];
    for (int i = 0; i < 40; i++) {
        rising[i] = i;
        equal[i] = 7;
    }
    const double least = stats_effective_samples(rising, 40);
    assert_true(least > 0.9 && least < 2);
    assert_true(stats_effective_samples(equal, 40) == 40);
    assert_true(stats_effective_samples(rising, 5) == 5);
    assert_true(stats_effective_samples(NULL, 0) == 0);
}

static void lines_come_back(void **state)
{
    (void)state;
    static double values[MANY], times[MANY];
    static const size_t counts[] = {2, 6, 199, 200, 201, 1000, MANY};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (size_t i = 0; i < counts[c]; i++) {
            times[i] = 100 + 0.5 * (double)i;
            values[i] = 3 - 0.25 * times[i];
        }
        const stats_slope slope = stats_trend(values, times, counts[c]);
        assert_true(fabs(slope.value + 0.25) < 1e-12);
        assert_true(counts[c] < 6
                        ? isnan(slope.low) && isnan(slope.high)
                        : fabs(slope.low + 0.25) < 1e-9 && fabs(slope.high + 0.25) < 1e-9);
    }
    times[0] = times[1];
    assert_true(isnan(stats_trend(values, times, 2).value)); /* one time has no slope */
    assert_true(isnan(stats_trend(values, times, 1).value));
    assert_true(isnan(stats_trend(NULL, NULL, 0).value));
}

/* Sen's own virtue: values far off do not move the slope. */
static void outliers_do_not_matter(void **state)
{
    (void)state;
    double values[20], times[20];
    for (int i = 0; i < 20; i++) {
        times[i] = i;
        values[i] = 2 * i;
    }
    values[3] = 1e6;
    values[17] = -1e6;
    const stats_slope slope = stats_trend(values, times, 20);
    assert_true(slope.value == 2 && slope.low <= 2 && 2 <= slope.high);
}

/* 190 pairs; S stays within 1.96 sqrt(950) = 60.4: the slopes of ranks 64.3 and 124.7, from 0. The
 * values are such that all slopes differ. */
static void interval_is_kendalls(void **state)
{
    (void)state;
    double values[20], times[20], slopes[190];
    stats_random random = stats_random_start(1);
    size_t pairs = 0;
    for (int i = 0; i < 20; i++) {
        times[i] = i;
        values[i] = (i % 2 ? 1 : -1) * (1 + uniform(&random)); /* no positive serial correlation */
        for (int j = 0; j < i; j++)
            slopes[pairs++] = (values[i] - values[j]) / (times[i] - times[j]);
    }
    const stats_slope slope = stats_trend(values, times, 20);
    size_t below_low = 0, below_high = 0;
    for (size_t i = 0; i < pairs; i++) {
        below_low += slopes[i] < slope.low;
        below_high += slopes[i] < slope.high;
    }
    assert_in_range(below_low, 64, 66);
    assert_in_range(below_high, 124, 126);
}

static void drift_of_thousands(void **state)
{
    (void)state;
    static double values[MANY], times[MANY];
    stats_random random = stats_random_start(8);
    for (int i = 0; i < MANY; i++) {
        times[i] = 0.01 * i;
        values[i] = 10 + 0.02 * times[i] + normal(&random);
    }
    const stats_slope slope = stats_trend(values, times, MANY);
    assert_true(slope.low < 0.02 && 0.02 < slope.high && slope.low > 0.01 && slope.high < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effective_samples),      cmocka_unit_test(lines_come_back),
        cmocka_unit_test(outliers_do_not_matter), cmocka_unit_test(interval_is_kendalls),
        cmocka_unit_test(drift_of_thousands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
