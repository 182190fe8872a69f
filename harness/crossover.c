/* SPDX-License-Identifier: Apache-2.0
 *
 * The interval of a crossover is found by inverting a test, as in Fieller's theorem: it holds every
 * n at which the test "the fits are equal here" does not reject. So its coverage is the test's,
 * though the root of a difference has no distribution to speak of where the curves meet at a small
 * angle.
 */
#include "harness/crossover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/fit_solve.h"
#include "harness/stats.h"

enum { GRID = 64, HALVINGS = 40 };

/* 3 %: with 2.5 the interval held the crossover in 97 to 98 % of cases. */
#define FEW_DRAWS (3 * FIT_DRAWS / 100)
#define EQUAL     1e-9 /* relative difference that is rounding */

/* One curve: its points that count, and the draws of its fit. */
typedef struct curve {
    fit_point *points;
    size_t count;
    double fit[3];
    double (*draw)[3];
} curve;

static void curve_free(curve *c)
{
    free(c->points);
    free(c->draw);
}

static bool draw_fits(curve *c, uint64_t seed)
{
    double *rows = fit_draws(c->points, c->count, seed);
    fit_point *work = malloc((c->count + 1) * sizeof *work);
    c->draw = malloc(FIT_DRAWS * sizeof *c->draw);
    const bool made = rows != NULL && work != NULL && c->draw != NULL;
    if (made)
        memcpy(work, c->points, c->count * sizeof *work);
    for (size_t draw = 0; made && draw < FIT_DRAWS; draw++) {
        for (size_t i = 0; i < c->count; i++)
            work[i].t = rows[draw * c->count + i];
        fit_curve(work, c->count, c->draw[draw]);
    }
    free(rows);
    free(work);
    return made;
}

/* False below 3 distinct n with a time and enough samples. */
static bool curve_make(curve *c, const fit_point *points, size_t count, uint64_t seed)
{
    *c = (curve){.points = malloc((count + 1) * sizeof *points)};
    for (size_t i = 0; i < count && c->points != NULL; i++)
        if (fit_usable(&points[i]) && fit_sampled(&points[i]))
            c->points[c->count++] = points[i];
    return c->points != NULL && fit_curve(c->points, c->count, c->fit) && draw_fits(c, seed);
}

static const fit_point *point_at(const curve *c, double n)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->points[i].n == n)
            return &c->points[i];
    return NULL;
}

static void range_of(const curve *c, double *from, double *to)
{
    *from = INFINITY;
    *to = 0;
    for (size_t i = 0; i < c->count; i++) {
        *from = fmin(*from, c->points[i].n);
        *to = fmax(*to, c->points[i].n);
    }
}

static double value_of(const double x[3], double n)
{
    return x[0] + (x[1] + x[2] * n) * n;
}

static int sign_of(const double first[3], const double second[3], double n)
{
    const double one = value_of(first, n), other = value_of(second, n);
    return fabs(one - other) <= EQUAL * (one + other) ? 0 : one < other ? -1 : 1;
}

/* Who is faster at n for sure? */
static crossover_side side_at(const curve *first, const curve *second, double n)
{
    size_t faster = 0, slower = 0;
    for (size_t draw = 0; draw < FIT_DRAWS; draw++) {
        const int sign = sign_of(first->draw[draw], second->draw[draw], n);
        faster += sign < 0;
        slower += sign > 0;
    }
    if (faster + FEW_DRAWS >= FIT_DRAWS)
        return CROSSOVER_FIRST;
    return slower + FEW_DRAWS >= FIT_DRAWS ? CROSSOVER_SECOND : CROSSOVER_NEITHER;
}

/* The n between two, at the first of which `side` is faster for sure and at the second not, where
 * that ends. */
static double edge(const curve *first, const curve *second, crossover_side side, double inside,
                   double outside)
{
    for (int i = 0; i < HALVINGS && fabs(outside - inside) > 1e-6 * inside; i++) {
        const double middle = sqrt(inside * outside);
        if (side_at(first, second, middle) == side)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

/* The root of the fits between two n at which they differ in sign. */
static double root_between(const curve *first, const curve *second, double low, double high)
{
    const int below = sign_of(first->fit, second->fit, low);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = sqrt(low * high);
        if (sign_of(first->fit, second->fit, middle) == below)
            low = middle;
        else
            high = middle;
    }
    return sqrt(low * high);
}

/* Do the medians of both curves at this n say that `side` is faster, by intervals that lie
 * apart? */
static bool measured_side(const fit_point *one, const fit_point *other, crossover_side side)
{
    const stats_interval a = stats_median_interval(one->samples, one->count);
    const stats_interval b = stats_median_interval(other->samples, other->count);
    return side == CROSSOVER_FIRST ? a.high < b.low : b.high < a.low;
}

static bool confirmed(const curve *first, const curve *second, const crossover *at,
                      crossover_side before, crossover_side after)
{
    const fit_point *below = NULL, *above = NULL;
    for (size_t i = 0; i < first->count; i++) {
        const fit_point *p = &first->points[i];
        if (point_at(second, p->n) == NULL)
            continue;
        if (p->n <= at->low && (below == NULL || p->n > below->n))
            below = p;
        if (p->n >= at->high && (above == NULL || p->n < above->n))
            above = p;
    }
    return below != NULL && above != NULL &&
           measured_side(below, point_at(second, below->n), before) &&
           measured_side(above, point_at(second, above->n), after);
}

static void add_crossover(crossover_result *result, const curve *first, const curve *second,
                          double below, double above, crossover_side after)
{
    const crossover_side before = result->side[result->count];
    crossover at = {.low = edge(first, second, before, below, above),
                    .high = edge(first, second, after, above, below)};
    at.n = root_between(first, second, at.low, at.high);
    at.confirmed = confirmed(first, second, &at, before, after);
    result->at[result->count++] = at;
    result->side[result->count] = after;
}

/* Walks up the range, and looks between where one curve is faster for sure and where the other
 * is. */
static void search(const curve *first, const curve *second, crossover_result *result)
{
    double last = NAN;
    for (int i = 0; i < GRID; i++) {
        const double n = i + 1 == GRID
                             ? result->to
                             : result->from * pow(result->to / result->from, i / (GRID - 1.0));
        const crossover_side side = side_at(first, second, n);
        if (side == CROSSOVER_NEITHER)
            continue;
        if (isnan(last))
            result->side[0] = side;
        else if (side != result->side[result->count] && result->count < CROSSOVER_MAX)
            add_crossover(result, first, second, last, n, side);
        last = n;
    }
}

crossover_result crossover_find(const fit_point *first, size_t first_count, const fit_point *second,
                                size_t second_count, uint64_t seed)
{
    crossover_result result = {.from = NAN, .to = NAN};
    curve one, other = {0};
    if (curve_make(&one, first, first_count, seed) &&
        curve_make(&other, second, second_count, seed + 1)) {
        double from[2], to[2];
        range_of(&one, &from[0], &to[0]);
        range_of(&other, &from[1], &to[1]);
        if (fmax(from[0], from[1]) < fmin(to[0], to[1])) {
            result.from = fmax(from[0], from[1]);
            result.to = fmin(to[0], to[1]);
            search(&one, &other, &result);
        }
    }
    curve_free(&one);
    curve_free(&other);
    return result;
}
