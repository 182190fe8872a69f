/* SPDX-License-Identifier: Apache-2.0
 *
 * The scaling curve of one kernel: t = a + b n + c n^2, log-log slopes, and how they compare with
 * the exact FLOP count on the same grid. n is whatever length sweeps: the number of queries or, in
 * decode, of keys. Times are in any one unit; coefficients come out in it.
 *
 * Growth is judged where what should grow dominates what should not: the terms of the FLOPs' own
 * degree and above are more than ten times the rest. The degree is 1 where the FLOPs' slope is
 * below 1.5 (decode, windows), else 2.
 *
 * n_1/2 is the n that reaches half of the plateau, the limit of FLOPs / t(n) for large n by the
 * fit. It is 0 where the rate is above half of it everywhere. Where FLOPs grow linearly it comes
 * from a fit by a + b n, as long as c n^2 is at most a tenth of the time. It is not determined
 * where the fit has no plateau, where n_1/2 lies beyond the largest n, and where the FLOPs are
 * unknown or no polynomial.
 */
#ifndef HARNESS_FIT_H
#define HARNESS_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fit_point {
    double n;
    double t;              /* median time; a point that is not finite and > 0 is ignored */
    double flops;          /* exact FLOPs at this n; 0: unknown */
    const double *samples; /* for the bootstrap; may be NULL */
    size_t count;
} fit_point;

typedef enum {
    FIT_TOO_FEW_POINTS,    /* fewer than 3 distinct n */
    FIT_TOO_FEW_SAMPLES,   /* a usable point has fewer than an interval of its median needs: 6 */
    FIT_NOTHING_DOMINATES, /* at two distinct n of the grid */
    FIT_GROWS_AS_FLOPS,    /* the slopes agree, where growth dominates */
    FIT_FLATTER_THAN_FLOPS,
    FIT_STEEPER_THAN_FLOPS,
} fit_verdict;

typedef struct fit_slope {
    double value;     /* d log t / d log n by least squares; NAN below 2 distinct n */
    double low, high; /* 95 % bootstrap interval; NAN when a point has below 6 samples */
    double flops;     /* the same slope of the FLOP counts; NAN when they are unknown */
} fit_slope;

/* 95 % bootstrap interval; NAN when a point has below 6 samples. Where a coefficient is near 0, its
 * bound, those of all three cover less, 92 to 93 %. */
typedef struct fit_interval {
    double low, high;
} fit_interval;

typedef struct fit_result {
    size_t distinct; /* distinct n among the usable points */
    double a, b, c;  /* >= 0; NAN when the verdict is FIT_TOO_FEW_POINTS */
    fit_interval a_interval, b_interval, c_interval;
    double half_rate; /* n_1/2, below; NAN where it is not determined */
    fit_interval half_rate_interval;
    double dominant_from; /* n beyond which the leading terms dominate; INFINITY: never */
    fit_slope all;        /* over every usable point */
    fit_slope tail;       /* over the points beyond dominant_from */
    fit_verdict verdict;
} fit_result;

/* Slopes closer than this count as equal even when the bootstrap interval is narrower. Where
 * c n^2 = 10 a, the constant a alone lowers the slope to the next doubling by
 * log2(1.1 / 1.025) = 0.10: that is overhead, not growth of another kind. */
#define FIT_SLOPE_TOLERANCE 0.1

/* Deterministic for a given seed. */
fit_result fit_analyse(const fit_point *points, size_t count, uint64_t seed);

/* Non-negative least squares with weights 1/t^2; coefficients[0..2] multiply 1, n, n^2. False
 * below 3 distinct n. */
bool fit_curve(const fit_point *points, size_t count, double coefficients[3]);

/* log2(t(2n) / t(n)), for the point at index; NAN when the grid has no usable 2n. */
double fit_local_exponent(const fit_point *points, size_t count, size_t index);

/* One line for people; never empty. */
const char *fit_verdict_text(fit_verdict verdict);

#endif
