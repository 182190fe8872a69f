/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank tests against enumeration and published values, and families of tests.
 */
#include "unit.h"

#include <math.h>

#include "harness/stats.h"

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* Two-sided p of U by counting: over all sets of na ranks of na + nb. */
static double enumerated_p(unsigned na, unsigned nb, double u)
{
    double as_far = 0, all = 0;
    const double least = fmin(u, na * nb - u);
    for (unsigned set = 0; set < 1u << (na + nb); set++) {
        unsigned chosen = 0, pairs = 0, others = 0;
        for (unsigned rank = 0; rank < na + nb; rank++) {
            const unsigned mine = set >> rank & 1;
            chosen += mine;
            pairs += mine ? others : 0;
            others += !mine;
        }
        all += chosen == na;
        as_far += chosen == na && pairs <= least;
    }
    return fmin(1, 2 * as_far / all);
}

static void exact_p_by_enumeration(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (unsigned na = 1; na <= 6; na++)
        for (unsigned nb = 1; nb <= 6; nb++)
            for (int trial = 0; trial < 4; trial++) {
                double a[6], b[6], u = 0;
                for (unsigned i = 0; i < na; i++)
                    a[i] = next_random(&random) * 2.0;
                for (unsigned i = 0; i < nb; i++)
                    b[i] = next_random(&random) * 2.0 + 1;
                for (unsigned i = 0; i < na; i++)
                    for (unsigned j = 0; j < nb; j++)
                        u += a[i] > b[j];
                stats_rank_test test = stats_mann_whitney(a, na, b, nb);
                assert_true(test.u == u);
                assert_near(test.p, enumerated_p(na, nb, u), 1e-12);
                assert_near(stats_mann_whitney(b, nb, a, na).p, test.p, 1e-12);
            }
}

/* a[i] = first + i, b[i] = start + i. */
static stats_rank_test shifted(size_t na, double first, size_t nb, double start)
{
    double a[64], b[64];
    for (size_t i = 0; i < na; i++)
        a[i] = first + (double)i;
    for (size_t i = 0; i < nb; i++)
        b[i] = start + (double)i;
    return stats_mann_whitney(a, na, b, nb);
}

static void known_p(void **state)
{
    (void)state;
    /* All of one side below the other: 2 / C(na + nb, na). */
    assert_near(shifted(5, 0, 5, 100).p, 2.0 / 252, 1e-15);
    assert_near(shifted(10, 0, 10, 100).p, 2.0 / 184756, 1e-18);
    assert_near(shifted(20, 0, 20, 100).p, 2 / 137846528820.0, 1e-20);
    assert_true(shifted(20, 0, 20, 100).u == 0 && shifted(20, 100, 20, 0).u == 400);
    /* The published table: for 10 and 10 the critical U of 5 % is 23, for 20 and 20 it is 127. */
    for (int critical = 0; critical < 2; critical++) {
        const size_t n = critical == 0 ? 10 : 20;
        const double want = critical == 0 ? 23 : 127;
        double a[20], b[20];
        for (int above = 0; above < 2; above++) {
            double left = want + above; /* U: pairs of which a is the larger */
            for (size_t i = 0; i < n; i++) {
                const double mine = fmin(left, (double)n);
                b[i] = (double)i;
                a[i] = mine - 0.5 + 1e-3 * (double)i;
                left -= mine;
            }
            stats_rank_test test = stats_mann_whitney(a, n, b, n);
            assert_true(test.u == want + above);
            assert_true(above ? test.p > 0.05 : test.p <= 0.05);
        }
    }
}

static void ties_and_sizes(void **state)
{
    (void)state;
    const double equal[] = {3, 3, 3, 3, 3, 3}, some[] = {1, 2, 2, 3}, more[] = {2, 3, 4, 4};
    assert_true(stats_mann_whitney(equal, 6, equal, 5).p == 1);
    assert_true(stats_mann_whitney(equal, 6, equal, 5).u == 15);
    assert_true(isnan(stats_mann_whitney(equal, 0, some, 4).p));
    assert_true(isnan(stats_mann_whitney(some, 4, NULL, 0).u));
    const double unknown[] = {1, NAN};
    assert_true(isnan(stats_mann_whitney(unknown, 2, some, 4).p));
    /* U = 2.5: 2 > none; 2, 2 tie with 2; 3 > 2 and ties with 3. Groups of 3, 2 and 2 equal values:
     * variance 16/12 (9 - 36/56), (8 - 2.5 - 0.5) beyond. */
    stats_rank_test test = stats_mann_whitney(some, 4, more, 4);
    assert_true(test.u == 2.5);
    assert_near(test.p, erfc(5 / sqrt(2 * 16.0 / 12 * (9 - 36.0 / 56))), 1e-12);
    /* Beyond 20 a side: normal, and close to the exact p at 20. */
    assert_near(shifted(21, 0, 20, 5.5).p, shifted(20, 0, 20, 5.5).p, 0.02);
    stats_rank_test large = shifted(30, 0, 30, 0.5);
    assert_true(large.u == 435);
    assert_near(large.p, erfc(14.5 / sqrt(2 * 900.0 / 12 * 61)), 1e-12);
}

/* Two-sided p of the rank sum w by counting: over all signs of `count` ranks. */
static double enumerated_signed_p(unsigned count, double w)
{
    double as_far = 0;
    const double least = fmin(w, count * (count + 1) / 2.0 - w);
    for (unsigned signs = 0; signs < 1u << count; signs++) {
        unsigned sum = 0;
        for (unsigned rank = 1; rank <= count; rank++)
            sum += signs >> (rank - 1) & 1 ? rank : 0;
        as_far += sum <= least;
    }
    return fmin(1, 2 * as_far / (1u << count));
}

static void signed_ranks(void **state)
{
    (void)state;
    for (unsigned count = 1; count <= 10; count++)
        for (unsigned signs = 0; signs < 1u << count; signs += 7) {
            double values[10], w = 0;
            for (unsigned i = 0; i < count; i++) {
                /* Not in the order of size. */
                const unsigned rank = (i * 7 + 3) % count + 1, once = count == 7 ? i + 1 : rank;
                const bool above = signs >> (once - 1) & 1;
                values[i] = above ? once : -(double)once;
                w += above ? once : 0;
            }
            const stats_rank_test test = stats_signed_rank(values, count);
            assert_true(test.u == w);
            assert_near(test.p, enumerated_signed_p(count, w), 1e-12);
        }
    /* The published table: for 10 the critical sum of 5 % is 8, for 20 it is 52. */
    const double to_8[] = {1, 2, -3, -4, 5, -6, -7, -8, -9, -10};
    const double to_9[] = {1, 2, -3, -4, -5, 6, -7, -8, -9, -10};
    assert_true(stats_signed_rank(to_8, 10).u == 8 && stats_signed_rank(to_8, 10).p <= 0.05);
    assert_true(stats_signed_rank(to_9, 10).u == 9 && stats_signed_rank(to_9, 10).p > 0.05);
    /* Sizes 0, 1, 1, 2 with one 0: ranks 1, 2.5, 2.5, 4; above: 2.5 + 4, and half of rank 1.
     * Variance (4 5 9 - 1 2 3) / 24 - (8 - 2) / 48. */
    const double tied[] = {0, 1, -1, 2};
    const stats_rank_test test = stats_signed_rank(tied, 4);
    assert_true(test.u == 7);
    assert_near(test.p, erfc(1.5 / sqrt(2 * (174.0 / 24 - 6.0 / 48))), 1e-12);
    const double zeros[6] = {0};
    assert_true(stats_signed_rank(zeros, 6).p == 1);
    assert_true(isnan(stats_signed_rank(zeros, 0).p));
    /* Beyond 20: normal, all of one side. */
    double many[21];
    for (int i = 0; i < 21; i++)
        many[i] = i + 1;
    assert_near(stats_signed_rank(many, 21).p, erfc(115 / sqrt(2 * 21.0 * 22 * 43 / 24)), 1e-12);
}

/* Where both sides come from one distribution, p <= 5 % in at most about 5 % of trials. */
static void false_alarms(void **state)
{
    (void)state;
    enum { TRIALS = 4000 };
    stats_random random = stats_random_start(11);
    int alarms[2] = {0};
    for (int trial = 0; trial < TRIALS; trial++)
        for (int size = 0; size < 2; size++) {
            double values[80];
            const size_t n = size == 0 ? 10 : 40;
            for (size_t i = 0; i < 2 * n; i++)
                values[i] = stats_random_below(&random, 1u << 30);
            alarms[size] += stats_mann_whitney(values, n, values + n, n).p <= 0.05;
        }
    assert_in_range(alarms[0], TRIALS * 30 / 1000, TRIALS * 55 / 1000);
    assert_in_range(alarms[1], TRIALS * 38 / 1000, TRIALS * 60 / 1000);
}

static void holm(void **state)
{
    (void)state;
    /* Holm (1979): 0.01 * 4, 0.02 * 3, then 0.03 * 2 and 0.04, not below 0.06. */
    const double p[] = {0.04, 0.01, NAN, 0.03, 0.02};
    double adjusted[5];
    stats_holm(p, 5, adjusted);
    assert_near(adjusted[1], 0.04, 1e-15);
    assert_near(adjusted[4], 0.06, 1e-15);
    assert_near(adjusted[3], 0.06, 1e-15);
    assert_near(adjusted[0], 0.06, 1e-15);
    assert_true(isnan(adjusted[2]));
    double same[] = {0.5, 0.9, 0.001};
    stats_holm(same, 3, same);
    assert_true(same[0] == 1 && same[1] == 1);
    assert_near(same[2], 0.003, 1e-15);
    double none[] = {NAN};
    stats_holm(none, 1, none);
    assert_true(isnan(none[0]));
    stats_holm(NULL, 0, NULL);
    double lone = 0.03;
    stats_holm(&lone, 1, &lone);
    assert_true(lone == 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_p_by_enumeration), cmocka_unit_test(known_p),
        cmocka_unit_test(ties_and_sizes),         cmocka_unit_test(signed_ranks),
        cmocka_unit_test(false_alarms),           cmocka_unit_test(holm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
