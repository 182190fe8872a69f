/* SPDX-License-Identifier: Apache-2.0
 *
 * Order statistics and resampling against known answers.
 */
#include "unit.h"

#include <math.h>

#include "attn/inputs.h"
#include "harness/stats.h"

static double median(const double *values, size_t count)
{
    return stats_median_interval(values, count).median;
}

static void medians(void **state)
{
    (void)state;
    const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7}, equal[] = {5, 5, 5, 5};
    assert_true(median(odd, 3) == 2);
    assert_true(median(even, 4) == 2.5);
    assert_true(median(one, 1) == 7);
    assert_true(median(equal, 4) == 5);
    assert_true(isnan(median(NULL, 0)));
}

static uint64_t binomial(unsigned n, unsigned k)
{
    uint64_t c = 1;
    for (unsigned i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

static void interval_ranks(void **state)
{
    (void)state;
    /* The published table of the sign test, two-sided 5 %. */
    static const size_t known[][2] = {{1, 0},  {5, 0},  {6, 1},  {8, 1},  {9, 2},   {10, 2},
                                      {12, 3}, {15, 4}, {20, 6}, {25, 8}, {30, 10}, {100, 40}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(stats_interval_rank(known[i][0]), known[i][1]);
    /* Exact integers: the largest k with 2 P(X < k) <= 1/20. */
    for (unsigned n = 1; n <= 58; n++) {
        uint64_t missed = 0, all = UINT64_C(1) << n;
        size_t rank = 0;
        while (rank < n / 2 && 40 * (missed + binomial(n, (unsigned)rank)) <= all)
            missed += binomial(n, (unsigned)rank++);
        assert_int_equal(stats_interval_rank(n), rank);
    }
    assert_int_equal(stats_interval_rank(10000), 4902); /* 5000 - 0.98 * 100, where 2^-n is 0 */
}

static void interval_of_samples(void **state)
{
    (void)state;
    const double samples[] = {9, 2, 7, 4, 5, 6, 3, 8, 1, 10};
    stats_interval all = stats_median_interval(samples, 10);
    assert_true(all.median == 5.5 && all.low == 2 && all.high == 9);
    stats_interval few = stats_median_interval(samples, 5);
    assert_true(few.median == 5 && isnan(few.low) && isnan(few.high));
    stats_interval none = stats_median_interval(samples, 0);
    assert_true(isnan(none.median) && isnan(none.low));
}

/* Skewed values (u^4), true median 1/16: the interval must hold it in at least 95 % of trials;
 * for 10 values the binomial says 97.9 %. */
static void interval_covers(void **state)
{
    (void)state;
    enum { TRIALS = 4000, VALUES = 10 };
    stats_random random = stats_random_start(1);
    int covered = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double values[VALUES];
        for (int i = 0; i < VALUES; i++)
            values[i] = pow((stats_random_below(&random, 1u << 24) + 0.5) * 0x1p-24, 4);
        stats_interval interval = stats_median_interval(values, VALUES);
        covered += interval.low <= 0.0625 && 0.0625 <= interval.high;
    }
    assert_in_range(covered, TRIALS * 970 / 1000, TRIALS * 987 / 1000);
}

static void random_numbers(void **state)
{
    (void)state;
    stats_random a = stats_random_start(42), b = stats_random_start(42), c = stats_random_start(43);
    unsigned count[3] = {0}, differing = 0;
    for (int i = 0; i < 30000; i++) {
        uint32_t x = stats_random_below(&a, 3);
        assert_in_range(x, 0, 2);
        assert_int_equal(x, stats_random_below(&b, 3));
        differing += x != stats_random_below(&c, 3);
        count[x]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(count[i], 9700, 10300);
    assert_in_range(differing, 19000, 21000);
    assert_int_equal(stats_random_below(&a, 1), 0);

    /* The words are Philox's, block 0 first; the top bit decides between two. */
    const uint32_t counter[4] = {0}, key[2] = {7, 0};
    uint32_t block[4];
    attn_philox(counter, key, block);
    stats_random d = stats_random_start(7);
    for (int i = 0; i < 4; i++)
        assert_int_equal(stats_random_below(&d, 2), block[i] >> 31);
}

static void resampling(void **state)
{
    (void)state;
    double scratch[5], draws[1001], low, high;
    const double same[] = {3, 3, 3, 3, 3}, mixed[] = {1, 2, 3, 4, 100};
    stats_random random = stats_random_start(5);
    unsigned seen = 0;
    for (int i = 0; i < 200; i++) {
        assert_true(stats_resampled_median(&random, same, 5, 5, scratch) == 3);
        double m = stats_resampled_median(&random, mixed, 5, 5, scratch);
        for (unsigned j = 0; j < 5; j++)
            seen |= m == mixed[j] ? 1u << j : 0;
    }
    assert_int_equal(seen & 0xe, 0xe); /* 2, 3 and 4 at least */
    for (int i = 0; i <= 1000; i++)
        draws[i] = (i * 10) % 1001; /* a permutation */
    stats_percentile_interval(draws, 1001, &low, &high);
    assert_true(fabs(low - 25) < 1e-9 && fabs(high - 975) < 1e-9);
    double lone = 4;
    stats_percentile_interval(&lone, 1, &low, &high);
    assert_true(low == 4 && high == 4);
}

static void ratios(void **state)
{
    (void)state;
    const double ten[] = {10, 10, 10, 10, 10, 10}, four[] = {4, 4, 4, 4, 4, 4, 4};
    stats_ratio exact = stats_median_ratio(ten, 6, four, 7, 1);
    assert_true(exact.value == 2.5 && exact.low == 2.5 && exact.high == 2.5);
    stats_ratio few = stats_median_ratio(ten, 5, four, 7, 1);
    assert_true(few.value == 2.5 && isnan(few.low) && isnan(few.high));
    few = stats_median_ratio(ten, 6, four, 5, 1);
    assert_true(few.value == 2.5 && isnan(few.low) && isnan(few.high));
    assert_true(isnan(stats_median_ratio(NULL, 0, four, 7, 1).value));

    /* One side constant: half of the other's resampled median. That of 15 values 1..15 is at most 3
     * with probability 0.0042, 4 with 0.0255, 5 with 0.088, and the same from above: the quantiles
     * are 4 or 5, and 11 or 12. */
    double rising[15];
    for (int i = 0; i < 15; i++)
        rising[i] = 1 + (i * 4) % 15;
    const double two[] = {2, 2, 2, 2, 2, 2};
    stats_ratio a = stats_median_ratio(rising, 15, two, 6, 7);
    assert_true(a.value == 4 && a.low >= 2 && a.low <= 2.5 && a.high >= 5.5 && a.high <= 6);
    stats_ratio again = stats_median_ratio(rising, 15, two, 6, 7);
    assert_true(again.low == a.low && again.high == a.high);
    stats_ratio inverse = stats_median_ratio(two, 6, rising, 15, 7);
    assert_true(inverse.value == 0.25 && inverse.low >= 2.0 / 12 && inverse.high <= 0.5);
}

/* Two samples of 15 from one exponential distribution: the interval holds the true ratio, 1, in
 * about 95 % of trials. */
static void ratio_covers(void **state)
{
    (void)state;
    enum { TRIALS = 400, VALUES = 15 };
    stats_random random = stats_random_start(3);
    int covered = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double values[2][VALUES];
        for (int i = 0; i < 2 * VALUES; i++)
            values[i / VALUES][i % VALUES] =
                1 - log((stats_random_below(&random, 1u << 24) + 0.5) * 0x1p-24);
        stats_ratio ratio =
            stats_median_ratio(values[0], VALUES, values[1], VALUES, (uint64_t)trial);
        covered += ratio.low <= 1 && 1 <= ratio.high;
    }
    assert_in_range(covered, TRIALS * 90 / 100, TRIALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians),
        cmocka_unit_test(interval_ranks),
        cmocka_unit_test(interval_of_samples),
        cmocka_unit_test(interval_covers),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(resampling),
        cmocka_unit_test(ratios),
        cmocka_unit_test(ratio_covers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
