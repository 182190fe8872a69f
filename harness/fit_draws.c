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

/* One serial correlation for the whole curve: single points tell it poorly, and taking each for at
 * least 0 would widen intervals of independent samples. */
static double mean_correlation(const fit_point *points, size_t count)
{
    double sum = 0, usable = 0;
    for (size_t i = 0; i < count; i++)
        if (fit_usable(&points[i])) {
            sum += stats_serial_correlation(points[i].samples, points[i].count);
            usable++;
        }
    return usable > 0 ? sum / usable : 0;
}

/* Column i of the rows. */
static bool draw_column(const fit_point *p, size_t draws, size_t i, size_t count,
                        stats_random *random, double *rows)
{
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
    const double correlation = rows == NULL ? 0 : mean_correlation(points, count);
    stats_random random = stats_random_start(seed);
    for (size_t i = 0; i < count && rows != NULL; i++) {
        const size_t draws = stats_draws(stats_independent(points[i].count, correlation));
        if (!fit_usable(&points[i])) {
            for (size_t draw = 0; draw < FIT_DRAWS; draw++)
                rows[draw * count + i] = NAN;
        } else if (!draw_column(&points[i], draws, i, count, &random, rows)) {
            free(rows);
            rows = NULL;
        }
    }
    return rows;
}
