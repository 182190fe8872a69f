/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices of a run, the CPU first.
 */
#include <string.h>

#include "harness/report/data.h"

const char *data_driver(const run_file *run, const result_row *row)
{
    const json_t *devices = json_object_get(run->header, "devices");
    for (size_t i = 0; i < json_array_size(devices) && strcmp(row->device, "cpu") != 0; i++) {
        const json_t *device = json_array_get(devices, i);
        const char *selector = json_string_value(json_object_get(device, "selector"));
        const char *driver = json_string_value(json_object_get(device, "driver"));
        if (selector != NULL && driver != NULL && strcmp(selector, row->device) == 0)
            return driver;
    }
    return "";
}

static json_t *device_json(const char *selector, const json_t *name, bool software,
                           const json_t *driver, json_t *facts)
{
    json_t *o = json_object();
    json_object_set_new(o, "selector", data_known(selector));
    json_object_set_new(o, "name", json_value_text(data_value(name).text));
    json_object_set_new(o, "software", json_boolean(software));
    json_object_set_new(o, "driver", json_value_text(data_value(driver).text));
    json_object_set_new(o, "facts", facts);
    return o;
}

/* What is there to say against using it, only where there is. */
static void add_trouble(json_t *facts, const json_t *device)
{
    static const char *const fields[][2] = {{"unavailable", "unavailable"},
                                            {"the same device as", "duplicate_of"}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const data_text text = data_value(json_object_get(device, fields[i][1]));
        if (text.text[0] != '\0')
            data_add_pair(facts, fields[i][0], text.text);
    }
}

static json_t *facts_of(const json_t *device)
{
    static const struct {
        const char *label, *group, *name;
    } fields[] = {
        {"type", NULL, "type"},
        {"Vulkan", NULL, "api_version"},
        {"contracts", "probe", "verdict"},
        {"shared memory, bytes", "limits", "max_shared_bytes"},
        {"invocations of a workgroup", "limits", "max_invocations"},
        {"subgroup size", "limits", "subgroup_size"},
        {"buffer range, bytes", "limits", "max_buffer_range"},
        {"timestamp, bits", "limits", "timestamp_bits"},
        {"timestamp period, ns", "limits", "timestamp_period_ns"},
        {"tuned choices", NULL, "tuned_choices"},
        {"tuned on", NULL, "tuned_time"},
        {"UUID", NULL, "uuid"},
    };
    json_t *facts = json_array();
    add_trouble(facts, device);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const json_t *from = fields[i].group ? json_object_get(device, fields[i].group) : device;
        data_add_pair(facts, fields[i].label,
                      data_value(json_object_get(from, fields[i].name)).text);
    }
    return facts;
}

json_t *data_devices(const run_file *run)
{
    const json_t *machine = json_object_get(run->header, "machine");
    const json_t *devices = json_object_get(run->header, "devices");
    const data_text absent = data_value(json_object_get(run->header, "vulkan_unavailable"));
    json_t *list = json_array(), *facts = json_array();
    data_add_pair(facts, "instructions", data_value(json_object_get(machine, "isa")).text);
    if (absent.text[0] != '\0')
        data_add_pair(facts, "Vulkan", absent.text);
    json_array_append_new(
        list, device_json("cpu", json_object_get(machine, "cpu_model"), false, NULL, facts));
    for (size_t i = 0; i < json_array_size(devices); i++) {
        const json_t *device = json_array_get(devices, i);
        json_array_append_new(list,
                              device_json(data_value(json_object_get(device, "selector")).text,
                                          json_object_get(device, "name"),
                                          json_is_true(json_object_get(device, "software")),
                                          json_object_get(device, "driver"), facts_of(device)));
    }
    return list;
}
