/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON for the tools of others: compare.py of Google Benchmark, Bencher. Only ok rows have numbers
 * to give.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench.h"
#include "harness/export.h"
#include "harness/json_value.h"

#define TIME_NAME "/manual_time" /* as in gb.json, so that the two can be compared */

static attn_status put(FILE *out, json_t *value, attn_reason *why)
{
    char *text = json_value_line(value);
    json_decref(value);
    if (text == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    fprintf(out, "%s\n", text);
    free(text);
    return ATTN_OK;
}

static attn_status want_one(size_t count, const char *format, attn_reason *why)
{
    if (count == 1)
        return ATTN_OK;
    return attn_because(why, ATTN_ERROR, "--%s takes one RUN: names of rows would be there twice",
                        format);
}

/* Does this name need the device, because a row before has it, too? */
static bool named_before(const run_file *run, size_t index)
{
    const result_row *row = &run->rows[index];
    bool before = false;
    for (size_t i = 0; i < index && !before; i++) {
        result_row other = run->rows[i];
        other.device = row->device;
        before = run->rows[i].status == ATTN_OK && run_file_same_key(&other, row);
    }
    return before;
}

/* "kernel/workload/threads:N", and "/vk1" where another device has that. Allocated. */
static char *row_name(const run_file *run, size_t index, const char *suffix)
{
    const result_row *row = &run->rows[index];
    char *base = bench_row_name(row->kernel, row->workload, row->threads);
    const bool twice = named_before(run, index);
    json_t *text = json_sprintf("%s%s%s%s", base ? base : "", twice ? "/" : "",
                                twice ? row->device : "", suffix);
    free(base);
    char *name = text != NULL ? strdup(json_string_value(text)) : NULL;
    json_decref(text);
    return name;
}

static json_t *gb_sample(const result_row *row, const char *name, size_t family, size_t index)
{
    const double ns = row->samples_ns[index];
    json_t *o = json_object();
    json_object_set_new(o, "name", json_value_text(name));
    json_object_set_new(o, "family_index", json_value_count(family));
    json_object_set_new(o, "per_family_instance_index", json_integer(0));
    json_object_set_new(o, "run_name", json_value_text(name));
    json_object_set_new(o, "run_type", json_string("iteration"));
    json_object_set_new(o, "repetitions", json_value_count(row->samples));
    json_object_set_new(o, "repetition_index", json_value_count(index));
    json_object_set_new(o, "threads", json_integer(1));
    json_object_set_new(o, "iterations", json_value_count(row->iterations));
    json_object_set_new(o, "real_time", json_value_number(ns));
    json_object_set_new(o, "cpu_time", json_value_number(ns)); /* not kept in run.jsonl */
    json_object_set_new(o, "time_unit", json_string("ns"));
    json_object_set_new(o, "label", json_string(row->device_name));
    if (row->flops > 0)
        json_object_set_new(o, "FLOP/s", json_value_number(1e9 * (double)row->flops / ns));
    if (index < row->clock_samples) {
        json_object_set_new(o, "wall_s", json_value_number(1e-9 * row->wall_samples_ns[index]));
        json_object_set_new(o, "empty_s", json_value_number(1e-9 * row->empty_samples_ns[index]));
    }
    return o;
}

static json_t *gb_context(const run_file *run)
{
    const json_t *machine = json_object_get(run->header, "machine");
    json_t *o = json_object();
    json_object_set(o, "date", json_object_get(run->header, "time"));
    json_object_set_new(o, "executable", json_string("attnmark"));
    json_object_set(o, "num_cpus", json_object_get(machine, "processors"));
    json_object_set(o, "load_avg", json_object_get(machine, "load_average"));
    json_object_set(o, "attnmark_version", json_object_get(run->header, "tool_version"));
    json_object_set_new(o, "json_schema_version", json_integer(1));
    return o;
}

attn_status export_gb(FILE *out, const run_file *runs, size_t count, attn_reason *why)
{
    attn_status status = want_one(count, "gb", why);
    if (status != ATTN_OK)
        return status;
    json_t *benchmarks = json_array();
    for (size_t i = 0; i < runs->count; i++) {
        const result_row *row = &runs->rows[i];
        char *name = row->status == ATTN_OK ? row_name(runs, i, TIME_NAME) : NULL;
        for (size_t s = 0; name != NULL && s < row->samples; s++)
            json_array_append_new(benchmarks, gb_sample(row, name, i, s));
        free(name);
    }
    return put(out, json_pack("{s:o,s:o}", "context", gb_context(runs), "benchmarks", benchmarks),
               why);
}

/* A measure with its bounds, where they are known. */
static json_t *measure(double value, double low, double high)
{
    json_t *o = json_object();
    json_object_set_new(o, "value", json_value_number(value));
    if (isfinite(low) && isfinite(high)) {
        json_object_set_new(o, "lower_value", json_value_number(low));
        json_object_set_new(o, "upper_value", json_value_number(high));
    }
    return o;
}

static json_t *bmf_row(const result_row *row)
{
    const double work = 1e9 * (double)row->flops;
    json_t *o = json_object();
    json_object_set_new(o, "latency", measure(row->median_ns, row->ci_low_ns, row->ci_high_ns));
    if (row->flops > 0)
        json_object_set_new(
            o, "throughput",
            measure(work / row->median_ns, work / row->ci_high_ns, work / row->ci_low_ns));
    return o;
}

attn_status export_bmf(FILE *out, const run_file *runs, size_t count, attn_reason *why)
{
    attn_status status = want_one(count, "bmf", why);
    if (status != ATTN_OK)
        return status;
    json_t *all = json_object();
    for (size_t i = 0; i < runs->count; i++) {
        const result_row *row = &runs->rows[i];
        if (row->status != ATTN_OK || !isfinite(row->median_ns))
            continue;
        char *name = row_name(runs, i, "");
        json_object_set_new(all, name != NULL ? name : row->kernel, bmf_row(row));
        free(name);
    }
    return put(out, all, why);
}
