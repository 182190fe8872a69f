/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/text.h"
#include "harness/compare.h"
#include "harness/json_value.h"

#define TEXT        256
#define LOADS_APART 0.5 /* load averages, per processor, that are worth a line */

typedef struct text {
    char text[TEXT];
} text;

/* A value for people; "-" where there is none. */
static text value_text(const json_t *value)
{
    text out = {"-"};
    char *dump = NULL;
    if (json_is_string(value))
        snprintf(out.text, TEXT, "%s", json_string_value(value));
    else if (value != NULL && !json_is_null(value))
        dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(4));
    if (dump != NULL)
        snprintf(out.text, TEXT, "%s", dump);
    free(dump);
    return out;
}

/* What a run says about `name`, of which `group` is part of the header, or NULL. */
typedef text say(const run_file *run, const char *group, const char *name);

static text header_text(const run_file *run, const char *group, const char *name)
{
    const json_t *from = group ? json_object_get(run->header, group) : run->header;
    return value_text(json_object_get(from, name));
}

static text system_text(const run_file *run, const char *group, const char *name)
{
    const json_t *machine = json_object_get(run->header, group);
    return value_text(json_object_get(json_object_get(machine, "system"), name));
}

static text memory_text(const run_file *run, const char *group, const char *name)
{
    const json_t *machine = json_object_get(run->header, group);
    return value_text(json_object_get(json_object_get(machine, "memory"), name));
}

/* Driver and its version, of the device of this name. */
static text device_text(const run_file *run, const char *group, const char *name)
{
    const json_t *devices = json_object_get(run->header, group);
    for (size_t i = 0; i < json_array_size(devices); i++) {
        const json_t *device = json_array_get(devices, i);
        if (strcmp(value_text(json_object_get(device, "name")).text, name) != 0)
            continue;
        text out, driver = value_text(json_object_get(device, "driver"));
        text version = value_text(json_object_get(device, "driver_version"));
        snprintf(out.text, TEXT, "%.180s %.60s", driver.text, version.text);
        return out;
    }
    return (text){"-"};
}

/* The texts of a side's runs, each once: "one / other". */
static text side_text(compare_side side, say *says, const char *group, const char *name)
{
    text out = {""};
    size_t length = 0;
    for (size_t r = 0; r < side.count; r++) {
        const text own = says(&side.runs[r], group, name);
        bool met = false;
        for (size_t i = 0; i < r && !met; i++)
            met = strcmp(says(&side.runs[i], group, name).text, own.text) == 0;
        if (!met && length < TEXT)
            length += (size_t)snprintf(out.text + length, TEXT - length, "%s%s", r ? " / " : "",
                                       own.text);
    }
    return out;
}

/* Do all runs of both sides say the same? */
static bool agree(compare_side a, compare_side b, say *says, const char *group, const char *name)
{
    const text first = says(&a.runs[0], group, name);
    bool equal = true;
    for (size_t r = 0; r < a.count && equal; r++)
        equal = strcmp(says(&a.runs[r], group, name).text, first.text) == 0;
    for (size_t r = 0; r < b.count && equal; r++)
        equal = strcmp(says(&b.runs[r], group, name).text, first.text) == 0;
    return equal;
}

static void add(json_t *list, const char *what, compare_side a, compare_side b, say *says,
                const char *group, const char *name)
{
    if (agree(a, b, says, group, name))
        return;
    json_array_append_new(list,
                          json_pack("{s:o,s:o,s:o}", "what", json_value_text(what), "a",
                                    json_value_text(side_text(a, says, group, name).text), "b",
                                    json_value_text(side_text(b, says, group, name).text)));
}

/* Everything of this part of the headers that has a name: variables, devices. */
static void add_names(json_t *list, json_t *names, const char *prefix, compare_side a,
                      compare_side b, say *says, const char *group)
{
    const char *name;
    json_t *unused;
    json_object_foreach(names, name, unused)
    {
        text what;
        snprintf(what.text, TEXT, "%s%s", prefix, name);
        add(list, what.text, a, b, says, group, name);
    }
    json_decref(names);
}

static json_t *variables(compare_side a, compare_side b)
{
    json_t *names = json_object();
    for (int side = 0; side < 2; side++)
        for (size_t r = 0; r < (side ? b : a).count; r++)
            json_object_update(names,
                               json_object_get((side ? b : a).runs[r].header, "environment"));
    return names;
}

static json_t *device_names(compare_side a, compare_side b)
{
    json_t *names = json_object();
    for (int side = 0; side < 2; side++)
        for (size_t r = 0; r < (side ? b : a).count; r++) {
            const json_t *devices = json_object_get((side ? b : a).runs[r].header, "devices");
            for (size_t i = 0; i < json_array_size(devices); i++)
                json_object_set_new(
                    names, value_text(json_object_get(json_array_get(devices, i), "name")).text,
                    json_null());
        }
    return names;
}

/* Of the minute before the run, per processor. */
static double load(const run_file *run)
{
    const json_t *machine = json_object_get(run->header, "machine");
    const double processors = json_number_value(json_object_get(machine, "processors"));
    return json_number_value(json_array_get(json_object_get(machine, "load_average"), 0)) /
           (processors > 0 ? processors : 1);
}

static bool loads_differ(compare_side a, compare_side b)
{
    double least = load(&a.runs[0]), most = least;
    for (int side = 0; side < 2; side++)
        for (size_t r = 0; r < (side ? b : a).count; r++) {
            const double own = load(&(side ? b : a).runs[r]);
            least = own < least ? own : least;
            most = own > most ? own : most;
        }
    return most - least > LOADS_APART;
}

json_t *compare_differences(compare_side a, compare_side b)
{
    static const struct {
        const char *what;
        say *says;
        const char *group, *name;
    } fields[] = {
        {"CPU", header_text, "machine", "cpu_model"},
        {"instruction sets", header_text, "machine", "isa"},
        {"processors", header_text, "machine", "processors"},
        {"processors allowed", header_text, "machine", "processors_allowed"},
        {"governor", header_text, "machine", "governor"},
        {"boost", header_text, "machine", "boost"},
        {"memory, bytes", memory_text, "machine", "total_bytes"},
        {"kernel", system_text, "machine", "release"},
        {"distribution", system_text, "machine", "distribution"},
        {"version", header_text, NULL, "tool_version"},
        {"compiler", header_text, "build", "compiler"},
        {"flags", header_text, "build", "flags"},
        {"build type", header_text, "build", "type"},
        {"commit", header_text, "build", "commit"},
        {"shaders", header_text, NULL, "spirv_digest"},
        {"own shaders", header_text, NULL, "shaders"},
        {"seed", header_text, NULL, "seed"},
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        add(list, fields[i].what, a, b, fields[i].says, fields[i].group, fields[i].name);
    if (loads_differ(a, b))
        add(list, "load average", a, b, header_text, "machine", "load_average");
    add_names(list, device_names(a, b), "driver of ", a, b, device_text, "devices");
    add_names(list, variables(a, b), "", a, b, header_text, "environment");
    return list;
}

static void warn(json_t *list, const run_file *run)
{
    char line[1024] = "";
    const json_t *result = json_object_get(run->end, "result");
    const json_t *reasons = json_object_get(run->end, "reasons");
    if (run->end == NULL)
        attn_text_add(line, sizeof line, "%s: the run did not end", run->path);
    else if (json_is_string(result) && strcmp(json_string_value(result), "VALID") == 0)
        return;
    else {
        attn_text_add(line, sizeof line, "%s: RESULT %s", run->path, value_text(result).text);
        for (size_t i = 0; i < json_array_size(reasons); i++) {
            const char *one = json_string_value(json_array_get(reasons, i));
            attn_text_add(line, sizeof line, "%s%s", i > 0 ? "; " : ": ", one ? one : "?");
        }
    }
    json_array_append_new(list, json_value_text(line));
}

json_t *compare_warnings(compare_side a, compare_side b)
{
    json_t *list = json_array();
    for (size_t r = 0; r < a.count; r++)
        warn(list, &a.runs[r]);
    for (size_t r = 0; r < b.count; r++)
        if (b.runs != a.runs)
            warn(list, &b.runs[r]);
    return list;
}
