/* SPDX-License-Identifier: Apache-2.0
 *
 * Where two scaling curves over the same length cross: where the fits t = a + b n + c n^2 of the
 * two are equal, inside the range of n in which both were measured. A curve counts as faster at an
 * n where its fit is below the other's in at least 97 % of the bootstrap draws; a crossover is a
 * change of that, so that noise between equal curves is none. Its interval holds the n between at
 * which neither counts as faster.
 */
#ifndef HARNESS_CROSSOVER_H
#define HARNESS_CROSSOVER_H

#include "harness/fit.h"

#define CROSSOVER_MAX 2 /* roots of a difference of quadratics */

typedef enum { CROSSOVER_NEITHER, CROSSOVER_FIRST, CROSSOVER_SECOND } crossover_side;

typedef struct crossover {
    double n;
    double low, high; /* 95 % bootstrap interval, within the common range */
    /* Do the measurements agree? At the last common measured n up to `low` and the first from
     * `high` on, the intervals of the two medians lie apart, in the order that the fits say. */
    bool confirmed;
} crossover;

typedef struct crossover_result {
    double from, to; /* the common range of n; NAN when nothing can be said */
    size_t count;    /* crossovers, ascending */
    crossover at[CROSSOVER_MAX];
    /* Who is faster before, between and after them: count + 1 entries. With no crossover, side[0]
     * is CROSSOVER_NEITHER where the curves are equal as far as the noise tells. */
    crossover_side side[CROSSOVER_MAX + 1];
} crossover_result;

/* Points in any order and any one unit of time. Points without a time or with fewer than 6 samples
 * are left out. `from` is NAN below 3 distinct n in either curve, or without a common range.
 * Deterministic for a given seed. */
crossover_result crossover_find(const fit_point *first, size_t first_count, const fit_point *second,
                                size_t second_count, uint64_t seed);

#endif
