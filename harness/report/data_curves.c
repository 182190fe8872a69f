/* SPDX-License-Identifier: Apache-2.0
 *
 * The scaling curves of an island, with their fits.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/report/data.h"
#include "harness/series.h"

/* Where the fits of all commands start to draw. */
static uint64_t seed_of(const run_file *run)
{
    return (uint64_t)json_integer_value(json_object_get(run->header, "seed"));
}

static uint32_t length_of(const series *s, const result_row *row)
{
    return series_length(s) == 'm' ? row->workload->m : row->workload->n;
}

/* Places of the rows of a curve, in the order of the length; NULL when out of memory. */
static json_t *rows_of(const data_builder *b, size_t r, const series *s)
{
    const run_file *run = &b->runs[r];
    size_t *index = malloc((run->count + 1) * sizeof *index), count = 0;
    for (size_t i = 0; index != NULL && i < run->count; i++) {
        if (!series_holds(s, &run->rows[i]))
            continue;
        size_t place = count++;
        for (;
             place > 0 && length_of(s, &run->rows[index[place - 1]]) > length_of(s, &run->rows[i]);
             place--)
            index[place] = index[place - 1];
        index[place] = i;
    }
    json_t *rows = index != NULL ? json_array() : NULL;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(rows, json_value_count(b->places[r][index[i]]));
    free(index);
    return rows;
}

static json_t *exponents_of(const series *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->count; i++) {
        const double exponent = fit_local_exponent(s->points, s->count, i);
        if (isfinite(exponent))
            json_array_append_new(list, json_real(exponent));
    }
    return list;
}

static void set_fit(json_t *o, const fit_result *f)
{
    const struct {
        const char *name;
        double value;
    } fields[] = {{"a_ns", f->a},
                  {"b_ns", f->b},
                  {"c_ns", f->c},
                  {"slope", f->all.value},
                  {"slope_low", f->all.low},
                  {"slope_high", f->all.high},
                  {"slope_flops", f->all.flops},
                  {"half", f->half_rate},
                  {"half_low", f->half_rate_interval.low},
                  {"half_high", f->half_rate_interval.high}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        json_object_set_new(o, fields[i].name, json_value_number(fields[i].value));
}

static json_t *curve_json(const data_builder *b, size_t r, const series *s, json_t *rows)
{
    char verdict[SERIES_VERDICT];
    const char length[2] = {series_length(s), '\0'};
    json_t *o = json_object();
    json_object_set_new(o, "run", json_value_count(r));
    json_object_set(o, "kernel", json_object_get(b->kernel_places, s->first->kernel));
    json_object_set_new(o, "device", json_value_text(s->first->device));
    json_object_set_new(o, "threads",
                        s->first->threads ? json_integer(s->first->threads) : json_null());
    json_object_set_new(o, "length", json_string(length));
    json_object_set_new(o, "rows", rows);
    set_fit(o, &s->fit);
    json_object_set_new(o, "exponents", exponents_of(s));
    json_object_set_new(o, "verdict", json_value_text(series_verdict(s, verdict)));
    return o;
}

static bool add_curves(const data_builder *b, size_t r, json_t *list)
{
    series *curves;
    const size_t count =
        series_build(b->runs[r].rows, b->runs[r].count, seed_of(&b->runs[r]), &curves);
    bool memory = curves != NULL;
    for (size_t i = 0; i < count && memory; i++) {
        if (curves[i].fit.distinct == 0)
            continue; /* nothing of it was timed */
        json_t *rows = rows_of(b, r, &curves[i]);
        memory = rows != NULL;
        if (memory)
            json_array_append_new(list, curve_json(b, r, &curves[i], rows));
    }
    series_free(curves, count);
    return memory;
}

json_t *data_curves(const data_builder *b)
{
    json_t *list = json_array();
    bool memory = true;
    for (size_t r = 0; r < b->count && memory; r++)
        memory = add_curves(b, r, list);
    if (memory)
        return list;
    json_decref(list);
    return NULL;
}
