/* SPDX-License-Identifier: Apache-2.0
 *
 * Names for runs by which people tell them apart.
 */
#include <string.h>

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

/* How many before this one have its text. */
static size_t before(const json_t *list, size_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < index; i++)
        count += json_equal(json_array_get(list, i), json_array_get(list, index)) != 0;
    return count;
}

/* What may tell two runs of one machine apart; NULL if there is nothing of the kind. */
typedef json_t *suffix(const json_t *names, size_t index, const run_file *run);

static bool same_at(const json_t *list, size_t a, size_t b)
{
    return json_equal(json_array_get(list, a), json_array_get(list, b)) != 0;
}

/* Does the suffix of this run differ from that of another one of its name? One that all have tells
 * nothing. */
static bool tells(const json_t *names, const json_t *suffixes, size_t index)
{
    bool differ = false;
    for (size_t i = 0; i < json_array_size(names) && !differ; i++)
        differ = same_at(names, i, index) && !same_at(suffixes, i, index);
    return differ;
}

/* The names, with a suffix from its run each that is there twice and gets apart by it. */
static json_t *told_apart(json_t *names, const run_file *runs, suffix *of_run)
{
    json_t *list = json_array(), *suffixes = json_array();
    for (size_t i = 0; i < json_array_size(names); i++) {
        json_t *more = of_run(names, i, &runs[i]);
        json_array_append_new(suffixes, more != NULL ? more : json_null());
    }
    for (size_t i = 0; i < json_array_size(names); i++) {
        json_t *name = json_array_get(names, i);
        const char *more = json_string_value(json_array_get(suffixes, i));
        json_array_append_new(list, more != NULL && tells(names, suffixes, i)
                                        ? json_sprintf("%s, %s", json_string_value(name), more)
                                        : json_incref(name));
    }
    json_decref(suffixes);
    json_decref(names);
    return list;
}

/* Of the first Vulkan device that was measured; NULL: only the CPU was. */
static const result_row *vulkan_row(const run_file *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (!row->roof && row->status == ATTN_OK && strcmp(row->device, "cpu") != 0)
            return row;
    }
    return NULL;
}

static json_t *device(const json_t *names, size_t index, const run_file *run)
{
    const result_row *row = vulkan_row(run);
    (void)names;
    (void)index;
    return row != NULL ? json_string(row->device_name) : NULL;
}

static json_t *driver(const json_t *names, size_t index, const run_file *run)
{
    const result_row *row = vulkan_row(run);
    const char *text = row != NULL ? data_driver(run, row) : "";
    (void)names;
    (void)index;
    return text[0] != '\0' ? json_string(text) : NULL;
}

static json_t *header_text(const run_file *run, const char *object, const char *member)
{
    const json_t *from = object ? json_object_get(run->header, object) : run->header;
    json_t *text = json_object_get(from, member);
    return json_is_string(text) ? json_incref(text) : NULL;
}

static json_t *compiler(const json_t *names, size_t index, const run_file *run)
{
    (void)names;
    (void)index;
    return header_text(run, "build", "compiler");
}

static json_t *time_of(const json_t *names, size_t index, const run_file *run)
{
    (void)names;
    (void)index;
    return header_text(run, NULL, "time");
}

static json_t *number(const json_t *names, size_t index, const run_file *run)
{
    (void)run;
    return json_sprintf("run %zu", before(names, index) + 1);
}

json_t *data_names(const run_file *runs, size_t count)
{
    static suffix *const suffixes[] = {device, driver, compiler, time_of, number};
    json_t *names = json_array();
    for (size_t r = 0; r < count; r++)
        json_array_append_new(names, machine_name(&runs[r]));
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        names = told_apart(names, runs, suffixes[i]);
    return names;
}

#define SHORT 29 /* letters of a name that there is always room for */

/* Bytes up to the end of the first ", " that is in no parentheses; 0: there is none. */
static size_t first_part(const char *name)
{
    int depth = 0;
    for (const char *c = name; *c != '\0'; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0 && strncmp(c, ", ", 2) == 0)
            return (size_t)(c - name) + 2;
    }
    return 0;
}

/* Drops the first part of those names that begin like this one, up to `alike` bytes, if they share
 * it. Returns whether it did. */
static bool drop_part(json_t *list, const char *name, size_t alike)
{
    const size_t part = first_part(name);
    size_t group = 0, sharing = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *other = json_string_value(json_array_get(list, i));
        group += strncmp(name, other, alike) == 0;
        sharing += strncmp(name, other, alike) == 0 && strncmp(name, other, part) == 0;
    }
    if (part == 0 || group < 2 || sharing < group)
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *other = json_string_value(json_array_get(list, i));
        if (strncmp(name, other, alike) == 0)
            json_array_set_new(list, i, json_string(other + part));
    }
    return true;
}

/* What is there twice by now tells nothing apart: then the whole name. */
static json_t *unique_ones(const json_t *list, const json_t *names)
{
    json_t *unique = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        size_t same = 0;
        for (size_t other = 0; other < json_array_size(list); other++)
            same += same_at(list, i, other);
        json_array_append(unique, json_array_get(same > 1 ? names : list, i));
    }
    return unique;
}

json_t *data_short_names(const json_t *names)
{
    json_t *list = json_copy((json_t *)names);
    const size_t reach[] = {0, SHORT};
    for (size_t r = 0; r < 2; r++)
        for (size_t i = 0; i < json_array_size(list);) {
            json_t *name = json_incref(json_array_get(list, i));
            i += !drop_part(list, json_string_value(name), reach[r]);
            json_decref(name);
        }
    json_t *unique = unique_ones(list, names);
    json_decref(list);
    return unique;
}
