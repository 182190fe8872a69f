/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of the island: what became of it, and how to have it again.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/drift.h"
#include "harness/report/data.h"

/* Words of these characters mean the same to every shell. */
#define PLAIN                                                                                      \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" /* and */                     \
    "_@%+=:,./-"

/* The word in single quotes, if it needs them. */
static void put_word(FILE *out, const char *word)
{
    if (word[0] != '\0' && word[strspn(word, PLAIN)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (const char *c = word; *c != '\0'; c++)
        fputs(*c == '\'' ? "'\\''" : (char[2]){*c, '\0'}, out);
    fputc('\'', out);
}

/* The first element is two words, "attnmark bench"; an empty argument was stored as null. */
static json_t *command_json(const json_t *command)
{
    char *text = NULL;
    size_t size;
    FILE *out = json_array_size(command) > 0 ? open_memstream(&text, &size) : NULL;
    for (size_t i = 0; out != NULL && i < json_array_size(command); i++) {
        const char *word = json_string_value(json_array_get(command, i));
        if (i == 0 && word != NULL && word[strspn(word, PLAIN " ")] == '\0') {
            fputs(word, out);
            continue;
        }
        fputs(i > 0 ? " " : "", out);
        put_word(out, word ? word : "");
    }
    if (out != NULL)
        fclose(out);
    json_t *value = json_value_text(text);
    free(text);
    return value;
}

/* New objects with these fields only; null where one has none. */
static json_t *fields_of(const json_t *list, const char *const *names, size_t count,
                         bool wanted(const json_t *))
{
    json_t *out = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *from = json_array_get(list, i);
        if (wanted != NULL && !wanted(from))
            continue;
        json_t *o = json_object();
        for (size_t f = 0; f < count; f++) {
            json_t *value = json_object_get(from, names[f]);
            json_object_set_new(o, names[f], value ? json_incref(value) : json_null());
        }
        json_array_append_new(out, o);
    }
    return out;
}

static bool not_fine(const json_t *fact)
{
    return strcmp(data_value(json_object_get(fact, "severity")).text, "fine") != 0;
}

static json_t *doctor_json(const run_file *run)
{
    static const char *const names[] = {"id", "severity", "found", "advice"};
    return fields_of(json_object_get(run->header, "doctor"), names, sizeof names / sizeof *names,
                     not_fine);
}

/* Of a run that did not end, from its rows. */
static json_t *drifts_of(const run_file *run)
{
    if (run->end != NULL)
        return json_incref(json_object_get(run->end, "drift"));
    drift *list;
    const size_t count = drift_find(run->rows, run->count, &list);
    json_t *drifts = drift_json(list, count);
    free(list);
    return drifts;
}

static json_t *drift_fields(const run_file *run)
{
    static const char *const names[] = {"reference",  "device",      "threads", "change",
                                        "change_low", "change_high", "spread"};
    json_t *drifts = drifts_of(run);
    json_t *list = fields_of(drifts, names, sizeof names / sizeof *names, NULL);
    json_decref(drifts);
    return list;
}

/* A copy of a field of the last line, if it is of the type wanted. */
static json_t *end_field(const run_file *run, const char *name, json_type type, json_t *otherwise)
{
    json_t *value = json_object_get(run->end, name);
    if (value == NULL || json_typeof(value) != type)
        return otherwise;
    json_decref(otherwise);
    return json_incref(value);
}

json_t *data_run(const run_file *run, const char *name)
{
    const json_t *seed = json_object_get(run->header, "seed");
    json_t *o = json_object();
    json_object_set_new(o, "name", json_value_text(name));
    json_object_set_new(o, "file", json_value_text(run->path));
    json_object_set_new(o, "time",
                        json_value_text(data_value(json_object_get(run->header, "time")).text));
    json_object_set_new(o, "elapsed_s", end_field(run, "elapsed_s", JSON_REAL, json_null()));
    json_object_set_new(o, "result", end_field(run, "result", JSON_STRING, json_null()));
    json_object_set_new(o, "reasons", end_field(run, "reasons", JSON_ARRAY, json_array()));
    json_object_set_new(o, "command", command_json(json_object_get(run->header, "command")));
    json_object_set_new(o, "seed", json_is_integer(seed) ? json_copy((json_t *)seed) : json_null());
    json_object_set_new(o, "machine", data_machine(run));
    json_object_set_new(o, "build", data_build(run));
    json_object_set_new(o, "environment", data_environment(run));
    json_object_set_new(o, "devices", data_devices(run));
    json_object_set_new(o, "doctor", doctor_json(run));
    json_object_set_new(o, "drift", drift_fields(run));
    json_object_set_new(o, "roofs", data_roofs(run));
    return o;
}
