/* SPDX-License-Identifier: Apache-2.0
 *
 * What the islands of all pages of a gallery have.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/contract.h"
#include "harness/machine.h"
#include "harness/report/gallery.h"
#include "harness_config.h"

#define FORMAT 1

data_builder gallery_builder(void)
{
    return (data_builder){.workloads = json_array(),
                          .kernels = json_array(),
                          .workload_places = json_object(),
                          .kernel_places = json_object(),
                          .groups = json_object()};
}

void gallery_builder_free(data_builder *b)
{
    json_decref(b->workloads);
    json_decref(b->kernels);
    json_decref(b->workload_places);
    json_decref(b->kernel_places);
    json_decref(b->groups);
}

size_t gallery_first(const gallery *g, size_t machine)
{
    size_t first = 0;
    while (first < g->count && g->runs[first].machine < machine)
        first++;
    return first;
}

bool gallery_is_earned(const result_row *row)
{
    return row->status == ATTN_OK && !row->roof && row->tier == ATTN_TIER_EXACT &&
           row->verified[0] != '\0' && row->digest[0] != '\0' && isfinite(row->median_ns) &&
           isfinite(row->ci_low_ns) && isfinite(row->ci_high_ns);
}

static const run_file *file_of(const gallery *g, size_t run)
{
    return &g->runs[run].submission.run;
}

const char *gallery_compiler(const run_file *run)
{
    const json_t *build = json_object_get(run->header, "build");
    return json_string_value(json_object_get(build, "compiler"));
}

/* As its latest run names it. */
static json_t *one_machine(const gallery *g, size_t machine)
{
    const size_t first = gallery_first(g, machine), end = gallery_first(g, machine + 1);
    const run_file *latest = file_of(g, end - 1);
    json_t *names = data_names(latest, 1), *devices = json_array(), *o = json_object();
    size_t valid = 0;
    for (size_t i = first; i < end; i++) {
        valid += g->runs[i].valid;
        gallery_add_devices(devices, file_of(g, i));
    }
    json_object_set_new(o, "slug", json_string(g->runs[first].slug));
    json_object_set_new(o, "vendor", json_string(g->runs[first].vendor));
    json_object_set(o, "name", json_array_get(names, 0));
    json_object_set_new(o, "devices", devices);
    json_object_set_new(o, "runs", json_value_count(end - first));
    json_object_set_new(o, "valid", json_value_count(valid));
    json_object_set(o, "latest", json_object_get(latest->header, "time"));
    json_decref(names);
    return o;
}

static json_t *run_json(const gallery_run *run, json_t *name)
{
    const run_file *file = &run->submission.run;
    json_t *o = json_object();
    json_object_set(o, "name", name);
    json_object_set_new(o, "machine", json_value_count(run->machine));
    json_object_set(o, "time", json_object_get(file->header, "time"));
    json_object_set_new(o, "file", json_value_text(run->file));
    json_object_set(o, "result", json_object_get(file->end, "result"));
    json_object_set(o, "reasons", json_object_get(file->end, "reasons"));
    json_object_set(o, "elapsed_s", json_object_get(file->end, "elapsed_s"));
    json_object_set_new(o, "devices", gallery_devices(file));
    json_object_set_new(o, "compiler", json_value_text(gallery_compiler(file)));
    json_object_set(o, "seed", json_object_get(file->header, "seed"));
    json_object_set_new(o, "rows", json_value_count(file->count));
    json_object_set_new(o, "ok", json_value_count(run->submission.ok));
    json_object_set_new(o, "report", json_value_text(run->report));
    json_object_set_new(o, "report_fault", json_value_text(run->report_fault.text));
    return o;
}

/* By which people tell these runs apart; NULL when out of memory. */
static json_t *names_of(const gallery *g, size_t first, size_t count)
{
    run_file *files = malloc((count + 1) * sizeof *files); /* what they have stays the gallery's */
    if (files == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        files[i] = *file_of(g, first + i);
    json_t *names = data_names(files, count);
    free(files);
    return names;
}

json_t *gallery_island(const gallery *g, const char *page, const char *title, size_t first,
                       size_t count)
{
    char time[MACHINE_TIME];
    json_t *names = names_of(g, first, count);
    if (names == NULL)
        return NULL;
    json_t *o = json_object(), *machines = json_array(), *runs = json_array();
    for (size_t i = 0; i < g->machines; i++)
        json_array_append_new(machines, one_machine(g, i));
    for (size_t i = 0; i < count; i++)
        json_array_append_new(runs, run_json(&g->runs[first + i], json_array_get(names, i)));
    json_decref(names);
    json_object_set_new(o, "format", json_integer(FORMAT));
    json_object_set_new(o, "page", json_string(page));
    json_object_set_new(o, "root", json_string(strcmp(page, "machine") == 0 ? "../" : ""));
    json_object_set_new(o, "title", json_value_text(title));
    json_object_set_new(o, "tool_version", json_string(ATTNMARK_VERSION));
    json_object_set_new(o, "generated", json_value_text(machine_time(time)));
    json_object_set_new(o, "contract_version", json_integer(ATTN_CONTRACT_VERSION));
    json_object_set_new(o, "machines", machines);
    json_object_set_new(o, "runs", runs);
    return o;
}
