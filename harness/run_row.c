/* SPDX-License-Identifier: Apache-2.0
 *
 * One line of run.jsonl as a row: the reverse of store_row.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run_row.h"

/* Where a line is being read; the first fault is kept, and later fields are read as unknown. */
typedef struct reader {
    const json_t *line;
    attn_status status;
    attn_reason *why;
} reader;

/* The field; NULL when it is missing, null, or not of the type wanted, which is a fault. */
static const json_t *field(reader *r, const char *name, bool right(const json_t *),
                           const char *wanted)
{
    const json_t *value = json_object_get(r->line, name);
    if (value == NULL || json_is_null(value))
        return NULL;
    if (right(value))
        return value;
    if (r->status == ATTN_OK)
        r->status = attn_because(r->why, ATTN_ERROR, "%s: want %s or null", name, wanted);
    return NULL;
}

static bool is_text(const json_t *v)
{
    return json_is_string(v);
}

static bool is_number(const json_t *v)
{
    return json_is_number(v);
}

static bool is_count(const json_t *v)
{
    return json_is_integer(v) && json_integer_value(v) >= 0;
}

static bool is_flag(const json_t *v)
{
    return json_is_boolean(v);
}

static bool is_object(const json_t *v)
{
    return json_is_object(v);
}

static bool is_numbers(const json_t *v)
{
    bool numbers = json_is_array(v);
    for (size_t i = 0; numbers && i < json_array_size(v); i++)
        numbers = json_is_number(json_array_get(v, i));
    return numbers;
}

static const char *text(reader *r, const char *name)
{
    return json_string_value(field(r, name, is_text, "a text"));
}

static double number(reader *r, const char *name)
{
    const json_t *value = field(r, name, is_number, "a number");
    return value ? json_number_value(value) : NAN;
}

static uint64_t count(reader *r, const char *name)
{
    return (uint64_t)json_integer_value(field(r, name, is_count, "a count"));
}

static bool flag(reader *r, const char *name)
{
    return json_is_true(field(r, name, is_flag, "true or false"));
}

/* Allocated; NULL for none. */
static double *numbers(reader *r, const char *name, size_t *length)
{
    const json_t *array = field(r, name, is_numbers, "numbers");
    *length = json_array_size(array);
    double *values = *length > 0 ? malloc(*length * sizeof *values) : NULL;
    if (*length > 0 && values == NULL) {
        r->status = attn_because(r->why, ATTN_OUT_OF_MEMORY, "out of memory");
        *length = 0;
    }
    for (size_t i = 0; i < *length; i++)
        values[i] = json_number_value(json_array_get(array, i));
    return values;
}

static void copy_text(reader *r, const char *name, char *to, size_t size)
{
    const char *value = text(r, name);
    snprintf(to, size, "%s", value ? value : "");
}

/* Index of the field's text among names, which count upwards from 0; `missing` without a field. */
static int name_index(reader *r, const char *field_name, const char *const *names, int names_count,
                      int missing)
{
    const char *value = text(r, field_name);
    for (int i = 0; value && i < names_count; i++)
        if (strcmp(value, names[i]) == 0)
            return i;
    if (value && r->status == ATTN_OK)
        r->status = attn_because(r->why, ATTN_ERROR, "%s: unknown '%.60s'", field_name, value);
    return missing;
}

static void read_names(reader *r, result_row *row)
{
    const char *names[ATTN_ERROR + 1];
    for (int i = 0; i <= ATTN_ERROR; i++)
        names[i] = attn_status_name((attn_status)i);
    row->status = (attn_status)name_index(r, "status", names, ATTN_ERROR + 1, ATTN_ERROR);
    for (int i = 0; i <= ATTN_CONTRACT_NONE; i++)
        names[i] = attn_contract_name((attn_contract)i);
    row->contract =
        (attn_contract)name_index(r, "contract", names, ATTN_CONTRACT_NONE + 1, ATTN_CONTRACT_NONE);
    for (int i = 0; i <= ATTN_TIER_BOUNDED; i++)
        names[i] = attn_tier_name((attn_tier)i);
    row->tier = (attn_tier)name_index(r, "tier", names, ATTN_TIER_BOUNDED + 1, ATTN_TIER_BOUNDED);
    for (int i = 0; i < ATTN_ROOFS; i++)
        names[i] = attn_roof_kind_name((attn_roof_kind)i);
    row->bound = (attn_roof_kind)name_index(r, "bound", names, ATTN_ROOFS, ATTN_ROOF_MAC);
    names[ATTN_LEVEL_NONE] = "";
    for (unsigned i = ATTN_LEVEL_NONE + 1; i < ATTN_LEVELS; i++)
        names[i] = attn_level_name(i);
    row->level = (unsigned)name_index(r, "level", names, ATTN_LEVELS, ATTN_LEVEL_NONE);
}

static void read_identity(reader *r, result_row *row)
{
    row->kernel = text(r, "kernel");
    row->device = text(r, "device");
    row->device_name = text(r, "device_name");
    if (r->status == ATTN_OK && (!row->kernel || !row->device))
        r->status = attn_because(r->why, ATTN_ERROR, "want a kernel and a device");
    row->device_name = row->device_name ? row->device_name : "";
    const uint64_t threads = count(r, "threads");
    if (r->status == ATTN_OK && threads > UINT32_MAX)
        r->status = attn_because(r->why, ATTN_ERROR, "threads: want at most %u", UINT32_MAX);
    row->threads = (unsigned)threads;
    row->software = flag(r, "software");
    row->roof = flag(r, "roof");
    copy_text(r, "reason", row->why.text, sizeof row->why.text);
    copy_text(r, "verified", row->verified, sizeof row->verified);
    copy_text(r, "digest", row->digest, sizeof row->digest);
    row->max_rel_error = number(r, "max_rel_error");
    row->max_bound_share = number(r, "max_bound_share");
    const json_t *inputs = json_object_get(r->line, "inputs");
    for (size_t i = 0; i < 3 && i < json_array_size(inputs); i++) {
        const char *hex = json_string_value(json_array_get(inputs, i));
        snprintf(row->inputs[i].hex, sizeof row->inputs[i].hex, "%s", hex ? hex : "");
    }
}

static void read_timing(reader *r, result_row *row)
{
    size_t times, walls, empties;
    row->clock = text(r, "clock");
    row->warmup = (unsigned)count(r, "warmup");
    row->iterations = count(r, "iterations");
    row->samples_ns = numbers(r, "samples_ns", &row->samples);
    row->sample_at_s = numbers(r, "sample_at_s", &times);
    row->wall_samples_ns = numbers(r, "wall_samples_ns", &walls);
    row->empty_samples_ns = numbers(r, "empty_samples_ns", &empties);
    row->clock_samples = walls;
    for (size_t i = 0; i < row->samples && r->status == ATTN_OK; i++)
        if (!(row->samples_ns[i] > 0))
            r->status = attn_because(r->why, ATTN_ERROR, "samples_ns: want times above 0");
    if (r->status == ATTN_OK && (walls != empties || (times > 0 && times != row->samples)))
        r->status = attn_because(r->why, ATTN_ERROR, "samples of unequal numbers");
    row->stopped_by = text(r, "stopped_by");
    row->median_ns = number(r, "median_ns");
    row->ci_low_ns = number(r, "ci_low_ns");
    row->ci_high_ns = number(r, "ci_high_ns");
    row->device_ns = number(r, "device_ns");
    row->wall_ns = number(r, "wall_ns");
    row->empty_ns = number(r, "empty_ns");
    row->wall_net_ns = number(r, "wall_net_ns");
}

static void read_preparation(reader *r, result_row *row)
{
    row->prepare_ns = number(r, "prepare_ns");
    row->compile_ns = number(r, "compile_ns");
    row->dispatches = (uint32_t)count(r, "dispatches");
    copy_text(r, "config", row->config, sizeof row->config);
    row->tuned = flag(r, "tuned");
    row->best = flag(r, "best");
    row->bytes_extra_known = json_is_integer(json_object_get(r->line, "bytes_extra"));
    row->bytes_extra = count(r, "bytes_extra");
}

static void read_rates(reader *r, result_row *row)
{
    row->flops = count(r, "flops");
    row->flops_dense = count(r, "flops_dense");
    row->bytes = count(r, "bytes");
    row->gflops = number(r, "gflops");
    row->gb_per_s = number(r, "gb_per_s");
    row->roof_gflops = number(r, "roof_gflops");
    row->roof_share = number(r, "roof_share");
    row->roof_gb_per_s = number(r, "roof_gb_per_s");
    row->bandwidth_share = number(r, "bandwidth_share");
    row->library = text(r, "library");
    row->library_ratio = number(r, "library_ratio");
    row->library_ratio_low = number(r, "library_ratio_low");
    row->library_ratio_high = number(r, "library_ratio_high");
    if (row->library == NULL) /* a ratio to nothing */
        row->library_ratio = row->library_ratio_low = row->library_ratio_high = NAN;
}

static void read_counters(reader *r, result_row *row)
{
    reader inner = {field(r, "counters", is_object, "an object"), r->status, r->why};
    for (int kind = 0; kind < COUNTER_KINDS; kind++)
        row->counters[kind] = number(&inner, counter_name((counter_kind)kind));
    r->status = inner.status;
    row->counters_unavailable = text(r, "counters_unavailable");
    row->energy_j = number(r, "energy_j");
    row->energy_unavailable = text(r, "energy_unavailable");
}

attn_status run_row_read(const json_t *line, result_row *row, attn_workload *workload,
                         attn_reason *why)
{
    reader r = {line, ATTN_OK, why};
    result_row_init(row);
    read_identity(&r, row);
    read_names(&r, row);
    read_timing(&r, row);
    read_preparation(&r, row);
    read_rates(&r, row);
    read_counters(&r, row);
    attn_workload list[ATTN_MAX_SWEEP];
    size_t workloads = 0;
    const char *described = text(&r, "workload");
    if (r.status == ATTN_OK)
        r.status = attn_workload_parse(described ? described : "", list, &workloads, why);
    if (r.status == ATTN_OK && (!described || workloads != 1))
        r.status = attn_because(why, ATTN_ERROR, "workload: want one");
    if (r.status == ATTN_OK) {
        *workload = list[0];
        row->workload = workload;
    } else {
        result_row_free(row);
    }
    return r.status;
}
