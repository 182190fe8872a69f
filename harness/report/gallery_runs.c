/* SPDX-License-Identifier: Apache-2.0
 *
 * The islands of a machine's page, with its history, and of the comparison of any two runs.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/report/gallery.h"

/* What a page takes, from the latest run back, so that it has at most 2 MB with all that is around
 * them: about so many bytes each. */
enum { MOST_BYTES = 1400000, SERIES_BYTES = 350, POINT_BYTES = 95, ROW_BYTES = 75 };

static json_t *threads_json(const result_row *row)
{
    return row->threads > 0 ? json_integer(row->threads) : json_null();
}

/* One key per series, in an object that finds it again. */
static json_t *key_text(const run_file *run, const result_row *row, const json_t *workload)
{
    const char *compiler = gallery_compiler(run);
    return json_sprintf("%lld %u %s %s\n%s\n%s", (long long)json_integer_value(workload),
                        row->threads, row->kernel, gallery_device(row), data_driver(run, row),
                        compiler != NULL ? compiler : "");
}

static json_t *series_json(const run_file *run, const result_row *row, json_t *workload)
{
    json_t *o = json_object();
    json_object_set(o, "workload", workload);
    json_object_set_new(o, "kernel", json_value_text(row->kernel));
    json_object_set_new(o, "exact", json_boolean(row->tier == ATTN_TIER_EXACT));
    json_object_set_new(o, "device", json_value_text(row->device));
    json_object_set_new(o, "device_name", json_value_text(row->device_name));
    json_object_set_new(o, "driver", json_value_text(data_driver(run, row)));
    json_object_set_new(o, "software", json_boolean(row->software));
    json_object_set_new(o, "threads", threads_json(row));
    json_object_set_new(o, "compiler", json_value_text(gallery_compiler(run)));
    json_object_set_new(o, "points", json_array());
    return o;
}

/* index: of the run on the page. Returns bytes. */
static size_t add_point(json_t *list, json_t *known, data_builder *names, const run_file *run,
                        const result_row *row, size_t index)
{
    size_t bytes = POINT_BYTES;
    json_t *workload = data_workload_place(names, row->workload);
    json_t *key = key_text(run, row, workload);
    json_t *series = json_object_get(known, json_string_value(key));
    if (series == NULL) {
        series = series_json(run, row, workload);
        json_array_append(list, series);
        json_object_set_new(known, json_string_value(key), series);
        bytes += SERIES_BYTES;
    }
    json_t *point = json_object();
    json_object_set_new(point, "run", json_value_count(index));
    json_object_set_new(point, "median_ns", json_value_number(row->median_ns));
    json_object_set_new(point, "low_ns", json_value_number(row->ci_low_ns));
    json_object_set_new(point, "high_ns", json_value_number(row->ci_high_ns));
    json_object_set_new(point, "gflops", json_value_number(row->gflops));
    json_array_append_new(json_object_get(series, "points"), point);
    json_decref(key);
    json_decref(workload);
    return bytes;
}

/* Every point of a run. Returns bytes. */
static size_t add_points(json_t *list, json_t *known, data_builder *names, const run_file *run,
                         size_t index)
{
    size_t bytes = 0;
    for (size_t i = 0; i < run->count; i++)
        if (gallery_is_timed(&run->rows[i]))
            bytes += add_point(list, known, names, run, &run->rows[i], index);
    return bytes;
}

/* The first run whose rows the page has room for: what is added here is thrown away, since series
 * are in the order of time. */
static size_t history_from(const gallery *g, size_t first, size_t end)
{
    data_builder names = gallery_builder();
    json_t *list = json_array(), *known = json_object();
    size_t from = end, bytes = 0;
    while (from > first && bytes < MOST_BYTES) {
        from--;
        bytes += add_points(list, known, &names, &g->runs[from].submission.run, from - first);
    }
    json_decref(list);
    json_decref(known);
    gallery_builder_free(&names);
    return from;
}

/* Facts of the latest run. */
static void add_facts(json_t *machine, const run_file *run)
{
    json_object_set_new(machine, "facts", data_machine(run));
    json_object_set_new(machine, "build", data_build(run));
    json_object_set_new(machine, "hardware", data_devices(run));
}

json_t *gallery_machine(const gallery *g, size_t machine)
{
    const size_t first = gallery_first(g, machine), end = gallery_first(g, machine + 1);
    const size_t from = history_from(g, first, end);
    data_builder names = gallery_builder();
    json_t *list = json_array(), *known = json_object();
    for (size_t r = from; r < end; r++)
        add_points(list, known, &names, &g->runs[r].submission.run, r - first);
    json_t *o = gallery_island(g, "machine", NULL, first, end - first);
    json_t *own = json_array_get(json_object_get(o, "machines"), machine);
    const char *name = json_string_value(json_object_get(own, "name"));
    add_facts(own, &g->runs[end - 1].submission.run);
    json_object_set_new(o, "title", json_sprintf("attnmark: %s", name != NULL ? name : "unknown"));
    json_object_set_new(o, "machine", json_value_count(machine));
    json_object_set_new(o, "series", list);
    json_object_set_new(o, "history_from", json_value_count(from - first));
    json_object_set(o, "workloads", names.workloads);
    json_decref(known);
    gallery_builder_free(&names);
    return o;
}

static json_t *row_json(data_builder *names, const json_t *devices, const run_file *run,
                        const result_row *row)
{
    json_t *cells = json_array();
    json_array_append_new(cells, data_kernel_place(names, row));
    json_array_append_new(cells, data_workload_place(names, row->workload));
    json_array_append_new(cells, gallery_device_place(devices, run, row));
    json_array_append_new(cells, threads_json(row));
    json_array_append_new(cells, json_value_number(row->median_ns));
    json_array_append_new(cells, json_value_number(row->ci_low_ns));
    json_array_append_new(cells, json_value_number(row->ci_high_ns));
    json_array_append_new(cells, json_value_number(row->gflops));
    json_array_append_new(cells, json_boolean(gallery_is_earned(row)));
    return cells;
}

static json_t *rows_json(data_builder *names, const json_t *devices, const run_file *run)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < run->count; i++)
        if (gallery_is_timed(&run->rows[i]))
            json_array_append_new(rows, row_json(names, devices, run, &run->rows[i]));
    return rows;
}

static int latest_first(const void *a, const void *b)
{
    return strcmp((*(const gallery_run *const *)b)->time, (*(const gallery_run *const *)a)->time);
}

/* Of each run; null: of those for which there is no room. NULL when out of memory. */
static json_t *all_rows(const gallery *g, data_builder *names, const json_t *devices)
{
    const gallery_run **order = calloc(g->count + 1, sizeof(const gallery_run *));
    if (order == NULL)
        return NULL;
    json_t *all = json_array();
    size_t bytes = 0;
    for (size_t r = 0; r < g->count; r++) {
        json_array_append_new(all, json_null());
        order[r] = &g->runs[r];
    }
    qsort(order, g->count, sizeof *order, latest_first);
    for (size_t r = 0; r < g->count && bytes < MOST_BYTES; r++) {
        json_t *rows = rows_json(names, devices, &order[r]->submission.run);
        bytes += json_array_size(rows) * ROW_BYTES;
        json_array_set_new(all, (size_t)(order[r] - g->runs), rows);
    }
    free(order);
    return all;
}

json_t *gallery_compare(const gallery *g)
{
    data_builder names = gallery_builder();
    json_t *devices = json_array();
    json_array_append_new(devices,
                          json_pack("{s:s,s:n,s:b}", "name", "cpu", "driver", "software", 0));
    for (size_t r = 0; r < g->count; r++)
        gallery_add_devices(devices, &g->runs[r].submission.run);
    json_t *all = all_rows(g, &names, devices);
    json_t *o = all != NULL && data_rank_kernels(&names)
                    ? gallery_island(g, "compare", "attnmark: two runs", 0, g->count)
                    : NULL;
    json_object_set(o, "kernels", names.kernels);
    json_object_set(o, "workloads", names.workloads);
    json_object_set_new(o, "devices", devices);
    json_object_set_new(o, "rows", all);
    gallery_builder_free(&names);
    return o;
}
