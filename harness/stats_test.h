/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of whether two samples differ, one or many at a time.
 */
#ifndef HARNESS_STATS_TEST_H
#define HARNESS_STATS_TEST_H

#include <stddef.h>

typedef struct stats_rank_test {
    double u; /* pairs with a > b, ties counted 1/2; NAN when a side is empty */
    double p; /* two-sided; NAN when a side is empty */
} stats_rank_test;

/* Mann-Whitney U of independent values, none NAN. Exact for at most 20 values a side without ties,
 * else the normal approximation with corrections for ties and continuity. All values equal: p = 1.
 */
stats_rank_test stats_mann_whitney(const double *a, size_t na, const double *b, size_t nb);

/* Wilcoxon's signed ranks of independent differences, none NAN, whose median may be 0: u is the sum
 * of the ranks of those above 0, and half of it for those that are 0 (Pratt 1959). Exact for at
 * most 20 without ties, else the normal approximation with corrections for ties and continuity. NAN
 * without a difference. */
stats_rank_test stats_signed_rank(const double *differences, size_t count);

/* Holm-Bonferroni: adjusted[i] is below a level exactly when test i is significant at that level
 * for the whole family. At most 1, in the order of p. NAN stays NAN and is not counted. The arrays
 * may be the same. */
void stats_holm(const double *p, size_t count, double *adjusted);

#endif
