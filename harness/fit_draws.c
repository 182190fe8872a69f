/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "harness/fit_solve.h"
#include "harness/stats.h"
#include "harness/stats_sort.h"

bool fit_sampled(const fit_point *p)
{
    return p->samples != NULL && p->count >= STATS_FEWEST;
}

static bool all_sampled(const fit_point *points, size_t count)
{
    bool sampled = true;
    for (size_t i = 0; i < count && sampled; i++)
        sampled = !fit_usable(&points[i]) || fit_sampled(&points[i]);
    return sampled;
}

/* Column i of the rows. */
static bool draw_column(const fit_point *p, size_t i, size_t count, stats_random *random,
                        double *rows)
{
    const size_t draws = (size_t)fmax(1, round(stats_effective_samples(p->samples, p->count)));
    double *sorted = stats_sorted(p->samples, p->count);
    double *scratch = malloc(p->count * sizeof *scratch);
    const bool drawn = sorted != NULL && scratch != NULL;
    for (size_t draw = 0; drawn && draw < FIT_DRAWS; draw++)
        rows[draw * count + i] = stats_resampled_median(random, sorted, p->count, draws, scratch);
    free(sorted);
    free(scratch);
    return drawn;
}

double *fit_draws(const fit_point *points, size_t count, uint64_t seed)
{
    double *rows = NULL;
    if (all_sampled(points, count))
        rows = malloc((FIT_DRAWS * count + 1) * sizeof *rows);
    stats_random random = stats_random_start(seed);
    for (size_t i = 0; i < count && rows != NULL; i++) {
        if (!fit_usable(&points[i])) {
            for (size_t draw = 0; draw < FIT_DRAWS; draw++)
                rows[draw * count + i] = NAN;
        } else if (!draw_column(&points[i], i, count, &random, rows)) {
            free(rows);
            rows = NULL;
        }
    }
    return rows;
}
