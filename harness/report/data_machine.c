/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run was measured on and with, as pairs of a label and a text.
 */
#include <string.h>

#include "harness/format.h"
#include "harness/report/data.h"

static const json_t *machine_of(const run_file *run)
{
    return json_object_get(run->header, "machine");
}

/* A field of an object, by its name. */
typedef struct labelled {
    const char *label, *name;
} labelled;

static void add_fields(json_t *list, const json_t *o, const labelled *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        data_add_pair(list, fields[i].label, data_value(json_object_get(o, fields[i].name)).text);
}

/* What has no room is cut off. */
static void append(data_text *out, const char *separator, const char *text)
{
    const char *const parts[] = {out->text[0] != '\0' ? separator : "", text};
    for (size_t i = 0; i < 2 && text[0] != '\0'; i++)
        strncat(out->text, parts[i], sizeof out->text - strlen(out->text) - 1);
}

/* "L1d 32K, L1i 32K, L2 512K, L3 32768K": of the first processor. */
static data_text caches_text(const json_t *caches)
{
    data_text out = {""};
    for (size_t i = 0; i < json_array_size(caches); i++) {
        const json_t *cache = json_array_get(caches, i);
        const data_text level = data_value(json_object_get(cache, "level")),
                        type = data_value(json_object_get(cache, "type")),
                        size = data_value(json_object_get(cache, "size"));
        char one[96];
        snprintf(one, sizeof one, "L%.16s%s %.32s", level.text,
                 strcmp(type.text, "Data") == 0          ? "d"
                 : strcmp(type.text, "Instruction") == 0 ? "i"
                                                         : "",
                 size.text);
        append(&out, ", ", one);
    }
    return out;
}

static data_text list_text(const json_t *array, const char *separator)
{
    data_text out = {""};
    for (size_t i = 0; i < json_array_size(array); i++)
        append(&out, separator, data_value(json_array_get(array, i)).text);
    return out;
}

static data_text bytes_text(const json_t *bytes)
{
    data_text out = {""};
    if (json_is_integer(bytes))
        snprintf(out.text, sizeof out.text, "%s",
                 format_bytes((double)json_integer_value(bytes)).text);
    return out;
}

/* "Debian GNU/Linux 12 (bookworm), Linux 6.1, x86_64" */
static data_text system_text(const json_t *system)
{
    data_text out = data_value(json_object_get(system, "distribution"));
    append(&out, ", ", data_value(json_object_get(system, "name")).text);
    append(&out, " ", data_value(json_object_get(system, "release")).text);
    append(&out, ", ", data_value(json_object_get(system, "machine")).text);
    return out;
}

json_t *data_machine(const run_file *run)
{
    static const labelled first[] = {{"CPU", "cpu_model"},
                                     {"instructions", "isa"},
                                     {"CPUs", "processors"},
                                     {"cores", "cores"},
                                     {"CPUs allowed", "processors_allowed"},
                                     {"threads by default", "default_threads"}};
    static const labelled last[] = {{"frequency governor", "governor"},
                                    {"boost", "boost"},
                                    {"virtualised", "virtualised"},
                                    {"vendor", "vendor"},
                                    {"product", "product"}};
    const json_t *machine = machine_of(run), *memory = json_object_get(machine, "memory");
    json_t *list = json_array();
    add_fields(list, machine, first, sizeof first / sizeof *first);
    data_add_pair(list, "threads run on",
                  list_text(json_object_get(machine, "thread_processors"), "; ").text);
    data_add_pair(list, "caches", caches_text(json_object_get(machine, "caches")).text);
    data_add_pair(list, "memory", bytes_text(json_object_get(memory, "total_bytes")).text);
    data_add_pair(list, "memory available",
                  bytes_text(json_object_get(memory, "available_bytes")).text);
    data_add_pair(list, "load average",
                  list_text(json_object_get(machine, "load_average"), ", ").text);
    add_fields(list, machine, last, sizeof last / sizeof *last);
    data_add_pair(list, "system", system_text(json_object_get(machine, "system")).text);
    return list;
}

json_t *data_build(const run_file *run)
{
    static const labelled fields[] = {
        {"compiler", "compiler"}, {"flags", "flags"}, {"type", "type"}, {"commit", "commit"}};
    json_t *list = json_array();
    data_add_pair(list, "attnmark", data_value(json_object_get(run->header, "tool_version")).text);
    data_add_pair(list, "numerics contract",
                  data_value(json_object_get(run->header, "contract_version")).text);
    add_fields(list, json_object_get(run->header, "build"), fields, sizeof fields / sizeof *fields);
    data_add_pair(list, "shaders", data_value(json_object_get(run->header, "spirv_digest")).text);
    return list;
}

json_t *data_environment(const run_file *run)
{
    json_t *list = json_array();
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(run->header, "environment"), name, value)
    {
        json_array_append_new(list, json_pack("[s,o]", name, json_string(data_value(value).text)));
    }
    return list;
}
