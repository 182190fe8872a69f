/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs that took turns, and kernels of one run: sample i of one side was taken next to sample i of
 * the other, under the same conditions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare.h"

#define SEED 1 /* the same runs get the same verdicts */

/* Values of the other side that were sampled in turn with these; NULL if none were. */
static const compare_values *partner(const compare_values *own, const compare_values *others,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (own->turns != NULL && others[i].turns != NULL &&
            strcmp(own->turns, others[i].turns) == 0)
            return &others[i];
    return NULL;
}

static size_t pairs_of(const compare_values *one, const compare_values *other)
{
    return one->sample_count < other->sample_count ? one->sample_count : other->sample_count;
}

static compare_times paired_times(const double *a, const double *b, size_t count)
{
    compare_times times = {stats_paired_ratio(b, a, count, SEED), NAN, NAN};
    double *differences = malloc((count + 1) * sizeof *differences);
    size_t slower = 0;
    for (size_t i = 0; differences != NULL && i < count; i++) {
        differences[i] = log(b[i] / a[i]);
        slower += 2 * (b[i] > a[i]) + (b[i] == a[i]);
    }
    if (differences != NULL && count > 0) {
        times.share = (double)slower / (double)(2 * count);
        times.p = stats_signed_rank(differences, count).p;
    }
    free(differences);
    return times;
}

bool compare_paired(compare_pair *pair, const compare_values *a, size_t a_count,
                    const compare_values *b, size_t b_count)
{
    size_t count = 0;
    bool all = a_count == b_count;
    for (size_t i = 0; i < a_count && all; i++) {
        const compare_values *other = partner(&a[i], b, b_count);
        all = other != NULL;
        count += all ? pairs_of(&a[i], other) : 0;
    }
    double *values = all ? malloc((2 * count + 1) * sizeof *values) : NULL;
    if (values == NULL)
        return false;
    for (size_t i = 0, at = 0; i < a_count; i++) {
        const compare_values *other = partner(&a[i], b, b_count);
        for (size_t k = 0; k < pairs_of(&a[i], other); k++, at++) {
            values[at] = a[i].samples[k];
            values[count + at] = other->samples[k];
        }
    }
    pair->in_turn = true;
    pair->raw = paired_times(values, values + count, count);
    pair->normalised = (compare_times){{NAN, NAN, NAN}, NAN, NAN};
    pair->machine = NAN;
    free(values);
    return true;
}
