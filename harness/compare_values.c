/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "harness/compare.h"

/* Of the roof in work per ns: its fastest sample after `from` and until `to`, or else the one that
 * is nearest to `to`. */
static double rate_between(const result_row *roof, double from, double to)
{
    const double work = (double)(attn_roof_moves(roof->bound) ? roof->bytes : roof->flops);
    double fastest = 0, nearest = 0, distance = INFINITY;
    for (size_t i = 0; i < roof->samples; i++) {
        const double at = roof->sample_at_s[i], rate = work / roof->samples_ns[i];
        if (at > from && at <= to)
            fastest = fmax(fastest, rate);
        if (fabs(at - to) < distance) {
            distance = fabs(at - to);
            nearest = rate;
        }
    }
    return fastest > 0 ? fastest : nearest;
}

static double fastest_of(const double *samples, size_t count)
{
    double fastest = INFINITY;
    for (size_t i = 0; i < count; i++)
        fastest = fmin(fastest, samples[i]);
    return fastest;
}

/* Where the blocks end: samples [end(i - 1), end(i)) are block i. */
static size_t block_end(const result_row *row, const compare_values *v, size_t block)
{
    return (block + 1) * row->samples / v->count;
}

static void fill_raw(const result_row *row, compare_values *v)
{
    for (size_t i = 0, from = 0; i < v->count; from = block_end(row, v, i++))
        v->raw[i] = fastest_of(row->samples_ns + from, block_end(row, v, i) - from);
}

static void fill_normalised(const result_row *row, const result_row *roof, compare_values *v)
{
    double from = -INFINITY;
    for (size_t i = 0; i < v->count; i++) {
        const double to = row->sample_at_s[block_end(row, v, i) - 1];
        v->rate[i] = rate_between(roof, from, to);
        v->normalised[i] = v->raw[i] * v->rate[i];
        from = to;
    }
}

bool compare_values_of(const run_file *run, const result_row *row, compare_values *v)
{
    const result_row *roof = compare_roof(run, row);
    *v = (compare_values){
        .count = row->samples < COMPARE_BLOCKS ? row->samples : COMPARE_BLOCKS,
        .samples = row->samples_ns,
        .sample_count = row->samples,
        .turns = json_string_value(json_object_get(json_object_get(run->header, "turns"), "id"))};
    v->raw = malloc((v->count + 1) * sizeof *v->raw);
    if (v->raw == NULL)
        return false;
    fill_raw(row, v);
    if (roof == NULL || roof->samples == 0 || roof->sample_at_s == NULL || row->sample_at_s == NULL)
        return true;
    v->normalised = malloc((v->count + 1) * sizeof *v->normalised);
    v->rate = malloc((v->count + 1) * sizeof *v->rate);
    if (v->normalised != NULL && v->rate != NULL) {
        fill_normalised(row, roof, v);
        return true;
    }
    compare_values_free(v);
    return false;
}

void compare_values_free(compare_values *v)
{
    free(v->raw);
    free(v->normalised);
    free(v->rate);
    *v = (compare_values){.count = 0};
}
