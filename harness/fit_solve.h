/* SPDX-License-Identifier: Apache-2.0
 *
 * What the analysis of a curve and the search for crossovers share: least squares and resampling.
 */
#ifndef HARNESS_FIT_SOLVE_H
#define HARNESS_FIT_SOLVE_H

#include "harness/fit.h"

/* Sets of the terms 1, n, n^2. */
#define FIT_LINEAR    3u
#define FIT_QUADRATIC 7u

#define FIT_DRAWS 1000 /* of the bootstrap */

/* Has the point a time, and a length? */
bool fit_usable(const fit_point *p);

/* Has it as many samples as an interval of its median needs? Fewer resample to an interval that
 * covers less. */
bool fit_sampled(const fit_point *p);

/* Distinct n of the usable points. */
size_t fit_distinct(const fit_point *points, size_t count);

/* fit_curve with the terms of a set only, which the points must determine. */
bool fit_positive(const fit_point *points, size_t count, unsigned terms, double coefficients[3]);

/* Least squares by all three terms, of any sign; is the root of the summed squared relative
 * residuals within the tolerance? */
bool fit_exact(const fit_point *points, size_t count, double tolerance, double coefficients[3]);

/* The bootstrap's draws of the medians: FIT_DRAWS rows of `count` times, each the median of
 * resampled samples; fewer are drawn where they depend on each other, so that serial correlation
 * widens what comes of it. NAN for points that are not usable. NULL when a
 * usable point has too few samples, or out of memory; free it. */
double *fit_draws(const fit_point *points, size_t count, uint64_t seed);

/* Fills in the intervals of a, b, c, and n_1/2 with its own; rows are fit_draws', or NULL. */
void fit_coefficients(const fit_point *points, size_t count, const double *rows,
                      fit_result *result);

#endif
