/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/header.h"

#include "attn/contract.h"
#include "harness/machine.h"
#include "harness/store.h"
#include "harness_commit.h"
#include "harness_config.h"

static json_t *build_json(void)
{
    json_t *o = json_object();
    json_object_set_new(o, "compiler", json_value_text(ATTNMARK_BUILD_COMPILER));
    json_object_set_new(o, "flags", json_value_text(ATTNMARK_BUILD_FLAGS));
    json_object_set_new(o, "type", json_value_text(ATTNMARK_BUILD_TYPE));
    json_object_set_new(o, "commit", json_value_text(ATTNMARK_BUILD_COMMIT));
    return o;
}

static json_t *probe_json(const gpu_probe *probe)
{
    json_t *o = json_object();
    json_object_set_new(o, "verdict", json_value_text(probe->verdict));
    json_object_set_new(o, "f", json_boolean(probe->f));
    json_object_set_new(o, "m", json_boolean(probe->m));
    json_object_set_new(o, "fused", json_boolean(probe->fused));
    json_object_set_new(o, "shader_fma", json_boolean(probe->shader_fma));
    json_object_set_new(o, "rounds_to_even", json_boolean(probe->rounds_to_even));
    json_object_set_new(o, "keeps_order", json_boolean(probe->keeps_order));
    json_object_set_new(o, "sweep", json_boolean(probe->sweep));
    return o;
}

static json_t *limits_json(const gpu_device_info *info)
{
    json_t *o = json_object();
    json_object_set_new(o, "max_shared_bytes", json_value_count(info->max_shared_bytes));
    json_object_set_new(o, "max_invocations", json_value_count(info->max_invocations));
    json_object_set_new(o, "max_group_x", json_value_count(info->max_group_x));
    json_object_set_new(o, "max_groups_x", json_value_count(info->max_groups_x));
    json_object_set_new(o, "max_buffer_range", json_value_count(info->max_buffer_range));
    json_object_set_new(o, "subgroup_size", json_value_count(info->subgroup_size));
    json_object_set_new(o, "timestamp_bits", json_value_count(info->timestamp_bits));
    json_object_set_new(o, "timestamp_period_ns", json_value_number(info->timestamp_period_ns));
    return o;
}

json_t *header_device_json(const gpu_device_info *info, const gpu_tuning *tuning)
{
    const gpu_tuned *tuned = gpu_tuning_device(tuning, info);
    json_t *o = json_object();
    json_object_set_new(o, "selector", json_value_text(info->selector));
    json_object_set_new(o, "name", json_value_text(info->name));
    json_object_set_new(o, "uuid", json_value_text(info->uuid));
    json_object_set_new(o, "driver", json_value_text(info->driver));
    json_object_set_new(o, "type", json_value_text(info->type));
    json_object_set_new(o, "software", json_boolean(info->software));
    json_object_set_new(o, "api_version", json_value_text(info->api_version));
    json_object_set_new(o, "vendor_id", json_value_count(info->vendor_id));
    json_object_set_new(o, "device_id", json_value_count(info->device_id));
    json_object_set_new(o, "driver_id", json_value_count(info->driver_id));
    json_object_set_new(o, "driver_version", json_value_count(info->driver_version));
    json_object_set_new(o, "duplicate_of", json_value_text(info->duplicate_of));
    json_object_set_new(o, "unavailable", json_value_text(info->unavailable));
    json_object_set_new(o, "limits", limits_json(info));
    json_object_set_new(o, "probe", probe_json(&info->probe));
    json_object_set_new(o, "tuned_choices", json_value_count(tuned ? tuned->count : 0));
    json_object_set_new(o, "tuned_time", json_value_text(tuned ? tuned->time : NULL));
    return o;
}

static json_t *devices_json(const gpu_set *gpu, const gpu_tuning *tuning)
{
    json_t *devices = json_array();
    for (size_t i = 0; gpu != NULL && i < gpu_device_count(gpu); i++)
        json_array_append_new(devices, header_device_json(gpu_device(gpu, i), tuning));
    return devices;
}

static json_t *turns_json(const turns *t)
{
    return t == NULL || t->id[0] == '\0'
               ? json_null()
               : json_pack("{s:s,s:s}", "id", t->id, "side", t->second ? "second" : "first");
}

json_t *header_json(const registry *r, const header_options *options)
{
    char time[MACHINE_TIME];
    json_t *command = json_array();
    for (int i = 0; i < options->argc; i++)
        json_array_append_new(command, json_value_text(options->argv[i]));
    json_t *o = json_object();
    json_object_set_new(o, "format_version", json_integer(STORE_FORMAT_VERSION));
    json_object_set_new(o, "tool", json_string("attnmark"));
    json_object_set_new(o, "tool_version", json_string(ATTNMARK_VERSION));
    json_object_set_new(o, "contract_version", json_integer(ATTN_CONTRACT_VERSION));
    json_object_set_new(o, "time", json_value_text(machine_time(time)));
    json_object_set_new(o, "command", command);
    json_object_set_new(o, "seed", json_integer(options->seed));
    json_object_set_new(o, "budget_s", json_value_number(options->budget_s));
    json_object_set_new(o, "machine", machine_json());
    json_object_set_new(o, "doctor", facts_json(options->facts));
    json_object_set_new(o, "build", build_json());
    json_object_set_new(o, "devices", devices_json(r->gpu, options->tuning));
    json_object_set_new(o, "vulkan_unavailable",
                        json_value_text(r->gpu ? gpu_unavailable(r->gpu) : NULL));
    json_object_set_new(o, "spirv_digest", json_value_text(gpu_shaders_digest().hex));
    json_object_set_new(o, "shaders", own_shaders_json(options->own));
    json_object_set_new(o, "turns", turns_json(options->turns));
    json_object_set_new(o, "environment", machine_environment_json());
    return o;
}
