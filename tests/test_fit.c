/* SPDX-License-Identifier: Apache-2.0
 *
 * The scaling curve against curves whose coefficients are known.
 */
#include "unit.h"

#include <math.h>

#include "harness/fit.h"

#define GRID   6 /* n = 64, 128, ..., 2048 */
#define ENOUGH 6 /* samples of each point */

static void assert_close(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* t = a + b n + c n^2 times unit, FLOPs ~ n^flops_power; as many samples, all equal, as a verdict
 * needs. They last until the next call. */
static void curve(fit_point points[GRID], double a, double b, double c, double unit,
                  double flops_power)
{
    static double samples[GRID][ENOUGH];
    for (int i = 0; i < GRID; i++) {
        double n = 64 << i;
        points[i] = (fit_point){.n = n,
                                .t = (a + b * n + c * n * n) * unit,
                                .flops = 256 * pow(n, flops_power),
                                .samples = samples[i],
                                .count = ENOUGH};
        for (int s = 0; s < ENOUGH; s++)
            samples[i][s] = points[i].t;
    }
}

static void fifty_microseconds_in_every_unit(void **state)
{
    (void)state;
    static const double units[] = {1e-9, 1e-6, 1e-3, 1}; /* s, ms, us, ns */
    for (size_t u = 0; u < 4; u++) {
        fit_point points[GRID];
        curve(points, 50000, 0, 1, units[u], 2);
        fit_result f = fit_analyse(points, GRID, 1);
        assert_close(f.a / units[u], 50000, 1e-3);
        assert_close(f.b / units[u], 0, 1e-5);
        assert_close(f.c / units[u], 1, 1e-8);
        assert_close(f.dominant_from, sqrt(500000), 1e-3); /* 707: leaves 1024 and 2048 */
        assert_int_equal(f.distinct, GRID);
        assert_int_equal(f.verdict, FIT_GROWS_AS_FLOPS);
        /* 1.95: the 50 us still show, and are no reason to doubt the growth. */
        assert_close(f.tail.value, log2((50000 + 4194304.0) / (50000 + 1048576.0)), 1e-12);
        assert_close(f.tail.flops, 2, 1e-12);
        assert_true(f.tail.low == f.tail.high);
    }
}

static void every_coefficient_comes_back(void **state)
{
    (void)state;
    static const double known[][3] = {{0, 0, 2},  {0, 3, 0},      {7, 0, 0},  {5e4, 10, 0},
                                      {0, 30, 1}, {2e5, 40, 0.5}, {1e3, 0, 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fit_point points[GRID];
        double x[3];
        curve(points, known[i][0], known[i][1], known[i][2], 1, 2);
        assert_true(fit_curve(points, GRID, x));
        assert_close(x[0], known[i][0], 1e-6 * (known[i][0] + 1));
        assert_close(x[1], known[i][1], 1e-6 * (known[i][1] + 1));
        assert_close(x[2], known[i][2], 1e-6 * (known[i][2] + 1));
    }
}

/* Where the unconstrained optimum has b < 0, the best of the feasible fits has b = 0. */
static void coefficients_stay_positive(void **state)
{
    (void)state;
    fit_point points[GRID];
    double x[3];
    curve(points, 90000, -40, 1, 1, 2);
    assert_true(fit_curve(points, GRID, x));
    assert_true(x[0] > 0 && x[1] == 0 && x[2] > 0);
    curve(points, -3000, 0, 1, 1, 2); /* positive times, negative intercept */
    assert_true(fit_curve(points, GRID, x));
    assert_true(x[0] == 0 && x[1] >= 0 && x[2] > 0);
}

static void too_few_points(void **state)
{
    (void)state;
    fit_point points[GRID];
    curve(points, 50000, 0, 1, 1, 2);
    fit_result one = fit_analyse(points, 1, 1);
    assert_int_equal(one.verdict, FIT_TOO_FEW_POINTS);
    assert_string_equal(fit_verdict_text(one.verdict), "not enough points");
    assert_true(isnan(one.a) && isnan(one.c) && isnan(one.all.value));

    fit_point equal[] = {points[2], points[2]};
    fit_result two_equal = fit_analyse(equal, 2, 1);
    assert_int_equal(two_equal.distinct, 1);
    assert_int_equal(two_equal.verdict, FIT_TOO_FEW_POINTS);
    assert_true(isnan(two_equal.all.value));

    fit_result two = fit_analyse(points, 2, 1);
    assert_int_equal(two.verdict, FIT_TOO_FEW_POINTS);
    assert_true(two.all.value > 0); /* a slope needs but two */
    assert_int_equal(fit_analyse(NULL, 0, 1).verdict, FIT_TOO_FEW_POINTS);
}

static void failed_and_repeated_points(void **state)
{
    (void)state;
    fit_point clean[GRID], points[GRID + 5];
    curve(clean, 50000, 0, 1, 1, 2);
    fit_result want = fit_analyse(clean, GRID, 1);
    memcpy(points, clean, sizeof clean);
    points[GRID] = (fit_point){.n = 4096, .t = NAN};
    points[GRID + 1] = (fit_point){.n = 4096, .t = 0};
    points[GRID + 2] = (fit_point){.n = 4096, .t = INFINITY};
    points[GRID + 3] = (fit_point){.n = 4096, .t = -1};
    fit_result failed = fit_analyse(points, GRID + 4, 1);
    assert_int_equal(failed.distinct, GRID);
    assert_true(failed.a == want.a && failed.c == want.c && failed.all.value == want.all.value);

    points[GRID + 4] = clean[3]; /* n = 512 twice */
    fit_result twice = fit_analyse(points, GRID + 5, 1);
    assert_int_equal(twice.distinct, GRID);
    assert_close(twice.a, 50000, 1e-3);
    assert_close(twice.c, 1, 1e-8);
}

static void verdicts(void **state)
{
    (void)state;
    fit_point points[GRID];
    curve(points, 10, 0, 1, 1, 2.3);
    assert_int_equal(fit_analyse(points, GRID, 1).verdict, FIT_FLATTER_THAN_FLOPS);
    curve(points, 10, 0, 1, 1, 1.5);
    assert_int_equal(fit_analyse(points, GRID, 1).verdict, FIT_STEEPER_THAN_FLOPS);
    curve(points, 10, 100, 0, 1, 2); /* linear under quadratic FLOPs: c n^2 dominates nowhere */
    fit_result linear = fit_analyse(points, GRID, 1);
    assert_int_equal(linear.verdict, FIT_NOTHING_DOMINATES);
    assert_true(isinf(linear.dominant_from) && isnan(linear.tail.value));
    curve(points, 1e6, 0, 1, 1, 2); /* beyond n = 3162 only */
    assert_int_equal(fit_analyse(points, GRID, 1).verdict, FIT_NOTHING_DOMINATES);
}

/* Decode over the number of keys: FLOPs and time grow linearly. */
static void verdicts_of_linear_growth(void **state)
{
    (void)state;
    fit_point points[GRID];
    curve(points, 3000, 100, 0, 1, 1);
    fit_result linear = fit_analyse(points, GRID, 1);
    assert_int_equal(linear.verdict, FIT_GROWS_AS_FLOPS);
    assert_close(linear.dominant_from, 300, 1e-6); /* leaves 512, 1024 and 2048 */
    assert_close(linear.tail.flops, 1, 1e-12);
    assert_true(linear.tail.value > 0.95 && linear.tail.value < 1);
    curve(points, 200, 10, 1, 1, 1); /* n^2 + 10 n = 2000: beyond n = 40 */
    fit_result steep = fit_analyse(points, GRID, 1);
    assert_int_equal(steep.verdict, FIT_STEEPER_THAN_FLOPS);
    assert_close(steep.dominant_from, 40, 1e-6);
    curve(points, 1e6, 1, 0, 1, 1);
    assert_int_equal(fit_analyse(points, GRID, 1).verdict, FIT_NOTHING_DOMINATES);
    curve(points, 7, 0, 0, 1, 1); /* time does not grow at all */
    fit_result constant = fit_analyse(points, GRID, 1);
    assert_int_equal(constant.verdict, FIT_NOTHING_DOMINATES);
    assert_true(isinf(constant.dominant_from));
}

/* Five samples carry no interval; one such point is enough to take the verdict away. */
static void too_few_samples(void **state)
{
    (void)state;
    for (int few = 0; few < GRID; few++)
        for (size_t count = 0; count <= ENOUGH; count++) {
            fit_point points[GRID];
            curve(points, 10, 0, 1, 1, 2);
            points[few].count = count;
            fit_result f = fit_analyse(points, GRID, 1);
            assert_int_equal(f.verdict, count < ENOUGH ? FIT_TOO_FEW_SAMPLES : FIT_GROWS_AS_FLOPS);
            assert_int_equal(isnan(f.all.low) && isnan(f.all.high), count < ENOUGH);
            assert_true(f.all.value > 1.9 && f.a > 9);
        }
    assert_string_equal(fit_verdict_text(FIT_TOO_FEW_SAMPLES), "not enough samples");
}

static void bootstrap_interval(void **state)
{
    (void)state;
    enum { SAMPLES = 10 };
    double samples[GRID][SAMPLES];
    fit_point points[GRID];
    uint64_t random = 3;
    curve(points, 0, 0, 1, 1, 2);
    for (int i = 0; i < GRID; i++) {
        for (int s = 0; s < SAMPLES; s++) /* +-10 % */
            samples[i][s] = points[i].t * (0.9 + 0.2 * (next_random(&random) % 1000) / 1000);
        points[i].samples = samples[i];
        points[i].count = SAMPLES;
    }
    fit_result f = fit_analyse(points, GRID, 9), again = fit_analyse(points, GRID, 9);
    assert_true(f.all.low < 2 && 2 < f.all.high);
    assert_true(f.all.high - f.all.low < 0.2 && f.all.high - f.all.low > 0.005);
    assert_true(f.all.low == again.all.low && f.all.high == again.all.high);
    assert_true(fit_analyse(points, GRID, 10).all.low != f.all.low);
    assert_true(f.c_interval.low < 1 && 1 < f.c_interval.high);
    assert_true(f.c_interval.low > 0.8 && f.c_interval.high < 1.2);
    assert_true(f.a_interval.low >= 0 && f.b_interval.low >= 0);
    assert_true(f.a_interval.low <= f.a && f.a <= f.a_interval.high);
    assert_true(f.half_rate >= 0 && f.half_rate_interval.high < 150);
}

/* With FLOPs f n^2 half the plateau f/c is where c n^2 = a + b n. */
static void half_rate(void **state)
{
    (void)state;
    fit_point points[GRID];
    curve(points, 50000, 0, 1, 1e-9, 2);
    fit_result f = fit_analyse(points, GRID, 1);
    assert_close(f.half_rate, sqrt(50000), 1e-3);
    assert_close(f.half_rate_interval.low, sqrt(50000), 1e-3); /* equal samples */
    assert_close(f.half_rate_interval.high, sqrt(50000), 1e-3);
    curve(points, 50000, 100, 0.5, 1, 2);
    assert_close(fit_analyse(points, GRID, 1).half_rate, 100 + sqrt(10000 + 100000), 1e-3);
    curve(points, 0, 0, 1, 1, 2); /* at its plateau everywhere */
    assert_close(fit_analyse(points, GRID, 1).half_rate, 0, 1e-3);
    curve(points, 3000, 10, 0, 1, 1); /* linear: b n = a */
    assert_close(fit_analyse(points, GRID, 1).half_rate, 300, 1e-3);
    curve(points, 50000, 0, 1, 1, 2);
    for (int i = 0; i < GRID; i++) /* causal: 2 n (n + 1) = n^2 + 50000 */
        points[i].flops = points[i].n * (points[i].n + 1);
    assert_close(fit_analyse(points, GRID, 1).half_rate, sqrt(50001) - 1, 1e-3);
}

static void no_half_rate(void **state)
{
    (void)state;
    static const double none[][4] = {
        {1000, 10, 0, 2}, /* the rate grows without a limit */
        {1e8, 0, 1, 2},   /* n = 10000, beyond the grid */
        {1000, 0, 1, 1},  /* the rate falls to 0 */
        {1000, 0, 1, 1.5} /* FLOPs that are no polynomial */
    };
    fit_point points[GRID];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        curve(points, none[i][0], none[i][1], none[i][2], 1, none[i][3]);
        const fit_result f = fit_analyse(points, GRID, 1);
        assert_true(isnan(f.half_rate) && isnan(f.half_rate_interval.low));
        assert_false(isnan(f.c_interval.low));
    }
    curve(points, 1000, 0, 1, 1, 2);
    points[2].flops = 0; /* unknown */
    assert_true(isnan(fit_analyse(points, GRID, 1).half_rate));
    const fit_result few = fit_analyse(points, 2, 1);
    assert_true(isnan(few.half_rate) && isnan(few.a_interval.low) && isnan(few.c_interval.high));
    curve(points, 1000, 0, 1, 1, 2);
    points[1].count = 5;
    const fit_result unsampled = fit_analyse(points, GRID, 1);
    assert_true(unsampled.half_rate > 31 && isnan(unsampled.half_rate_interval.low));
    assert_true(isnan(unsampled.b_interval.high));
}

static void local_exponents(void **state)
{
    (void)state;
    fit_point points[GRID];
    curve(points, 0, 0, 1, 1, 2);
    for (size_t i = 0; i + 1 < GRID; i++)
        assert_close(fit_local_exponent(points, GRID, i), 2, 1e-12);
    assert_true(isnan(fit_local_exponent(points, GRID, GRID - 1)));
    points[1].t = NAN;
    assert_true(isnan(fit_local_exponent(points, GRID, 0)));
    assert_true(isnan(fit_local_exponent(points, GRID, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifty_microseconds_in_every_unit),
        cmocka_unit_test(every_coefficient_comes_back),
        cmocka_unit_test(coefficients_stay_positive),
        cmocka_unit_test(too_few_points),
        cmocka_unit_test(failed_and_repeated_points),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(verdicts_of_linear_growth),
        cmocka_unit_test(too_few_samples),
        cmocka_unit_test(bootstrap_interval),
        cmocka_unit_test(half_rate),
        cmocka_unit_test(no_half_rate),
        cmocka_unit_test(local_exponents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
