/* SPDX-License-Identifier: Apache-2.0
 *
 * Names for runs by which people tell them apart.
 */
#include "harness/report/data.h"

/* "AMD EPYC (2 CPUs)"; of a machine that does not name its CPU, the product. */
static json_t *machine_name(const run_file *run)
{
    const json_t *machine = json_object_get(run->header, "machine");
    const json_t *cpu = json_object_get(machine, "cpu_model");
    const json_t *processors = json_object_get(machine, "processors");
    if (!json_is_string(cpu))
        cpu = json_object_get(machine, "product");
    const char *name = json_is_string(cpu) ? json_string_value(cpu) : "unknown machine";
    const long long count = json_integer_value(processors);
    if (count < 1)
        return json_string(name);
    return json_sprintf("%s (%lld CPU%s)", name, count, count == 1 ? "" : "s");
}

/* Is the text of `index` in the list once more? */
static bool twice(const json_t *list, size_t index)
{
    bool met = false;
    for (size_t i = 0; i < json_array_size(list) && !met; i++)
        met = i != index && json_equal(json_array_get(list, i), json_array_get(list, index));
    return met;
}

/* How many before this one have its text. */
static size_t before(const json_t *list, size_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < index; i++)
        count += json_equal(json_array_get(list, i), json_array_get(list, index)) != 0;
    return count;
}

/* The names, each that is there twice with a suffix from its run. */
static json_t *told_apart(json_t *names, const run_file *runs,
                          json_t *longer(const json_t *names, size_t index, const run_file *run))
{
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(names); i++)
        json_array_append_new(list, twice(names, i) ? longer(names, i, &runs[i])
                                                    : json_incref(json_array_get(names, i)));
    json_decref(names);
    return list;
}

static json_t *with_time(const json_t *names, size_t index, const run_file *run)
{
    return json_sprintf("%s, %s", json_string_value(json_array_get(names, index)),
                        data_value(json_object_get(run->header, "time")).text);
}

static json_t *with_number(const json_t *names, size_t index, const run_file *run)
{
    (void)run;
    return json_sprintf("%s, run %zu", json_string_value(json_array_get(names, index)),
                        before(names, index) + 1);
}

json_t *data_names(const run_file *runs, size_t count)
{
    json_t *names = json_array();
    for (size_t r = 0; r < count; r++)
        json_array_append_new(names, machine_name(&runs[r]));
    names = told_apart(names, runs, with_time);
    return told_apart(names, runs, with_number);
}
