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

/* Ranks 2 and 3 of 10 cover 97.85 and 89.06 %. Hettmansperger and Sheather's weight of the third is
 * 8 I / (2 + 6 I) with I = 2.85 / 8.79: 0.658. */
static void interval_of_samples(void **state)
{
    (void)state;
    const double samples[] = {9, 2, 7, 4, 5, 6, 3, 8, 1, 10};
    const double share = (1002 / 1024.0 - 0.95) / (90 / 1024.0);
    const double want = 2 + 8 * share / (2 + 6 * share);
    stats_interval all = stats_median_interval(samples, 10);
    assert_true(all.median == 5.5);
    assert_true(fabs(all.low - want) < 1e-9 && fabs(all.high - (11 - want)) < 1e-9);
    stats_interval few = stats_median_interval(samples, 5);
    assert_true(few.median == 5 && isnan(few.low) && isnan(few.high));
    stats_interval none = stats_median_interval(samples, 0);
    assert_true(isnan(none.median) && isnan(none.low));
    const double unknown[] = {1, 2, 3, NAN, 5, 6, 7};
    assert_true(isnan(stats_median_interval(unknown, 7).median));
}

/* From 6 values on the interval lies inside the values, and its ends move inwards by ranks as
 * 0.98 sqrt(n); where 2^-n is 0, too. */
static void interval_of_every_count(void **state)
{
    (void)state;
    static double values[10000];
    for (size_t n = 6; n <= 10000; n += n < 200 ? 1 : 700) {
        for (size_t i = 0; i < n; i++)
            values[i] = (double)(i + 1);
        const stats_interval interval = stats_median_interval(values, n);
        const double half = 0.98 * sqrt((double)n);
        assert_true(interval.low >= 1 && fabs(interval.median - interval.low - half) < 0.6);
        assert_true(fabs(interval.high + interval.low - (double)n - 1) < 1e-6);
    }
}

/* Skewed values (u^4), true median 1/16: the interval holds it in about 95 % of trials, whatever
 * the count; between order statistics themselves it would be 97.9 % for 10 values. */
static void interval_covers(void **state)
{
    (void)state;
    enum { TRIALS = 4000, MOST = 25 };
    static const size_t counts[] = {6, 7, 10, 25};
    stats_random random = stats_random_start(1);
    for (int c = 0; c < 4; c++) {
        int covered = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double values[MOST];
            for (size_t i = 0; i < counts[c]; i++)
                values[i] = pow((stats_random_below(&random, 1u << 24) + 0.5) * 0x1p-24, 4);
            stats_interval interval = stats_median_interval(values, counts[c]);
            covered += interval.low <= 0.0625 && 0.0625 <= interval.high;
        }
        assert_in_range(covered, TRIALS * 935 / 1000, TRIALS * 965 / 1000);
    }
}

static void outliers(void **state)
{
    (void)state;
    size_t index[12];
    /* Median 10, deviations 0, 0, 1, 1, 1, 1, 2, 2, 5.2, 90: MAD 1, so beyond 5.19. */
    const double values[] = {10, 100, 9, 11, 10, 4.8, 9, 11, 8, 12};
    assert_int_equal(stats_outliers(values, 10, index), 2);
    assert_int_equal(index[0], 1);
    assert_int_equal(index[1], 5);
    double nearer[10];
    memcpy(nearer, values, sizeof values);
    nearer[5] = 4.82;
    assert_int_equal(stats_outliers(nearer, 10, index), 1);
    /* MAD 0: by the mean deviation, 0.1 here, of which 1 is 8 scaled. */
    const double ticks[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 6};
    assert_int_equal(stats_outliers(ticks, 10, index), 1);
    assert_int_equal(index[0], 9);
    const double many[] = {5, 5, 5, 5, 5, 5, 6, 6, 6, 6};
    assert_int_equal(stats_outliers(many, 10, index), 0);
    const double equal[] = {5, 5, 5};
    assert_int_equal(stats_outliers(equal, 3, index), 0);
    assert_int_equal(stats_outliers(NULL, 0, index), 0);
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

    /* One side constant: half of the other's resampled median, of 17 draws from 1..15: at most 4
     * with probability 0.016, 5 with 0.064, and the same from above. */
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

/* The same values in ascending order say much less than in any order. */
static void drifting_ratios(void **state)
{
    (void)state;
    double mixed[40], drifting[40];
    const double one[] = {1, 1, 1, 1, 1, 1};
    for (int i = 0; i < 40; i++) {
        mixed[i] = 100 + (i * 17) % 40;
        drifting[i] = 100 + i;
    }
    stats_ratio a = stats_median_ratio(mixed, 40, one, 6, 1);
    stats_ratio b = stats_median_ratio(drifting, 40, one, 6, 1);
    assert_true(a.value == b.value);
    assert_true(b.high - b.low > 1.5 * (a.high - a.low));
}

static void ratios_of_runs(void **state)
{
    (void)state;
    static const double nine[] = {9, 9, 9}, ten[] = {10, 1, 99}, eleven[] = {11};
    static const double five[] = {5, 5, 5, 5, 5, 5, 5}, four[] = {4, 4, 4, 4, 4, 4};
    const stats_run runs[] = {{eleven, 1}, {NULL, 0}, {nine, 3}, {ten, 3}};
    const stats_run single[] = {{NULL, 0}, {five, 7}}, other[] = {{four, 6}};
    const stats_run pair[] = {{five, 7}, {five, 7}};

    /* One run a side: as the samples say. */
    stats_ratio ratio = stats_median_ratio_grouped(single, 2, other, 1, 1);
    assert_true(ratio.value == 1.25 && ratio.low == 1.25 && ratio.high == 1.25);

    /* Three runs of medians 9, 10, 11 against two that are equal: Student's t with 2 degrees of
     * freedom, 4.303; the variance of a median of three is 1.346 times that of the mean. */
    ratio = stats_median_ratio_grouped(runs, 4, pair, 2, 1);
    double mean = (log(9) + log(10) + log(11)) / 3, squares = 0;
    for (int i = 9; i <= 11; i++)
        squares += pow(log(i) - mean, 2);
    const double width = 4.30265 * sqrt(squares / 2 * 1.346 / 3);
    assert_true(ratio.value == 2);
    assert_true(fabs(ratio.high / (2 * exp(width)) - 1) < 1e-4);
    assert_true(fabs(ratio.low / (2 * exp(-width)) - 1) < 1e-4);

    /* One run against three spreads as they do: the same t, and one more variance. */
    ratio = stats_median_ratio_grouped(runs, 4, single, 2, 1);
    const double wider = 4.30265 * sqrt(squares / 2 * (1 + 1.346 / 3));
    assert_true(fabs(ratio.high / (2 * exp(wider)) - 1) < 1e-4);

    /* Equal runs have no spread; none, no ratio. */
    ratio = stats_median_ratio_grouped(pair, 2, pair, 2, 1);
    assert_true(ratio.value == 1 && ratio.low == 1 && ratio.high == 1);
    ratio = stats_median_ratio_grouped(runs + 1, 1, pair, 2, 1);
    assert_true(isnan(ratio.value) && isnan(ratio.low) && isnan(ratio.high));
    assert_true(isnan(stats_median_ratio_grouped(NULL, 0, NULL, 0, 1).value));

    /* Six runs a side: their medians are the samples. */
    double medians[6] = {7, 8, 9, 10, 11, 12};
    stats_run six[6];
    for (int i = 0; i < 6; i++)
        six[i] = (stats_run){&medians[i], 1};
    const stats_ratio grouped = stats_median_ratio_grouped(six, 6, six, 6, 3);
    ratio = stats_median_ratio(medians, 6, medians, 6, 3);
    assert_true(grouped.value == 1 && grouped.low == ratio.low && grouped.high == ratio.high);
    assert_true(grouped.low < 1 && 1 < grouped.high);
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
        cmocka_unit_test(interval_of_samples),
        cmocka_unit_test(interval_of_every_count),
        cmocka_unit_test(interval_covers),
        cmocka_unit_test(outliers),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(resampling),
        cmocka_unit_test(ratios),
        cmocka_unit_test(drifting_ratios),
        cmocka_unit_test(ratios_of_runs),
        cmocka_unit_test(ratio_covers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
