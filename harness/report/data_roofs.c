/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofs of a run. Each was measured again for every workload: the median of its rates stands.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/data.h"
#include "harness/stats.h"

static bool same_roof(const result_row *a, const result_row *b)
{
    return a->roof && b->roof && a->threads == b->threads && strcmp(a->kernel, b->kernel) == 0 &&
           strcmp(a->device, b->device) == 0;
}

static bool first_of_roof(const run_file *run, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_roof(&run->rows[i], &run->rows[index]))
            return false;
    return run->rows[index].roof;
}

/* The row that stands for the roof, the first that is ok if there is one; its rates: of `count`
 * rows. */
static const result_row *take_rates(const run_file *run, const result_row *roof, double *rates,
                                    size_t *count)
{
    const result_row *stands = roof;
    *count = 0;
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (!same_roof(row, roof) || row->status != ATTN_OK)
            continue;
        if (*count == 0)
            stands = row;
        rates[(*count)++] = attn_roof_moves(row->bound) ? row->gb_per_s : row->gflops;
    }
    return stands;
}

static json_t *roof_json(const result_row *row, double rate)
{
    const bool moves = attn_roof_moves(row->bound);
    json_t *o = json_object();
    json_object_set_new(o, "kernel", json_value_text(row->kernel));
    json_object_set_new(o, "device", json_value_text(row->device));
    json_object_set_new(o, "threads", row->threads ? json_integer(row->threads) : json_null());
    json_object_set_new(o, "status", json_value_text(attn_status_name(row->status)));
    json_object_set_new(o, "reason", json_value_text(row->why.text));
    json_object_set_new(o, "bound", json_value_text(attn_roof_kind_name(row->bound)));
    json_object_set_new(o, "level", json_value_text(attn_level_name(row->level)));
    json_object_set_new(o, "gflops", json_value_number(moves ? NAN : rate));
    json_object_set_new(o, "gb_per_s", json_value_number(moves ? rate : NAN));
    return o;
}

json_t *data_roofs(const run_file *run)
{
    json_t *list = json_array();
    double *rates = malloc((run->count + 1) * sizeof *rates);
    for (size_t i = 0; rates != NULL && i < run->count; i++) {
        size_t count;
        if (!first_of_roof(run, i))
            continue;
        const result_row *row = take_rates(run, &run->rows[i], rates, &count);
        json_array_append_new(list, roof_json(row, stats_median_interval(rates, count).median));
    }
    free(rates);
    return list;
}
