/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of an island, one array each, in the order of the columns.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/data.h"

/* One row of one run. */
typedef struct place {
    data_builder *b;
    size_t run, index;
    const result_row *row;
    const json_t *line; /* as it was read */
} place;

static json_t *run_cell(const place *p)
{
    return json_value_count(p->run);
}

static json_t *kernel_cell(const place *p)
{
    return data_kernel_place(p->b, p->row);
}

static json_t *workload_cell(const place *p)
{
    return data_workload_place(p->b, p->row->workload);
}

static json_t *threads_cell(const place *p)
{
    return p->row->threads > 0 ? json_integer(p->row->threads) : json_null();
}

static json_t *status_cell(const place *p)
{
    return json_string(attn_status_name(p->row->status));
}

static json_t *samples_cell(const place *p)
{
    return p->row->samples > 0 ? json_value_count(p->row->samples) : json_null();
}

static json_t *outliers_cell(const place *p)
{
    const json_t *outliers = json_object_get(p->line, "outliers");
    return p->row->samples > 0 && json_is_array(outliers)
               ? json_value_count(json_array_size(outliers))
               : json_null();
}

/* Of the roof that binds. */
static json_t *share_cell(const place *p)
{
    const bool reads = p->row->bound == ATTN_ROOF_READ;
    return json_value_number(reads ? p->row->bandwidth_share : p->row->roof_share);
}

static json_t *intensity_cell(const place *p)
{
    return json_value_number(result_row_intensity(p->row));
}

static json_t *library_cell(const place *p)
{
    return data_library_place(p->b, p->row);
}

/* A column is a field of run.jsonl, which the reader has checked, or made by a function. */
static const struct {
    const char *name, *field;
    json_t *(*cell)(const place *p);
} columns[] = {
    {"run", NULL, run_cell},
    {"kernel", NULL, kernel_cell},
    {"workload", NULL, workload_cell},
    {"device", "device", NULL},
    {"threads", NULL, threads_cell},
    {"status", NULL, status_cell},
    {"reason", "reason", NULL},
    {"verified", "verified", NULL},
    {"digest", "digest", NULL},
    {"median_ns", "median_ns", NULL},
    {"low_ns", "ci_low_ns", NULL},
    {"high_ns", "ci_high_ns", NULL},
    {"samples", NULL, samples_cell},
    {"outliers", NULL, outliers_cell},
    {"gflops", "gflops", NULL},
    {"gb_per_s", "gb_per_s", NULL},
    {"bound", "bound", NULL},
    {"share", NULL, share_cell},
    {"intensity", NULL, intensity_cell},
    {"library", NULL, library_cell},
    {"vs_library", "library_ratio", NULL},
    {"vs_low", "library_ratio_low", NULL},
    {"vs_high", "library_ratio_high", NULL},
    {"device_ns", "device_ns", NULL},
    {"wall_ns", "wall_ns", NULL},
    {"empty_ns", "empty_ns", NULL},
    {"net_ns", "wall_net_ns", NULL},
    {"compile_ns", "compile_ns", NULL},
    {"dispatches", "dispatches", NULL},
    {"config", "config", NULL},
    {"stopped_by", "stopped_by", NULL},
    {"energy_j", "energy_j", NULL},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

json_t *data_columns(void)
{
    json_t *names = json_array();
    for (size_t i = 0; i < COLUMNS; i++)
        json_array_append_new(names, json_string(columns[i].name));
    return names;
}

static json_t *row_json(const place *p)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < COLUMNS; i++) {
        if (columns[i].cell != NULL) {
            json_array_append_new(cells, columns[i].cell(p));
            continue;
        }
        json_t *value = json_object_get(p->line, columns[i].field);
        json_array_append_new(cells, value ? json_incref(value) : json_null());
    }
    return cells;
}

bool data_add_rows(data_builder *b)
{
    for (size_t r = 0; r < b->count; r++) {
        const run_file *run = &b->runs[r];
        b->places[r] = malloc((run->count + 1) * sizeof *b->places[r]);
        for (size_t i = 0; b->places[r] != NULL && i < run->count; i++) {
            const place p = {b, r, i, &run->rows[i], json_array_get(run->lines, i)};
            b->places[r][i] = p.row->roof ? DATA_NOWHERE : json_array_size(b->rows);
            if (!p.row->roof)
                json_array_append_new(b->rows, row_json(&p));
        }
        if (b->places[r] == NULL)
            return false;
    }
    return true;
}
