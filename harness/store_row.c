/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "harness/stats.h"
#include "harness/store.h"

static void set_identity(json_t *o, const result_row *row)
{
    char text[ATTN_WORKLOAD_TEXT];
    json_object_set_new(o, "kernel", json_value_text(row->kernel));
    json_object_set_new(o, "workload", json_value_text(attn_workload_format(row->workload, text)));
    json_object_set_new(o, "threads", row->threads ? json_integer(row->threads) : json_null());
    json_object_set_new(o, "device", json_value_text(row->device));
    json_object_set_new(o, "device_name", json_value_text(row->device_name));
    json_object_set_new(o, "software", json_boolean(row->software));
    json_object_set_new(o, "roof", json_boolean(row->roof));
    json_object_set_new(o, "status", json_value_text(attn_status_name(row->status)));
    json_object_set_new(o, "reason", json_value_text(row->why.text));
    json_object_set_new(o, "tier",
                        row->roof ? json_null() : json_string(attn_tier_name(row->tier)));
    json_object_set_new(o, "contract", json_value_text(attn_contract_name(row->contract)));
}

static void set_verification(json_t *o, const result_row *row)
{
    json_object_set_new(o, "verified", json_value_text(row->verified));
    json_object_set_new(o, "digest", json_value_text(row->digest));
    json_object_set_new(o, "max_rel_error", json_value_number(row->max_rel_error));
    json_object_set_new(o, "max_bound_share", json_value_number(row->max_bound_share));
    json_t *inputs = json_null();
    if (row->inputs[0].hex[0] != '\0')
        inputs = json_pack("[s,s,s]", row->inputs[0].hex, row->inputs[1].hex, row->inputs[2].hex);
    json_object_set_new(o, "inputs", inputs);
}

static json_t *numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_value_number(values[i]));
    return array;
}

/* Indices of the samples that are far from the others; null when there is no memory to find them.
 */
static json_t *outliers(const result_row *row)
{
    size_t *index = malloc((row->samples + 1) * sizeof *index);
    if (index == NULL)
        return json_null();
    const size_t count = stats_outliers(row->samples_ns, row->samples, index);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_value_count(index[i]));
    free(index);
    return array;
}

static void set_timing(json_t *o, const result_row *row)
{
    json_object_set_new(o, "clock", json_value_text(row->clock));
    json_object_set_new(o, "warmup", row->clock ? json_integer(row->warmup) : json_null());
    json_object_set_new(o, "iterations",
                        row->samples > 0 ? json_value_count(row->iterations) : json_null());
    json_object_set_new(o, "samples_ns", numbers(row->samples_ns, row->samples));
    json_object_set_new(o, "sample_at_s",
                        numbers(row->sample_at_s, row->sample_at_s ? row->samples : 0));
    json_object_set_new(o, "outliers", outliers(row));
    json_object_set_new(o, "stopped_by", json_value_text(row->stopped_by));
    json_object_set_new(o, "median_ns", json_value_number(row->median_ns));
    json_object_set_new(o, "ci_low_ns", json_value_number(row->ci_low_ns));
    json_object_set_new(o, "ci_high_ns", json_value_number(row->ci_high_ns));
}

static void set_clocks(json_t *o, const result_row *row)
{
    json_object_set_new(o, "device_ns", json_value_number(row->device_ns));
    json_object_set_new(o, "wall_ns", json_value_number(row->wall_ns));
    json_object_set_new(o, "empty_ns", json_value_number(row->empty_ns));
    json_object_set_new(o, "wall_net_ns", json_value_number(row->wall_net_ns));
    json_object_set_new(o, "wall_samples_ns", numbers(row->wall_samples_ns, row->clock_samples));
    json_object_set_new(o, "empty_samples_ns", numbers(row->empty_samples_ns, row->clock_samples));
}

static void set_preparation(json_t *o, const result_row *row)
{
    json_object_set_new(o, "prepare_ns", json_value_number(row->prepare_ns));
    json_object_set_new(o, "compile_ns", json_value_number(row->compile_ns));
    json_object_set_new(o, "dispatches",
                        row->dispatches ? json_integer(row->dispatches) : json_null());
    json_object_set_new(o, "config", json_value_text(row->config));
    json_object_set_new(o, "tuned", row->config[0] ? json_boolean(row->tuned) : json_null());
    json_object_set_new(o, "best", row->config[0] ? json_boolean(row->best) : json_null());
}

static void set_rates(json_t *o, const result_row *row)
{
    const bool moves = attn_roof_moves(row->bound); /* of a roof: nothing else */
    const bool judged = isfinite(row->roof_share) || isfinite(row->bandwidth_share);
    json_object_set_new(o, "flops",
                        row->roof && moves ? json_null() : json_value_count(row->flops));
    json_object_set_new(o, "gflops", json_value_number(row->gflops));
    json_object_set_new(o, "roof_gflops", json_value_number(row->roof_gflops));
    json_object_set_new(o, "roof_share", json_value_number(row->roof_share));
    json_object_set_new(o, "flops_dense",
                        row->roof ? json_null() : json_value_count(row->flops_dense));
    json_object_set_new(o, "bytes",
                        row->roof && !moves ? json_null() : json_value_count(row->bytes));
    json_object_set_new(o, "gb_per_s", json_value_number(row->gb_per_s));
    json_object_set_new(o, "roof_gb_per_s", json_value_number(row->roof_gb_per_s));
    json_object_set_new(o, "bandwidth_share", json_value_number(row->bandwidth_share));
    json_object_set_new(o, "bound",
                        judged || row->roof ? json_string(result_row_bound(row)) : json_null());
    json_object_set_new(o, "level", json_value_text(attn_level_name(row->level)));
    json_object_set_new(o, "intensity", json_value_number(result_row_intensity(row)));
    json_object_set_new(o, "bytes_extra",
                        row->bytes_extra_known ? json_value_count(row->bytes_extra) : json_null());
}

static void set_library(json_t *o, const result_row *row)
{
    json_object_set_new(o, "library", json_value_text(row->library));
    json_object_set_new(o, "library_ratio", json_value_number(row->library_ratio));
    json_object_set_new(o, "library_ratio_low", json_value_number(row->library_ratio_low));
    json_object_set_new(o, "library_ratio_high", json_value_number(row->library_ratio_high));
}

/* null where there is none, as on a GPU. */
static json_t *counters_json(const result_row *row)
{
    json_t *o = json_object();
    bool any = false;
    for (int kind = 0; kind < COUNTER_KINDS; kind++) {
        any = any || isfinite(row->counters[kind]);
        json_object_set_new(o, counter_name((counter_kind)kind),
                            json_value_number(row->counters[kind]));
    }
    if (any)
        return o;
    json_decref(o);
    return json_null();
}

static void set_counters(json_t *o, const result_row *row)
{
    json_object_set_new(o, "counters", counters_json(row));
    json_object_set_new(o, "counters_unavailable", json_value_text(row->counters_unavailable));
    json_object_set_new(o, "energy_j", json_value_number(row->energy_j));
    json_object_set_new(o, "energy_unavailable", json_value_text(row->energy_unavailable));
}

json_t *store_row_json(const result_row *row)
{
    json_t *o = json_object();
    set_identity(o, row);
    set_verification(o, row);
    set_timing(o, row);
    set_clocks(o, row);
    set_preparation(o, row);
    set_rates(o, row);
    set_library(o, row);
    set_counters(o, row);
    return o;
}
