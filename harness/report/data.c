/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/data.h"

#include <stdlib.h>
#include <string.h>

#include "harness/machine.h"
#include "harness_config.h"

#define FORMAT 1

static json_t *runs_json(const data_builder *b, const json_t *names)
{
    json_t *runs = json_array(), *short_names = data_short_names(names);
    for (size_t r = 0; r < b->count; r++)
        json_array_append_new(
            runs, data_run(&b->runs[r], json_array_get(names, r), json_array_get(short_names, r)));
    json_decref(short_names);
    return runs;
}

/* "attnmark: NAME, NAME" */
/* Bytes of "AMD EPYC (2 CPUs), " where all names begin with it; else 0. */
static size_t shared_bytes(const json_t *names)
{
    const char *first = json_string_value(json_array_get(names, 0));
    const char *comma = strstr(first, ", ");
    size_t bytes = comma != NULL ? (size_t)(comma - first) + 2 : 0;
    for (size_t r = 1; r < json_array_size(names); r++)
        if (strncmp(json_string_value(json_array_get(names, r)), first, bytes) != 0)
            bytes = 0;
    return bytes;
}

/* What all names begin with is said once. */
static json_t *title_json(const char *title, const json_t *names)
{
    if (title != NULL)
        return json_value_text(title);
    const size_t shared = shared_bytes(names);
    json_t *text = json_string("attnmark: ");
    for (size_t r = 0; r < json_array_size(names); r++) {
        const char *name = json_string_value(json_array_get(names, r));
        json_t *longer = json_sprintf("%s%s%s", json_string_value(text), r > 0 ? "; " : "",
                                      name + (r > 0 ? shared : 0));
        json_decref(text);
        text = longer;
    }
    return text;
}

static json_t *whole(data_builder *b, const char *title)
{
    char time[MACHINE_TIME];
    json_t *names = data_names(b->runs, b->count), *o = json_object();
    const json_t *contract = json_object_get(b->runs[0].header, "contract_version");
    json_object_set_new(o, "format", json_integer(FORMAT));
    json_object_set_new(o, "tool_version", json_string(ATTNMARK_VERSION));
    json_object_set_new(o, "generated", json_value_text(machine_time(time)));
    json_object_set_new(o, "contract_version",
                        json_is_integer(contract) ? json_copy((json_t *)contract) : json_null());
    json_object_set_new(o, "title", title_json(title, names));
    json_object_set_new(o, "runs", runs_json(b, names));
    json_decref(names);
    json_object_set(o, "workloads", b->workloads);
    json_object_set(o, "kernels", b->kernels);
    json_object_set_new(o, "columns", data_columns());
    json_object_set(o, "rows", b->rows);
    json_t *curves = data_curves(b), *comparisons = data_comparisons(b);
    const bool complete = curves != NULL && comparisons != NULL;
    json_object_set_new(o, "curves", curves);
    json_object_set_new(o, "comparisons", comparisons);
    if (complete)
        return o;
    json_decref(o);
    return NULL;
}

static void free_builder(data_builder *b)
{
    json_decref(b->workloads);
    json_decref(b->kernels);
    json_decref(b->rows);
    json_decref(b->workload_places);
    json_decref(b->kernel_places);
    json_decref(b->groups);
    for (size_t r = 0; b->places != NULL && r < b->count; r++)
        free(b->places[r]);
    free(b->places);
}

attn_status report_make(const run_file *runs, size_t count, const char *title, report *r,
                        attn_reason *why)
{
    data_builder b = {.runs = runs,
                      .count = count,
                      .workloads = json_array(),
                      .kernels = json_array(),
                      .rows = json_array(),
                      .workload_places = json_object(),
                      .kernel_places = json_object(),
                      .groups = json_object(),
                      .places = calloc(count, sizeof *b.places)};
    *r = (report){.runs = runs, .count = count};
    if (b.places != NULL && data_add_rows(&b) && data_rank_kernels(&b))
        r->data = whole(&b, title);
    free_builder(&b);
    return r->data != NULL ? ATTN_OK : attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
}

void report_free(report *r)
{
    json_decref(r->data);
    *r = (report){.data = NULL};
}

json_t *data_known(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_value_text(text) : json_string("-");
}

void data_add_pair(json_t *list, const char *label, const char *text)
{
    json_t *pair = json_array();
    json_array_append_new(pair, json_value_text(label));
    json_array_append_new(pair, data_known(text));
    json_array_append_new(list, pair);
}

data_text data_value(const json_t *value)
{
    data_text out = {""};
    if (json_is_string(value))
        snprintf(out.text, sizeof out.text, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(out.text, sizeof out.text, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_integer(value))
        snprintf(out.text, sizeof out.text, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(out.text, sizeof out.text, "%.4g", json_real_value(value));
    return out;
}
