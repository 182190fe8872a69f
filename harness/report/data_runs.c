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

/* A field to take over: a text, else a number. */
typedef struct field {
    const char *name;
    bool text;
} field;

/* New objects with these fields only; null where one has none of its type. */
static json_t *fields_of(const json_t *list, const field *fields, size_t count,
                         bool wanted(const json_t *))
{
    json_t *out = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *from = json_array_get(list, i);
        if (wanted != NULL && !wanted(from))
            continue;
        json_t *o = json_object();
        for (size_t f = 0; f < count; f++) {
            json_t *value = json_object_get(from, fields[f].name);
            const bool right = fields[f].text ? json_is_string(value) : json_is_number(value);
            json_object_set_new(o, fields[f].name, right ? json_incref(value) : json_null());
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
    static const field fields[] = {
        {"id", true}, {"severity", true}, {"found", true}, {"advice", true}};
    return fields_of(json_object_get(run->header, "doctor"), fields, sizeof fields / sizeof *fields,
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
    static const field fields[] = {
        {"reference", true},   {"device", true},       {"threads", false}, {"change", false},
        {"change_low", false}, {"change_high", false}, {"spread", false}};
    json_t *drifts = drifts_of(run);
    json_t *list = fields_of(drifts, fields, sizeof fields / sizeof *fields, NULL);
    json_decref(drifts);
    return list;
}

/* What does not say that it is valid is not. */
static json_t *result_json(const run_file *run)
{
    if (run->end == NULL)
        return json_null();
    const data_text result = data_value(json_object_get(run->end, "result"));
    return json_string(strcmp(result.text, "VALID") == 0 ? "VALID" : "INVALID");
}

static json_t *reasons_json(const run_file *run)
{
    const json_t *reasons = json_object_get(run->end, "reasons");
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(reasons); i++)
        json_array_append_new(list, data_known(data_value(json_array_get(reasons, i)).text));
    return list;
}

static json_t *elapsed_json(const run_file *run)
{
    const json_t *elapsed = json_object_get(run->end, "elapsed_s");
    return json_is_number(elapsed) ? json_real(json_number_value(elapsed)) : json_null();
}

json_t *data_run(const run_file *run, const json_t *name, const json_t *short_name)
{
    const json_t *seed = json_object_get(run->header, "seed");
    json_t *o = json_object();
    json_object_set_new(o, "name", json_value_text(json_string_value(name)));
    json_object_set_new(o, "short", json_value_text(json_string_value(short_name)));
    json_object_set_new(o, "file", json_value_text(run->path));
    json_object_set_new(o, "time",
                        json_value_text(data_value(json_object_get(run->header, "time")).text));
    json_object_set_new(o, "elapsed_s", elapsed_json(run));
    json_object_set_new(o, "result", result_json(run));
    json_object_set_new(o, "reasons", reasons_json(run));
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
