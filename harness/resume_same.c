/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/resume.h"

/* What must not differ. Load and free memory do, and so does what a batch system says of the job:
 * the next job may go on. */
static const char *const parts[][2] = {
    {"tool_version", NULL},
    {"contract_version", NULL},
    {"build", NULL},
    {"machine", "cpu_model"},
    {"machine", "isa"},
    {"machine", "processors"},
    {"machine", "cores"},
    {"machine", "processors_allowed"},
    {"machine", "default_threads"},
    {"machine", "caches"},
    {"machine", "governor"},
    {"machine", "boost"},
    {"machine", "virtualised"},
    {"machine", "vendor"},
    {"machine", "product"},
    {"machine", "system"},
    {"devices", NULL},
    {"vulkan_unavailable", NULL},
    {"spirv_digest", NULL},
    {"shaders", NULL},
    {"environment", NULL},
};

#define PLACE 100

static bool of_the_job(const char *key)
{
    return strncmp(key, "SLURM_", 6) == 0;
}

static bool differs(const json_t *a, const json_t *b, char place[PLACE],
                    const json_t *differing[2]);

static bool member_differs(const char *key, const json_t *a, const json_t *b, char place[PLACE],
                           const json_t *differing[2])
{
    const size_t length = strlen(place);
    if (of_the_job(key))
        return false;
    snprintf(place + length, PLACE - length, "%s%.60s", length > 0 ? "." : "", key);
    if (differs(a, b, place, differing))
        return true;
    place[length] = '\0';
    return false;
}

/* Every member of a is compared; of b, those that a lacks. */
static bool objects_differ(json_t *a, json_t *b, char place[PLACE], const json_t *differing[2])
{
    const char *key;
    json_t *value;
    bool different = false;
    json_object_foreach(a, key, value)
    {
        different =
            different || member_differs(key, value, json_object_get(b, key), place, differing);
    }
    json_object_foreach(b, key, value)
    {
        if (json_object_get(a, key) == NULL)
            different = different || member_differs(key, NULL, value, place, differing);
    }
    return different;
}

static bool arrays_differ(const json_t *a, const json_t *b, char place[PLACE],
                          const json_t *differing[2])
{
    const size_t size =
        json_array_size(a) > json_array_size(b) ? json_array_size(a) : json_array_size(b);
    for (size_t i = 0; i < size; i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        if (member_differs(index, json_array_get(a, i), json_array_get(b, i), place, differing))
            return true;
    }
    return false;
}

/* Either may be NULL: not there. The place grows to that of the first difference, whose two values
 * are handed out. */
static bool differs(const json_t *a, const json_t *b, char place[PLACE], const json_t *differing[2])
{
    if (json_is_object(a) && json_is_object(b))
        return objects_differ((json_t *)a, (json_t *)b, place, differing);
    if (json_is_array(a) && json_is_array(b))
        return arrays_differ(a, b, place, differing);
    if ((a == NULL && b == NULL) || json_equal(a, b))
        return false;
    differing[0] = a;
    differing[1] = b;
    return true;
}

/* The header as it would be read back: numbers with the digits that are written. */
static json_t *as_read(const json_t *header)
{
    char *line = json_value_line(header);
    json_t *read = line != NULL ? json_loads(line, 0, NULL) : NULL;
    free(line);
    return read;
}

static const char *shown(const json_t *value, char text[48])
{
    char *json = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    snprintf(text, 48, "%.44s", json != NULL ? json : "not there");
    free(json);
    return text;
}

attn_status resume_same(const resume *r, const json_t *header, attn_reason *why)
{
    json_t *now = as_read(header);
    if (now == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    bool different = false;
    char place[PLACE] = "", then_text[48], now_text[48];
    const json_t *values[2] = {NULL, NULL};
    for (size_t i = 0; !different && i < sizeof parts / sizeof *parts; i++) {
        const json_t *a = json_object_get(r->file.header, parts[i][0]);
        const json_t *b = json_object_get(now, parts[i][0]);
        const bool inner = parts[i][1] != NULL;
        snprintf(place, sizeof place, "%s%s%s", parts[i][0], inner ? "." : "",
                 inner ? parts[i][1] : "");
        different = differs(inner ? json_object_get(a, parts[i][1]) : a,
                            inner ? json_object_get(b, parts[i][1]) : b, place, values);
    }
    attn_status status = ATTN_OK;
    if (different)
        status = attn_because(why, ATTN_ERROR, "it cannot go on here: %s was %s and is %s", place,
                              shown(values[0], then_text), shown(values[1], now_text));
    json_decref(now);
    return status;
}
