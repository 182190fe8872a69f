/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/strip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE 160

/* Members whose words are the program's own, so that a user called "cpu" changes none of them. */
static const char *const own_words[] = {
    "api_version",
    "bound",
    "clock",
    "config",
    "contract",
    "device",
    "digest",
    "end_time",
    "id",
    "inputs",
    "isa",
    "kernel",
    "level",
    "library",
    "reference",
    "result",
    "resumed",
    "selector",
    "severity",
    "size",
    "status",
    "spirv_digest",
    "shared_cpu_list",
    "stopped_by",
    "tier",
    "time",
    "tool",
    "tool_version",
    "thread_processors",
    "tuned_time",
    "type",
    "verified",
    "workload",
    "advice",
    "plan",
    "spirv_digests",
};

/* Places of names that hardware and its drivers give, so that a host called "epyc" changes none. */
static const char *const hardware[] = {
    "machine.cpu_model", "machine.cpu_vendor", "machine.vendor", "machine.product",
    "devices.name",      "devices.driver",     "device_name",    "build.compiler",
};

/* Options of the command line whose value is a path. */
static const char *const path_options[] = {"--output", "--shader", "--resume", "--benchmark_out"};

/* What a batch system may say of a job in public: sizes, and how it binds. */
static const char *const public_words[] = {"CPU", "TASKS", "NNODES", "MEM", "GPU", "THREADS"};

static bool is_in(const char *word, const char *const *list, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = strcmp(word, list[i]) == 0;
    return found;
}
#define IS_IN(word, list) is_in(word, list, sizeof(list) / sizeof *(list))

static bool note(strip *s, const char *place, const char *before, const char *after)
{
    for (size_t i = 0; i < s->note_count; i++)
        if (strcmp(s->notes[i].place, place) == 0 && strcmp(s->notes[i].before, before) == 0) {
            s->notes[i].count++;
            return true;
        }
    strip_note *notes = realloc(s->notes, (s->note_count + 1) * sizeof *notes);
    if (notes == NULL)
        return false;
    s->notes = notes;
    strip_note *added = &notes[s->note_count++];
    *added = (strip_note){strdup(place), strdup(before), strdup(after), 1};
    if (added->place != NULL && added->before != NULL && added->after != NULL)
        return true;
    s->note_count--;
    free(added->place);
    free(added->before);
    free(added->after);
    return false;
}

/* A new value for a text; NULL: it stays as it is. */
static json_t *put(strip *s, const char *place, const char *before, const char *after)
{
    if (after == NULL) {
        s->exhausted = true;
        return NULL;
    }
    if (strcmp(before, after) == 0)
        return NULL;
    json_t *value = json_string(after);
    if (value == NULL || !note(s, place, before, after))
        s->exhausted = true;
    return value;
}

static json_t *strip_value(strip *s, const char *place, const char *text, strip_kind kind,
                           bool names)
{
    char *paths = strip_paths(text, kind);
    char *after = paths != NULL && names ? strip_names(s, paths) : NULL;
    json_t *value = put(s, place, text, names ? after : paths);
    free(after);
    free(paths);
    return value;
}

/* Variables that are about a person or a place, whatever their values look like. */
static bool private_variable(const char *name)
{
    static const char *const words[] = {"USER", "HOST", "ACCOUNT", "MAIL", "NODELIST", "NODENAME"};
    bool private = strncmp(name, "SLURM", 5) == 0;
    for (size_t i = 0; i < sizeof public_words / sizeof *public_words && private; i++)
    private = strstr(name, public_words[i]) == NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    private = private || strstr(name, words[i]) != NULL;
    return private;
}

/* Of a variable: one file, also a relative one, or a list. */
static strip_kind value_kind(const char *text)
{
    return strchr(text, '/') != NULL && strchr(text, ':') == NULL ? STRIP_PATH : STRIP_VALUE;
}

static bool strip_environment(strip *s, json_t *environment)
{
    const char *name, *text;
    json_t *value;
    bool changed = false;
    void *next;
    json_object_foreach_safe(environment, next, name, value)
    {
        char place[PLACE];
        snprintf(place, sizeof place, "environment.%.100s", name);
        text = json_string_value(value);
        json_t *stripped = NULL;
        if (text != NULL && text[0] != '\0' && private_variable(name))
            stripped = put(s, place, text, STRIP_WITHHELD);
        else if (text != NULL)
            stripped = strip_value(s, place, text, value_kind(text), true);
        if (stripped != NULL && json_object_set_new(environment, name, stripped) != 0)
            s->exhausted = true;
        changed = changed || stripped != NULL;
    }
    return changed;
}

/* Is this word of the command the value of an option that wants a path? */
static strip_kind word_kind(const char *word, const char *before)
{
    char name[32] = "";
    strncat(name, word, strcspn(word, "=") < sizeof name ? strcspn(word, "=") : sizeof name - 1);
    const bool both = word[0] == '-' && strchr(word, '=') != NULL && IS_IN(name, path_options);
    const bool second = word[0] != '-' && before != NULL && IS_IN(before, path_options);
    return both || second ? STRIP_PATH : STRIP_VALUE;
}

static bool strip_command(strip *s, json_t *command)
{
    bool changed = false;
    for (size_t i = 0; i < json_array_size(command); i++) {
        char place[PLACE];
        const char *word = json_string_value(json_array_get(command, i));
        const char *before = i > 0 ? json_string_value(json_array_get(command, i - 1)) : NULL;
        /* The first word is "attnmark bench". */
        if (word == NULL || (i == 0 && strncmp(word, "attnmark ", 9) == 0 && !strchr(word, '/')))
            continue;
        snprintf(place, sizeof place, "command[%zu]", i);
        json_t *stripped = strip_value(s, place, word, word_kind(word, before), true);
        if (stripped != NULL && json_array_set_new(command, i, stripped) != 0)
            s->exhausted = true;
        changed = changed || stripped != NULL;
    }
    return changed;
}

/* A GPU's UUID may be its serial number. What is left of it is its place among the others, which
 * tells devices of equal names apart. */
static bool strip_uuids(strip *s, const json_t *devices)
{
    bool changed = false;
    size_t rank[64] = {0};
    const size_t count = json_array_size(devices) < 64 ? json_array_size(devices) : 64;
    for (size_t i = 0; i < count; i++) {
        const char *own = json_string_value(json_object_get(json_array_get(devices, i), "uuid"));
        for (size_t j = 0; own != NULL && j < count; j++) {
            const char *other =
                json_string_value(json_object_get(json_array_get(devices, j), "uuid"));
            rank[i] += other != NULL && strcmp(other, own) < 0;
        }
    }
    for (size_t i = 0; i < json_array_size(devices); i++) {
        char text[48];
        json_t *device = json_array_get(devices, i);
        const char *own = json_string_value(json_object_get(device, "uuid"));
        snprintf(text, sizeof text, "(stripped %zu)", i < count ? rank[i] : i);
        if (own == NULL || strncmp(own, STRIP_WITHHELD, 9) == 0)
            continue;
        json_t *value = put(s, "devices.uuid", own, text);
        if (value == NULL || json_object_set_new(device, "uuid", value) != 0)
            s->exhausted = true;
        changed = true;
    }
    return changed;
}

static bool strip_member(strip *s, const char *place, const char *name, json_t *value,
                         json_t **stripped);

static bool strip_array(strip *s, const char *place, const char *name, json_t *array)
{
    bool changed = false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *stripped = NULL;
        changed = strip_member(s, place, name, json_array_get(array, i), &stripped) || changed;
        if (stripped != NULL && json_array_set_new(array, i, stripped) != 0)
            s->exhausted = true;
    }
    return changed;
}

static bool strip_object(strip *s, const char *place, json_t *object)
{
    const char *name;
    json_t *value;
    void *next;
    bool changed = false;
    json_object_foreach_safe(object, next, name, value)
    {
        char inner[PLACE];
        json_t *stripped = NULL;
        snprintf(inner, sizeof inner, "%.80s%s%.60s", place, place[0] ? "." : "", name);
        changed = strip_member(s, inner, name, value, &stripped) || changed;
        if (stripped != NULL && json_object_set_new(object, name, stripped) != 0)
            s->exhausted = true;
    }
    return changed;
}

/* *stripped: what a text becomes; containers change in place. */
static bool strip_member(strip *s, const char *place, const char *name, json_t *value,
                         json_t **stripped)
{
    const bool of_kernel = strcmp(name, "kernel") == 0 || strcmp(name, "library") == 0;
    if (json_is_string(value)) {
        const bool names =
            of_kernel ? s->own_kernels : !IS_IN(name, own_words) && !IS_IN(place, hardware);
        const strip_kind kind = strcmp(place, "shaders.file") == 0 ? STRIP_PATH : STRIP_PROSE;
        *stripped = strip_value(s, place, json_string_value(value), kind, names);
        return *stripped != NULL;
    }
    if (strcmp(place, "environment") == 0)
        return strip_environment(s, value);
    if (strcmp(place, "command") == 0)
        return strip_command(s, value);
    bool changed = strcmp(place, "devices") == 0 && strip_uuids(s, value);
    if (json_is_array(value))
        changed = strip_array(s, place, name, value) || changed;
    if (json_is_object(value))
        changed = strip_object(s, place, value) || changed;
    return changed;
}

bool strip_line(strip *s, json_t *line)
{
    return strip_object(s, "", line);
}

void strip_free(strip *s)
{
    for (size_t i = 0; i < s->name_count; i++)
        free(s->names[i]);
    for (size_t i = 0; i < s->note_count; i++) {
        free(s->notes[i].place);
        free(s->notes[i].before);
        free(s->notes[i].after);
    }
    free(s->names);
    free(s->notes);
    *s = (strip){.names = NULL};
}
