/* SPDX-License-Identifier: Apache-2.0
 *
 * The three basis functions allow 7 non-empty sets of positive coefficients. The non-negative
 * optimum is the unconstrained optimum of one of them, so trying all and keeping the best
 * feasible one is exact.
 */
#include "harness/fit.h"

#include <math.h>
#include <stdlib.h>

#include "harness/stats.h"

#define LINEAR_BELOW 1.5 /* slope of the FLOPs */

enum { TERMS = 3, BOOTSTRAP_DRAWS = 1000 };

static bool usable(const fit_point *p)
{
    return isfinite(p->t) && p->t > 0 && p->n > 0;
}

/* As many as an interval of the median needs: fewer resample to an interval that covers less. */
static bool enough_samples(const fit_point *p)
{
    return p->samples != NULL && stats_interval_rank(p->count) > 0;
}

static size_t distinct_n(const fit_point *points, size_t count)
{
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        bool seen = !usable(&points[i]);
        for (size_t j = 0; j < i && !seen; j++)
            seen = usable(&points[j]) && points[j].n == points[i].n;
        distinct += !seen;
    }
    return distinct;
}

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

bool fit_curve(const fit_point *points, size_t count, double coefficients[TERMS])
{
    if (distinct_n(points, count) < 3)
        return false;
    double gram[TERMS][TERMS] = {{0}}, right[TERMS] = {0}, n_scale = 0, t_scale = 0;
    for (size_t i = 0; i < count; i++)
        if (usable(&points[i])) {
            n_scale = fmax(n_scale, points[i].n);
            t_scale = fmax(t_scale, points[i].t);
        }
    for (size_t i = 0; i < count; i++) {
        if (!usable(&points[i]))
            continue;
        double row[TERMS];
        fit_point p = points[i];
        p.t /= t_scale;
        design_row(&p, n_scale, row);
        for (int r = 0; r < TERMS; r++) {
            right[r] += row[r];
            for (int c = 0; c < TERMS; c++)
                gram[r][c] += row[r] * row[c];
        }
    }
    double best = INFINITY;
    for (unsigned set = 1; set < 1u << TERMS; set++) {
        double x[TERMS], residual = 0;
        if (!solve_set(gram, right, set, x) || x[0] < 0 || x[1] < 0 || x[2] < 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            if (!usable(&points[i]))
                continue;
            double u = points[i].n / n_scale, t = points[i].t / t_scale;
            double error = (x[0] + x[1] * u + x[2] * u * u) / t - 1;
            residual += error * error;
        }
        if (residual < best) {
            best = residual;
            coefficients[0] = x[0] * t_scale;
            coefficients[1] = x[1] * t_scale / n_scale;
            coefficients[2] = x[2] * t_scale / (n_scale * n_scale);
        }
    }
    return isfinite(best);
}

static double log_slope(const double *x, const double *y, size_t count)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xx > 0 ? xy / xx : NAN;
}

typedef struct slope_work {
    double *x, *y, *flops, *scratch, *draws;
    const fit_point **point;
} slope_work;

static void bootstrap(const slope_work *work, size_t used, uint64_t seed, fit_slope *slope)
{
    stats_random random = stats_random_start(seed);
    for (size_t draw = 0; draw < BOOTSTRAP_DRAWS; draw++) {
        for (size_t i = 0; i < used; i++) {
            const fit_point *p = work->point[i];
            work->y[i] = log(stats_resampled_median(&random, p->samples, p->count, work->scratch));
        }
        work->draws[draw] = log_slope(work->x, work->y, used);
    }
    stats_percentile_interval(work->draws, BOOTSTRAP_DRAWS, &slope->low, &slope->high);
}

static void slope_of(const fit_point *points, size_t count, double beyond, uint64_t seed,
                     const slope_work *work, fit_slope *slope)
{
    size_t used = 0;
    bool flops_known = true, sampled = true;
    for (size_t i = 0; i < count; i++) {
        const fit_point *p = &points[i];
        if (!usable(p) || !(p->n > beyond))
            continue;
        work->point[used] = p;
        work->x[used] = log(p->n);
        work->y[used] = log(p->t);
        work->flops[used] = log(p->flops);
        used++;
        flops_known = flops_known && p->flops > 0;
        sampled = sampled && enough_samples(p);
    }
    slope->value = log_slope(work->x, work->y, used);
    if (flops_known)
        slope->flops = log_slope(work->x, work->flops, used);
    if (sampled && isfinite(slope->value))
        bootstrap(work, used, seed, slope);
}

static fit_verdict judge(const fit_point *points, size_t count, const fit_slope *slope)
{
    for (size_t i = 0; i < count; i++)
        if (usable(&points[i]) && !enough_samples(&points[i]))
            return FIT_TOO_FEW_SAMPLES;
    if (isnan(slope->value) || isnan(slope->flops))
        return FIT_NOTHING_DOMINATES;
    bool inside = slope->low <= slope->flops && slope->flops <= slope->high;
    if (inside || fabs(slope->value - slope->flops) <= FIT_SLOPE_TOLERANCE)
        return FIT_GROWS_AS_FLOPS;
    return slope->value < slope->flops ? FIT_FLATTER_THAN_FLOPS : FIT_STEEPER_THAN_FLOPS;
}

/* Positive root of c n^2 - 10 (a + b n), or, where FLOPs grow linearly, of b n + c n^2 - 10 a. */
static double dominant_from(const double x[TERMS], bool linear)
{
    const double constant = -10 * x[0], slope = linear ? x[1] : -10 * x[1];
    if (x[2] > 0)
        return (-slope + sqrt(slope * slope - 4 * x[2] * constant)) / (2 * x[2]);
    return slope > 0 ? -constant / slope : INFINITY;
}

static bool work_alloc(slope_work *work, const fit_point *points, size_t count)
{
    size_t samples = 1;
    for (size_t i = 0; i < count; i++)
        if (points[i].count > samples)
            samples = points[i].count;
    work->x = malloc((3 * count + samples + BOOTSTRAP_DRAWS) * sizeof *work->x);
    work->point = malloc((count + 1) * sizeof *work->point);
    if (work->x == NULL || work->point == NULL)
        return false;
    work->y = work->x + count;
    work->flops = work->y + count;
    work->scratch = work->flops + count;
    work->draws = work->scratch + samples;
    return true;
}

fit_result fit_analyse(const fit_point *points, size_t count, uint64_t seed)
{
    const fit_slope unknown = {NAN, NAN, NAN, NAN};
    fit_result result = {distinct_n(points, count), NAN, NAN, NAN, INFINITY, unknown, unknown,
                         FIT_TOO_FEW_POINTS};
    double x[TERMS];
    slope_work work = {0};
    if (work_alloc(&work, points, count)) {
        slope_of(points, count, 0, seed, &work, &result.all);
        if (fit_curve(points, count, x)) {
            result.a = x[0];
            result.b = x[1];
            result.c = x[2];
            result.dominant_from = dominant_from(x, result.all.flops < LINEAR_BELOW);
            slope_of(points, count, result.dominant_from, seed, &work, &result.tail);
            result.verdict = judge(points, count, &result.tail);
        }
    }
    free(work.x);
    free(work.point);
    return result;
}

double fit_local_exponent(const fit_point *points, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (usable(&points[i]) && usable(&points[index]) && points[i].n == 2 * points[index].n)
            return log2(points[i].t / points[index].t);
    return NAN;
}

const char *fit_verdict_text(fit_verdict verdict)
{
    switch (verdict) {
    case FIT_TOO_FEW_POINTS:
        return "not enough points";
    case FIT_TOO_FEW_SAMPLES:
        return "not enough samples";
    case FIT_NOTHING_DOMINATES:
        return "overhead dominates on this grid: no verdict";
    case FIT_GROWS_AS_FLOPS:
        return "grows as its FLOPs";
    case FIT_FLATTER_THAN_FLOPS:
        return "flatter than its FLOPs";
    case FIT_STEEPER_THAN_FLOPS:
        return "steeper than its FLOPs";
    }
    return "unknown";
}
