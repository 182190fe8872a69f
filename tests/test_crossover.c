/* SPDX-License-Identifier: Apache-2.0
 *
 * Crossovers of curves that are known.
 */
#include "unit.h"

#include <math.h>

#include "harness/crossover.h"
#include "harness/stats.h"

enum { GRID = 6, SAMPLES = 20 }; /* n = 64, 128, ..., 2048 */

typedef struct curve {
    fit_point points[GRID];
    double samples[GRID][SAMPLES];
} curve;

static stats_random noise;

/* t = (a + b n + c n^2) unit, +- spread. */
static void make(curve *c, double a, double b, double quadratic, double spread, double unit)
{
    for (int i = 0; i < GRID; i++) {
        const double n = 64 << i;
        for (int s = 0; s < SAMPLES; s++) {
            const double u = stats_random_below(&noise, 1001) / 500.0 - 1;
            c->samples[i][s] = (a + b * n + quadratic * n * n) * (1 + spread * u) * unit;
        }
        c->points[i] = (fit_point){.n = n, .samples = c->samples[i], .count = SAMPLES};
        c->points[i].t = stats_median_interval(c->samples[i], SAMPLES).median;
    }
}

/* Multiplies the times at n and beyond: a cache that overflows. */
static void step(curve *c, double n, double factor)
{
    for (int i = 0; i < GRID; i++)
        for (int s = 0; c->points[i].n >= n && s <= SAMPLES; s++)
            *(s == SAMPLES ? &c->points[i].t : &c->samples[i][s]) *= factor;
}

static crossover_result find(const curve *one, const curve *other)
{
    return crossover_find(one->points, GRID, other->points, GRID, 1);
}

static void assert_close(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* 50000 + n^2 and 10000 + 1.5 n^2 meet at n = sqrt(80000) = 282.8, in every unit of time. */
static void one_crossing_in_every_unit(void **state)
{
    (void)state;
    static const double units[] = {1e-9, 1e-6, 1e-3, 1}; /* s, ms, us, ns */
    for (int u = 0; u < 4; u++) {
        curve one, other;
        make(&one, 50000, 0, 1, 0, units[u]);
        make(&other, 10000, 0, 1.5, 0, units[u]);
        crossover_result r = find(&one, &other);
        assert_int_equal(r.count, 1);
        assert_close(r.at[0].n, sqrt(80000), 1e-3);
        assert_close(r.at[0].low, sqrt(80000), 1e-2);
        assert_close(r.at[0].high, sqrt(80000), 1e-2);
        assert_true(r.at[0].confirmed && r.from == 64 && r.to == 2048);
        assert_int_equal(r.side[0], CROSSOVER_SECOND);
        assert_int_equal(r.side[1], CROSSOVER_FIRST);
        r = find(&other, &one);
        assert_int_equal(r.side[0], CROSSOVER_FIRST);
        assert_int_equal(r.side[1], CROSSOVER_SECOND);
    }
}

static void noise_widens_the_interval(void **state)
{
    (void)state;
    curve one, other;
    noise = stats_random_start(1);
    make(&one, 50000, 0, 1, 0.05, 1);
    make(&other, 10000, 0, 1.5, 0.05, 1);
    const crossover_result r = find(&one, &other), again = find(&one, &other);
    assert_int_equal(r.count, 1);
    assert_true(r.at[0].low < sqrt(80000) && sqrt(80000) < r.at[0].high);
    assert_true(r.at[0].low < r.at[0].n && r.at[0].n < r.at[0].high);
    assert_true(r.at[0].high / r.at[0].low < 1.5 && r.at[0].high / r.at[0].low > 1.02);
    assert_true(r.at[0].confirmed); /* at n = 256 or 128, and 512 */
    assert_true(r.at[0].low == again.at[0].low && r.at[0].high == again.at[0].high);
}

/* 90000 + n^2 and 700 n meet at n = 350 -+ sqrt(32500): 169.7 and 530.3. */
static void two_crossings(void **state)
{
    (void)state;
    curve one, other;
    noise = stats_random_start(2);
    make(&one, 90000, 0, 1, 0.02, 1);
    make(&other, 0, 700, 0, 0.02, 1);
    const crossover_result r = find(&one, &other);
    const double middle = 350, half = sqrt(350 * 350 - 90000);
    assert_int_equal(r.count, 2);
    for (int i = 0; i < 2; i++) {
        const double want = i == 0 ? middle - half : middle + half;
        assert_true(r.at[i].low < want && want < r.at[i].high);
        assert_close(r.at[i].n / want, 1, 0.1);
        assert_true(r.at[i].confirmed);
    }
    assert_int_equal(r.side[0], CROSSOVER_SECOND);
    assert_int_equal(r.side[1], CROSSOVER_FIRST);
    assert_int_equal(r.side[2], CROSSOVER_SECOND);
}

static void parallel_and_equal_curves(void **state)
{
    (void)state;
    curve one, other;
    noise = stats_random_start(3);
    make(&one, 50000, 10, 1, 0.03, 1);
    make(&other, 60000, 12, 1.2, 0.03, 1);
    crossover_result r = find(&one, &other);
    assert_int_equal(r.count, 0);
    assert_int_equal(r.side[0], CROSSOVER_FIRST);
    assert_int_equal(find(&one, &one).count, 0); /* the same noise, resampled twice */
    make(&one, 50000, 10, 1, 0, 1);
    r = find(&one, &one);
    assert_int_equal(r.count, 0);
    assert_int_equal(r.side[0], CROSSOVER_NEITHER);
    assert_true(r.from == 64);
    /* Equal but for noise: hardly ever a crossover. */
    int found = 0;
    for (int trial = 0; trial < 60; trial++) {
        make(&one, 50000, 10, 1, 0.05, 1);
        make(&other, 50000, 10, 1, 0.05, 1);
        found += find(&one, &other).count > 0;
    }
    assert_in_range(found, 0, 4);
}

/* The first curve is 10 % faster until, at n = 512, its times double. The fits know no steps: what
 * they say is confirmed where the measurements beside agree. */
static void cache_steps(void **state)
{
    (void)state;
    curve one, other;
    noise = stats_random_start(4);
    make(&one, 0, 0, 0.9, 0.01, 1);
    make(&other, 0, 0, 1, 0.01, 1);
    assert_int_equal(find(&one, &other).count, 0);
    step(&one, 512, 2);
    crossover_result r = find(&one, &other);
    for (size_t i = 0; i < r.count; i++)
        assert_true(!r.at[i].confirmed || (r.at[i].low <= 512 && r.at[i].high >= 256));
    /* Ten times slower throughout, a step makes no crossover. */
    make(&one, 0, 0, 10, 0.01, 1);
    step(&one, 512, 2);
    r = find(&one, &other);
    assert_int_equal(r.count, 0);
    assert_int_equal(r.side[0], CROSSOVER_SECOND);
}

/* One odd point, n = 512, where the second curve is faster against what the fits say. */
static void measurements_may_disagree(void **state)
{
    (void)state;
    curve one, other;
    noise = stats_random_start(5);
    make(&one, 50000, 0, 1, 0.01, 1);
    make(&other, 10000, 0, 1.5, 0.01, 1);
    assert_true(find(&one, &other).at[0].confirmed);
    step(&other, 512, 0.6);
    step(&other, 1024, 1 / 0.6);
    const crossover_result r = find(&one, &other);
    assert_int_equal(r.count, 1);
    assert_true(256 < r.at[0].low && r.at[0].high < 512);
    assert_false(r.at[0].confirmed);
}

static void missing_points(void **state)
{
    (void)state;
    curve one, other;
    make(&one, 50000, 0, 1, 0, 1);
    make(&other, 10000, 0, 1.5, 0, 1);
    one.points[0].t = NAN;          /* n = 64 failed */
    other.points[5].count = 5;      /* n = 2048 has too few samples */
    other.points[2].samples = NULL; /* n = 256 */
    crossover_result r = find(&one, &other);
    assert_true(r.from == 128 && r.to == 1024);
    assert_int_equal(r.count, 1);
    assert_close(r.at[0].n, sqrt(80000), 1e-3);
    assert_true(r.at[0].confirmed); /* at 128 and 512 */
    /* Nothing was measured on one side of it: found, not confirmed. */
    other.points[0].t = other.points[1].t = NAN;
    one.points[3].count = 0;
    r = find(&one, &other);
    assert_true(isnan(r.from) || r.from >= 512);
    assert_int_equal(r.count, 0);
    /* No common range; too few points; nothing. */
    assert_true(isnan(crossover_find(one.points, 2, other.points, GRID, 1).from));
    assert_true(isnan(crossover_find(NULL, 0, NULL, 0, 1).from));
    make(&one, 50000, 0, 1, 0, 1);
    make(&other, 10000, 0, 1.5, 0, 1);
    assert_true(isnan(crossover_find(one.points, 3, other.points + 3, 3, 1).from));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_crossing_in_every_unit),
        cmocka_unit_test(noise_widens_the_interval),
        cmocka_unit_test(two_crossings),
        cmocka_unit_test(parallel_and_equal_curves),
        cmocka_unit_test(cache_steps),
        cmocka_unit_test(measurements_may_disagree),
        cmocka_unit_test(missing_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
