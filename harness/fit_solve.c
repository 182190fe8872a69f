/* SPDX-License-Identifier: Apache-2.0
 *
 * The three basis functions allow 7 non-empty sets of positive coefficients. The non-negative
 * optimum is the unconstrained optimum of one of them, so trying all and keeping the best
 * feasible one is exact.
 */
#include "harness/fit_solve.h"

#include <math.h>

enum { TERMS = 3 };

bool fit_usable(const fit_point *p)
{
    return isfinite(p->t) && p->t > 0 && p->n > 0;
}

size_t fit_distinct(const fit_point *points, size_t count)
{
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        bool seen = !fit_usable(&points[i]);
        for (size_t j = 0; j < i && !seen; j++)
            seen = fit_usable(&points[j]) && points[j].n == points[i].n;
        distinct += !seen;
    }
    return distinct;
}

/* The normal equations, in units that give all of them about one size. */
typedef struct equations {
    double gram[TERMS][TERMS], right[TERMS];
    double n_scale, t_scale;
} equations;

/* Row of the design matrix divided by t: relative residuals, and free of the unit of time. n is
 * scaled so that the columns have about one size. */
static void design_row(const fit_point *p, double n_scale, double row[TERMS])
{
    double x = p->n / n_scale;
    row[0] = 1 / p->t;
    row[1] = x / p->t;
    row[2] = x * x / p->t;
}

/* Least squares over the terms in `set`; the normal equations, solved by elimination without
 * pivoting (they are positive definite). False when the set is degenerate. */
static bool solve_set(const double gram[TERMS][TERMS], const double right[TERMS], unsigned set,
                      double x[TERMS])
{
    double m[TERMS][TERMS + 1];
    int term[TERMS], size = 0;
    for (int i = 0; i < TERMS; i++) {
        x[i] = 0;
        if (set & (1u << i))
            term[size++] = i;
    }
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++)
            m[i][j] = gram[term[i]][term[j]];
        m[i][size] = right[term[i]];
    }
    for (int i = 0; i < size; i++) {
        if (!(m[i][i] > 1e-14 * gram[term[i]][term[i]]))
            return false;
        for (int r = i + 1; r < size; r++) {
            double factor = m[r][i] / m[i][i];
            for (int j = i; j <= size; j++)
                m[r][j] -= factor * m[i][j];
        }
    }
    for (int i = size - 1; i >= 0; i--) {
        double sum = m[i][size];
        for (int j = i + 1; j < size; j++)
            sum -= m[i][j] * x[term[j]];
        x[term[i]] = sum / m[i][i];
    }
    return true;
}

static equations equations_of(const fit_point *points, size_t count)
{
    equations e = {.n_scale = 0};
    for (size_t i = 0; i < count; i++)
        if (fit_usable(&points[i])) {
            e.n_scale = fmax(e.n_scale, points[i].n);
            e.t_scale = fmax(e.t_scale, points[i].t);
        }
    for (size_t i = 0; i < count; i++) {
        if (!fit_usable(&points[i]))
            continue;
        double row[TERMS];
        fit_point p = points[i];
        p.t /= e.t_scale;
        design_row(&p, e.n_scale, row);
        for (int r = 0; r < TERMS; r++) {
            e.right[r] += row[r];
            for (int c = 0; c < TERMS; c++)
                e.gram[r][c] += row[r] * row[c];
        }
    }
    return e;
}

/* Solves for the terms in the set, and gives the sum of the squared relative residuals; INFINITY
 * when the set is degenerate. */
static double residual_of(const equations *e, unsigned set, const fit_point *points, size_t count,
                          double x[TERMS])
{
    double residual = 0;
    if (!solve_set(e->gram, e->right, set, x))
        return INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!fit_usable(&points[i]))
            continue;
        const double u = points[i].n / e->n_scale, t = points[i].t / e->t_scale;
        const double error = (x[0] + x[1] * u + x[2] * u * u) / t - 1;
        residual += error * error;
    }
    return residual;
}

static void unscale(const equations *e, const double x[TERMS], double coefficients[TERMS])
{
    coefficients[0] = x[0] * e->t_scale;
    coefficients[1] = x[1] * e->t_scale / e->n_scale;
    coefficients[2] = x[2] * e->t_scale / (e->n_scale * e->n_scale);
}

bool fit_positive(const fit_point *points, size_t count, unsigned terms, double coefficients[TERMS])
{
    const equations e = equations_of(points, count);
    double best = INFINITY;
    for (unsigned set = 1; set <= terms; set++) {
        double x[TERMS];
        if ((set & ~terms) != 0)
            continue;
        const double residual = residual_of(&e, set, points, count, x);
        if (x[0] < 0 || x[1] < 0 || x[2] < 0 || !(residual < best))
            continue;
        best = residual;
        unscale(&e, x, coefficients);
    }
    return isfinite(best);
}

bool fit_exact(const fit_point *points, size_t count, double tolerance, double coefficients[TERMS])
{
    const equations e = equations_of(points, count);
    double x[TERMS];
    const double residual = residual_of(&e, FIT_QUADRATIC, points, count, x);
    unscale(&e, x, coefficients);
    return residual <= tolerance * tolerance;
}

bool fit_curve(const fit_point *points, size_t count, double coefficients[TERMS])
{
    return fit_distinct(points, count) >= TERMS &&
           fit_positive(points, count, FIT_QUADRATIC, coefficients);
}
