/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/stats_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats_sort.h"

#define EXACT_MOST 20 /* values a side of an exact test */

/* Of the ranks of both sides together. */
typedef struct pooled_ranks {
    double u;
    double ties; /* sum of t^3 - t over the groups of t equal values */
} pooled_ranks;

static size_t equal_from(const double *sorted, size_t count, size_t first)
{
    size_t end = first;
    while (end < count && sorted[end] == sorted[first])
        end++;
    return end - first;
}

/* Both sides sorted: merged group by group of equal values. */
static pooled_ranks rank_both(const double *a, size_t na, const double *b, size_t nb)
{
    pooled_ranks ranks = {0, 0};
    for (size_t i = 0, j = 0; i < na || j < nb;) {
        const double least = j == nb || (i < na && a[i] <= b[j]) ? a[i] : b[j];
        const size_t here = i < na && a[i] == least ? equal_from(a, na, i) : 0;
        const size_t there = j < nb && b[j] == least ? equal_from(b, nb, j) : 0;
        const double t = (double)(here + there);
        ranks.u += (double)here * ((double)j + 0.5 * (double)there);
        ranks.ties += t * t * t - t;
        i += here;
        j += there;
    }
    return ranks;
}

/* P(U <= u) without ties. ways[k] counts the orders with U = k, by the recurrence of Mann and
 * Whitney (1947) in the form of a product of Gaussian polynomials: times (1 - q^(nb+i)), over
 * (1 - q^i), for i = 1..na. The counts stay below C(40, 20), exact in binary64. */
static double exact_below(double u, size_t na, size_t nb)
{
    double ways[EXACT_MOST * EXACT_MOST + 1] = {1};
    const size_t most = na * nb;
    for (size_t i = 1; i <= na; i++) {
        for (size_t k = most; k >= nb + i && k <= most; k--)
            ways[k] -= ways[k - nb - i];
        for (size_t k = i; k <= most; k++)
            ways[k] += ways[k - i];
    }
    double below = 0, all = 0;
    for (size_t k = 0; k <= most; k++) {
        all += ways[k];
        below += (double)k <= u ? ways[k] : 0;
    }
    return below / all;
}

static double normal_p(pooled_ranks ranks, double na, double nb)
{
    const double total = na + nb;
    const double variance = na * nb / 12 * (total + 1 - ranks.ties / (total * (total - 1)));
    const double beyond = fabs(ranks.u - na * nb / 2) - 0.5;
    if (!(variance > 0) || beyond <= 0)
        return 1;
    return erfc(beyond / sqrt(2 * variance));
}

stats_rank_test stats_mann_whitney(const double *a, size_t na, const double *b, size_t nb)
{
    stats_rank_test test = {NAN, NAN};
    double *left = stats_sorted(a, na), *right = stats_sorted(b, nb);
    if (left != NULL && right != NULL) {
        const pooled_ranks ranks = rank_both(left, na, right, nb);
        test.u = ranks.u;
        if (ranks.ties == 0 && na <= EXACT_MOST && nb <= EXACT_MOST)
            test.p = fmin(1, 2 * exact_below(fmin(ranks.u, (double)(na * nb) - ranks.u), na, nb));
        else
            test.p = normal_p(ranks, (double)na, (double)nb);
    }
    free(left);
    free(right);
    return test;
}

/* Differences by their size: of each group of t equal sizes, the mean rank goes to all. */
typedef struct signed_ranks {
    double above; /* ranks of those above 0 */
    double ties;  /* sum of t^3 - t */
    double zeros; /* how many are 0: they have the lowest ranks */
} signed_ranks;

static int by_size(const void *a, const void *b)
{
    const double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

static signed_ranks rank_signed(const double *sorted, size_t count)
{
    signed_ranks ranks = {0, 0, 0};
    for (size_t i = 0, next; i < count; i = next) {
        size_t above = 0;
        for (next = i; next < count && fabs(sorted[next]) == fabs(sorted[i]); next++)
            above += sorted[next] > 0;
        const double t = (double)(next - i), rank = (double)i + (t + 1) / 2;
        if (sorted[i] == 0) {
            ranks.zeros = t;
            ranks.above += t * rank / 2;
        } else {
            ranks.above += (double)above * rank;
            ranks.ties += t * t * t - t;
        }
    }
    return ranks;
}

/* P(W <= w) without ties: ways[k] counts the sets of ranks whose sum is k. */
static double exact_signed_below(double w, size_t count)
{
    double ways[EXACT_MOST * (EXACT_MOST + 1) / 2 + 1] = {1}, below = 0;
    const size_t most = count * (count + 1) / 2;
    for (size_t rank = 1; rank <= count; rank++)
        for (size_t k = most; k >= rank; k--)
            ways[k] += ways[k - rank];
    for (size_t k = 0; k <= most && (double)k <= w; k++)
        below += ways[k];
    return below / pow(2, (double)count);
}

/* Variance without those that are 0, whose ranks are fixed (Cureton 1967). */
static double normal_signed_p(signed_ranks ranks, double n)
{
    const double z = ranks.zeros, mean = n * (n + 1) / 4;
    const double variance =
        (n * (n + 1) * (2 * n + 1) - z * (z + 1) * (2 * z + 1)) / 24 - ranks.ties / 48;
    const double beyond = fabs(ranks.above - mean) - 0.5;
    if (!(variance > 0) || beyond <= 0)
        return 1;
    return erfc(beyond / sqrt(2 * variance));
}

stats_rank_test stats_signed_rank(const double *differences, size_t count)
{
    stats_rank_test test = {NAN, NAN};
    double *sorted = malloc((count + 1) * sizeof *sorted);
    if (sorted != NULL && count > 0) {
        memcpy(sorted, differences, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_size);
        const signed_ranks ranks = rank_signed(sorted, count);
        const double most = (double)count * ((double)count + 1) / 2;
        test.u = ranks.above;
        if (ranks.ties == 0 && ranks.zeros == 0 && count <= EXACT_MOST)
            test.p = fmin(1, 2 * exact_signed_below(fmin(ranks.above, most - ranks.above), count));
        else
            test.p = normal_signed_p(ranks, (double)count);
    }
    free(sorted);
    return test;
}

typedef struct ranked_p {
    double p;
    size_t index;
} ranked_p;

static int by_p(const void *a, const void *b)
{
    double x = ((const ranked_p *)a)->p, y = ((const ranked_p *)b)->p;
    return (x > y) - (x < y);
}

void stats_holm(const double *p, size_t count, double *adjusted)
{
    ranked_p *ranked = malloc((count + 1) * sizeof *ranked);
    size_t family = 0;
    for (size_t i = 0; i < count; i++) {
        if (ranked != NULL && !isnan(p[i]))
            ranked[family++] = (ranked_p){p[i], i};
        adjusted[i] = NAN;
    }
    if (family > 0)
        qsort(ranked, family, sizeof *ranked, by_p);
    double least = 0;
    for (size_t k = 0; k < family; k++) {
        least = fmax(least, fmin(1, (double)(family - k) * ranked[k].p));
        adjusted[ranked[k].index] = least;
    }
    free(ranked);
}
