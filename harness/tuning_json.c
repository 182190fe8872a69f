/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/json_value.h"
#include "harness/tuning.h"
#include "harness_config.h"

/* Also where there is none, so that it reads back. */
static json_t *text_json(const char *text)
{
    return text[0] ? json_value_text(text) : json_string("");
}

static json_t *choice_json(const gpu_choice *choice)
{
    json_t *o = json_object();
    json_object_set_new(o, "kernel", json_string(choice->kernel));
    json_object_set_new(o, "head", json_value_count(choice->class.head));
    json_object_set_new(o, "few", json_boolean(choice->class.few));
    json_object_set_new(o, "local_x", json_value_count(choice->size.local_x));
    json_object_set_new(o, "local_y", json_value_count(choice->size.local_y));
    json_object_set_new(o, "rows", json_value_count(choice->size.rows));
    json_object_set_new(o, "workload", json_string(choice->workload));
    json_object_set_new(o, "median_ns", json_value_number(choice->median_ns));
    json_object_set_new(o, "gflops", json_value_number(choice->gflops));
    return o;
}

static json_t *device_json(const gpu_tuned *tuned)
{
    json_t *o = json_object(), *choices = json_array();
    for (size_t i = 0; i < tuned->count; i++)
        json_array_append_new(choices, choice_json(&tuned->choices[i]));
    json_object_set_new(o, "uuid", json_string(tuned->uuid));
    json_object_set_new(o, "name", text_json(tuned->name));
    json_object_set_new(o, "driver_id", json_value_count(tuned->driver_id));
    json_object_set_new(o, "driver", text_json(tuned->driver));
    json_object_set_new(o, "driver_version", json_value_count(tuned->driver_version));
    json_object_set_new(o, "shaders", json_string(tuned->shaders));
    json_object_set_new(o, "time", json_string(tuned->time));
    json_object_set_new(o, "choices", choices);
    return o;
}

json_t *tuning_to_json(const gpu_tuning *tuning)
{
    json_t *o = json_object(), *devices = json_array();
    for (size_t i = 0; i < tuning->count; i++)
        json_array_append_new(devices, device_json(&tuning->devices[i]));
    json_object_set_new(o, "format_version", json_integer(TUNING_FORMAT_VERSION));
    json_object_set_new(o, "tool_version", json_string(ATTNMARK_VERSION));
    json_object_set_new(o, "devices", devices);
    return o;
}

static attn_status malformed(const char *what, attn_reason *why)
{
    return attn_because(why, ATTN_ERROR, "malformed: %s", what);
}

/* Into a field of that many bytes; false when it does not fit. */
static bool copy(char *field, size_t size, const char *text)
{
    const size_t length = strlen(text);
    if (length < size)
        memcpy(field, text, length + 1);
    return length < size;
}

static bool copy_count(uint32_t *field, json_int_t value)
{
    *field = (uint32_t)value;
    return value >= 0 && value <= UINT32_MAX;
}

static attn_status read_choice(json_t *json, gpu_choice *choice, attn_reason *why)
{
    json_error_t error;
    const char *kernel, *workload;
    json_int_t head, local_x, local_y, rows;
    int few;
    *choice = (gpu_choice){.median_ns = NAN};
    if (json_unpack_ex(json, &error, JSON_STRICT, "{s:s,s:I,s:b,s:I,s:I,s:I,s:s,s:F,s:F}", "kernel",
                       &kernel, "head", &head, "few", &few, "local_x", &local_x, "local_y",
                       &local_y, "rows", &rows, "workload", &workload, "median_ns",
                       &choice->median_ns, "gflops", &choice->gflops) != 0)
        return malformed(error.text, why);
    choice->class.few = few;
    if (head != 64 && head != 128 && head != 256)
        return malformed("head: want 64, 128 or 256", why);
    if (!(choice->median_ns > 0) || !(choice->gflops > 0))
        return malformed("median_ns and gflops: want positive numbers", why);
    if (!copy(choice->kernel, sizeof choice->kernel, kernel) ||
        !copy(choice->workload, sizeof choice->workload, workload) ||
        !copy_count(&choice->class.head, head) || !copy_count(&choice->size.local_x, local_x) ||
        !copy_count(&choice->size.local_y, local_y) || !copy_count(&choice->size.rows, rows))
        return malformed("a name is too long, or a number out of range", why);
    return ATTN_OK;
}

static bool is_time(const char *text)
{
    return strlen(text) == strlen("2026-01-31T12:00:00Z") &&
           strspn(text, "0123456789-T:Z") == strlen(text);
}

static attn_status read_choices(json_t *list, gpu_tuned *tuned, attn_reason *why)
{
    /* Those for other shaders may name kernels that this build does not have. */
    const bool ours = strcmp(tuned->shaders, gpu_shaders_digest().hex) == 0;
    const size_t count = json_array_size(list);
    attn_status status = ATTN_OK;
    tuned->choices = calloc(count + 1, sizeof *tuned->choices);
    if (!tuned->choices)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    for (size_t i = 0; status == ATTN_OK && i < count; i++) {
        gpu_choice *choice = &tuned->choices[i];
        status = read_choice(json_array_get(list, i), choice, why);
        for (size_t j = 0; status == ATTN_OK && j < i; j++)
            if (strcmp(tuned->choices[j].kernel, choice->kernel) == 0 &&
                gpu_class_equal(tuned->choices[j].class, choice->class))
                status = malformed("two choices for one kernel and class", why);
        if (status == ATTN_OK && ours)
            status = gpu_choice_check(choice, why);
        tuned->count++;
    }
    gpu_tuned_mark_best(tuned);
    return status;
}

static attn_status read_device(json_t *json, gpu_tuned *tuned, attn_reason *why)
{
    json_error_t error;
    const char *uuid, *name = "", *driver = "", *shaders, *time;
    json_int_t driver_id, driver_version;
    json_t *choices;
    if (json_unpack_ex(json, &error, JSON_STRICT, "{s:s,s:s,s:I,s:s,s:I,s:s,s:s,s:o}", "uuid",
                       &uuid, "name", &name, "driver_id", &driver_id, "driver", &driver,
                       "driver_version", &driver_version, "shaders", &shaders, "time", &time,
                       "choices", &choices) != 0)
        return malformed(error.text, why);
    if (!copy(tuned->uuid, sizeof tuned->uuid, uuid) ||
        !copy(tuned->name, sizeof tuned->name, name) ||
        !copy(tuned->driver, sizeof tuned->driver, driver) ||
        !copy(tuned->shaders, sizeof tuned->shaders, shaders) ||
        !copy_count(&tuned->driver_id, driver_id) ||
        !copy_count(&tuned->driver_version, driver_version))
        return malformed("a text is too long, or a number out of range", why);
    if (!is_time(time) || !copy(tuned->time, sizeof tuned->time, time))
        return malformed("time: want it as 2026-01-31T12:00:00Z", why);
    if (!json_is_array(choices))
        return malformed("choices: want an array", why);
    return read_choices(choices, tuned, why);
}

attn_status tuning_from_json(json_t *json, gpu_tuning *tuning, attn_reason *why)
{
    json_error_t error;
    int version;
    const char *tool;
    json_t *devices;
    *tuning = (gpu_tuning){NULL, 0};
    if (json_unpack_ex(json, &error, 0, "{s:i}", "format_version", &version) != 0)
        return malformed(error.text, why);
    if (version != TUNING_FORMAT_VERSION)
        return attn_because(why, ATTN_ERROR, "format version %d, where this build reads %d",
                            version, TUNING_FORMAT_VERSION);
    if (json_unpack_ex(json, &error, JSON_STRICT, "{s:i,s:s,s:o}", "format_version", &version,
                       "tool_version", &tool, "devices", &devices) != 0)
        return malformed(error.text, why);
    const size_t count = json_array_size(devices);
    tuning->devices = calloc(count + 1, sizeof *tuning->devices);
    if (!tuning->devices)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    attn_status status =
        json_is_array(devices) ? ATTN_OK : malformed("devices: want an array", why);
    for (size_t i = 0; status == ATTN_OK && i < count; i++)
        status = read_device(json_array_get(devices, i), &tuning->devices[tuning->count++], why);
    return status;
}
