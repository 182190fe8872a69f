/* SPDX-License-Identifier: Apache-2.0
 *
 * n_1/2, and what the bootstrap says of the coefficients.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/fit_solve.h"
#include "harness/stats.h"

/* FLOPs are exact integers: what a quadratic does not reproduce to this is none. */
#define FLOPS_TOLERANCE 1e-6
/* Share of the leading term at the largest n below which it is rounding, or not seen yet. */
#define LEADING_SHARE 1e-3
/* Share of c n^2 at the largest n up to which FLOPs that grow linearly have a plateau. */
#define STEEPER_SHARE 0.1

typedef struct flops_formula {
    double f[3];     /* F(n) = f[0] + f[1] n + f[2] n^2 */
    unsigned degree; /* 1 or 2; 0: not known, or no polynomial of positive leading coefficient */
} flops_formula;

static double largest_n(const fit_point *points, size_t count)
{
    double n = 0;
    for (size_t i = 0; i < count; i++)
        n = fit_usable(&points[i]) ? fmax(n, points[i].n) : n;
    return n;
}

/* The polynomial through the FLOPs of the usable points. work[count] is overwritten. */
static flops_formula formula_of(const fit_point *points, size_t count, fit_point *work)
{
    flops_formula formula = {{0}, 0};
    const double n = largest_n(points, count);
    for (size_t i = 0; i < count; i++) {
        work[i] = points[i];
        work[i].t = fit_usable(&points[i]) ? points[i].flops : NAN;
        if (work[i].t == 0)
            return formula;
    }
    if (!fit_exact(work, count, FLOPS_TOLERANCE, formula.f))
        return formula;
    const double linear = formula.f[1] * n, quadratic = formula.f[2] * n * n;
    const double least = LEADING_SHARE * (fabs(formula.f[0]) + fabs(linear) + fabs(quadratic));
    if (quadratic > least)
        formula.degree = 2;
    else if (quadratic > -least && linear > least)
        formula.degree = 1;
    return formula;
}

/* Where F(n) / t(n) reaches half of its limit f/x of the leading coefficients: 2 x F = f t. With a
 * negative solution the rate is above half the plateau everywhere. */
static double half_of(const flops_formula *formula, const double x[3])
{
    const double *f = formula->f, lead = f[formula->degree], limit = x[formula->degree];
    if (!(limit > 0))
        return INFINITY;
    const double constant = 2 * limit * f[0] - lead * x[0];
    if (formula->degree == 1)
        return fmax(0, -constant / (limit * lead));
    const double linear = 2 * limit * f[1] - lead * x[1];
    const double square = linear * linear - 4 * limit * lead * constant;
    return square > 0 ? fmax(0, (-linear + sqrt(square)) / (2 * limit * lead)) : 0;
}

/* INFINITY where the fit has no plateau. */
static double half_rate(const fit_point *points, size_t count, const flops_formula *formula,
                        const double x[3])
{
    const double n = largest_n(points, count);
    double line[3];
    if (formula->degree == 2)
        return half_of(formula, x);
    /* A time that grows faster than the FLOPs has a rate that falls to 0. A little of c is noise.
     */
    if (x[2] * n * n > STEEPER_SHARE * (x[0] + x[1] * n + x[2] * n * n) ||
        !fit_positive(points, count, FIT_LINEAR, line))
        return INFINITY;
    return half_of(formula, line);
}

/* Draws of a, b, c and n_1/2, one after the other. */
typedef struct coefficient_draws {
    double value[4][FIT_DRAWS];
} coefficient_draws;

static void draw_all(fit_point *work, size_t count, const double *rows,
                     const flops_formula *formula, coefficient_draws *draws)
{
    for (size_t draw = 0; draw < FIT_DRAWS; draw++) {
        double x[3] = {NAN, NAN, NAN};
        for (size_t i = 0; i < count; i++)
            work[i].t = rows[draw * count + i];
        fit_curve(work, count, x);
        for (int term = 0; term < 3; term++)
            draws->value[term][draw] = x[term];
        draws->value[3][draw] = formula->degree > 0 ? half_rate(work, count, formula, x) : INFINITY;
    }
}

static fit_interval interval_of(double draws[FIT_DRAWS])
{
    fit_interval interval;
    stats_percentile_interval(draws, FIT_DRAWS, &interval.low, &interval.high);
    if (!isfinite(interval.low) || !isfinite(interval.high))
        interval = (fit_interval){NAN, NAN};
    return interval;
}

void fit_coefficients(const fit_point *points, size_t count, const double *rows, fit_result *result)
{
    fit_point *work = malloc((count + 1) * sizeof *work);
    coefficient_draws *draws = malloc(sizeof *draws);
    if (work != NULL && draws != NULL) {
        const double x[3] = {result->a, result->b, result->c};
        const flops_formula formula = formula_of(points, count, work);
        const double half = formula.degree > 0 ? half_rate(points, count, &formula, x) : INFINITY;
        result->half_rate = half <= largest_n(points, count) ? half : NAN;
        if (rows != NULL) {
            memcpy(work, points, count * sizeof *work);
            draw_all(work, count, rows, &formula, draws);
            result->a_interval = interval_of(draws->value[0]);
            result->b_interval = interval_of(draws->value[1]);
            result->c_interval = interval_of(draws->value[2]);
            if (isfinite(result->half_rate))
                result->half_rate_interval = interval_of(draws->value[3]);
        }
    }
    free(work);
    free(draws);
}
