/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/fit.h"

#include <math.h>
#include <stdlib.h>

#include "harness/fit_solve.h"
#include "harness/stats.h"

#define LINEAR_BELOW 1.5 /* slope of the FLOPs */

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

/* The points of a slope, and room for its draws. */
typedef struct slope_work {
    double *x, *y, *flops, *draws;
    size_t *index;
} slope_work;

static void slope_bootstrap(const slope_work *work, size_t used, const double *rows, size_t count,
                            fit_slope *slope)
{
    for (size_t draw = 0; draw < FIT_DRAWS; draw++) {
        for (size_t i = 0; i < used; i++)
            work->y[i] = log(rows[draw * count + work->index[i]]);
        work->draws[draw] = log_slope(work->x, work->y, used);
    }
    stats_percentile_interval(work->draws, FIT_DRAWS, &slope->low, &slope->high);
}

static void slope_of(const fit_point *points, size_t count, double beyond, const double *rows,
                     const slope_work *work, fit_slope *slope)
{
    size_t used = 0;
    bool flops_known = true;
    for (size_t i = 0; i < count; i++) {
        const fit_point *p = &points[i];
        if (!fit_usable(p) || !(p->n > beyond))
            continue;
        work->index[used] = i;
        work->x[used] = log(p->n);
        work->y[used] = log(p->t);
        work->flops[used] = log(p->flops);
        used++;
        flops_known = flops_known && p->flops > 0;
    }
    slope->value = log_slope(work->x, work->y, used);
    if (flops_known)
        slope->flops = log_slope(work->x, work->flops, used);
    if (rows != NULL && isfinite(slope->value))
        slope_bootstrap(work, used, rows, count, slope);
}

static fit_verdict judge(const fit_point *points, size_t count, const fit_slope *slope)
{
    for (size_t i = 0; i < count; i++)
        if (fit_usable(&points[i]) && !fit_sampled(&points[i]))
            return FIT_TOO_FEW_SAMPLES;
    if (isnan(slope->value) || isnan(slope->flops))
        return FIT_NOTHING_DOMINATES;
    bool inside = slope->low <= slope->flops && slope->flops <= slope->high;
    if (inside || fabs(slope->value - slope->flops) <= FIT_SLOPE_TOLERANCE)
        return FIT_GROWS_AS_FLOPS;
    return slope->value < slope->flops ? FIT_FLATTER_THAN_FLOPS : FIT_STEEPER_THAN_FLOPS;
}

/* Positive root of c n^2 - 10 (a + b n), or, where FLOPs grow linearly, of b n + c n^2 - 10 a. */
static double dominant_from(const double x[3], bool linear)
{
    const double constant = -10 * x[0], slope = linear ? x[1] : -10 * x[1];
    if (x[2] > 0)
        return (-slope + sqrt(slope * slope - 4 * x[2] * constant)) / (2 * x[2]);
    return slope > 0 ? -constant / slope : INFINITY;
}

static bool work_alloc(slope_work *work, size_t count)
{
    work->x = malloc((3 * count + FIT_DRAWS) * sizeof *work->x);
    work->index = malloc((count + 1) * sizeof *work->index);
    if (work->x == NULL || work->index == NULL)
        return false;
    work->y = work->x + count;
    work->flops = work->y + count;
    work->draws = work->flops + count;
    return true;
}

fit_result fit_analyse(const fit_point *points, size_t count, uint64_t seed)
{
    const fit_slope unknown = {NAN, NAN, NAN, NAN};
    const fit_interval none = {NAN, NAN};
    fit_result result = {.distinct = fit_distinct(points, count),
                         .a = NAN,
                         .b = NAN,
                         .c = NAN,
                         .a_interval = none,
                         .b_interval = none,
                         .c_interval = none,
                         .half_rate = NAN,
                         .half_rate_interval = none,
                         .dominant_from = INFINITY,
                         .all = unknown,
                         .tail = unknown,
                         .verdict = FIT_TOO_FEW_POINTS};
    double x[3];
    slope_work work = {0};
    double *rows = fit_draws(points, count, seed);
    if (work_alloc(&work, count)) {
        slope_of(points, count, 0, rows, &work, &result.all);
        if (fit_curve(points, count, x)) {
            result.a = x[0];
            result.b = x[1];
            result.c = x[2];
            result.dominant_from = dominant_from(x, result.all.flops < LINEAR_BELOW);
            slope_of(points, count, result.dominant_from, rows, &work, &result.tail);
            result.verdict = judge(points, count, &result.tail);
            fit_coefficients(points, count, rows, &result);
        }
    }
    free(rows);
    free(work.x);
    free(work.index);
    return result;
}

double fit_local_exponent(const fit_point *points, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (fit_usable(&points[i]) && fit_usable(&points[index]) &&
            points[i].n == 2 * points[index].n)
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
