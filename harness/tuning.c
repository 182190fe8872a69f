/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/tuning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "attn/file.h"
#include "harness/cli.h"
#include "harness/directories.h"
#include "harness/machine.h"

attn_status tuning_path(char path[TUNING_PATH], const char **file, attn_reason *why)
{
    const char *own = getenv("ATTNMARK_TUNING"), *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length = 0;
    if (own && own[0])
        length = strcmp(own, "none") == 0 ? 0 : snprintf(path, TUNING_PATH, "%s", own);
    else if (config && config[0] == '/') /* others are to be ignored */
        length = snprintf(path, TUNING_PATH, "%s/attnmark/tuning.json", config);
    else if (home && home[0])
        length = snprintf(path, TUNING_PATH, "%s/.config/attnmark/tuning.json", home);
    *file = length > 0 ? path : NULL;
    if (length >= TUNING_PATH)
        return attn_because(why, ATTN_ERROR, "the tuning file has a path of over %d bytes",
                            TUNING_PATH - 1);
    return ATTN_OK;
}

attn_status tuning_read(const char *path, gpu_tuning *tuning, attn_reason *why)
{
    struct stat file;
    json_error_t error;
    attn_reason wrong;
    *tuning = (gpu_tuning){NULL, 0};
    if (!path || (stat(path, &file) != 0 && (errno == ENOENT || errno == ENOTDIR)))
        return ATTN_OK;
    if (stat(path, &file) == 0 && !S_ISREG(file.st_mode))
        return attn_file_refuse(why, path, "tuning: not a regular file");
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    attn_status status = json ? tuning_from_json(json, tuning, &wrong)
                              : attn_because(&wrong, ATTN_ERROR, "%s", error.text);
    json_decref(json);
    if (status != ATTN_OK) {
        tuning_free(tuning);
        status = attn_file_refuse(why, path, "tuning: %s", wrong.text);
    }
    return status;
}

/* Opens the file to be. *made: of its directory, as directories_make. */
static attn_status create(const char *path, attn_file *file, char directory[TUNING_PATH],
                          size_t *made, attn_reason *why)
{
    snprintf(directory, TUNING_PATH, "%s", path);
    char *slash = strrchr(directory, '/');
    attn_status status = ATTN_OK;
    *made = 0;
    if (slash && slash != directory) {
        *slash = '\0';
        status = directories_make(directory, made, why);
    }
    if (status == ATTN_OK)
        status = attn_file_create(path, file, why);
    if (status != ATTN_OK)
        directories_remove(directory, *made);
    return status;
}

attn_status tuning_writable(const char *path, attn_reason *why)
{
    attn_file file;
    char directory[TUNING_PATH];
    size_t made;
    const attn_status status = create(path, &file, directory, &made, why);
    if (status == ATTN_OK) {
        attn_file_abandon(&file);
        directories_remove(directory, made);
    }
    return status;
}

attn_status tuning_write(const char *path, const gpu_tuning *tuning, attn_reason *why)
{
    attn_file file;
    char directory[TUNING_PATH];
    size_t made;
    json_t *json = tuning_to_json(tuning);
    char *text = json ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(json);
    if (!text)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the tuning file");
    attn_status status = create(path, &file, directory, &made, why);
    if (status == ATTN_OK) {
        fprintf(file.stream, "%s\n", text); /* commit finds what went wrong */
        status = attn_file_commit(&file, why);
        if (status != ATTN_OK)
            directories_remove(directory, made);
    }
    free(text);
    return status;
}

void tuning_free(gpu_tuning *tuning)
{
    for (size_t i = 0; i < tuning->count; i++)
        free(tuning->devices[i].choices);
    free(tuning->devices);
    *tuning = (gpu_tuning){NULL, 0};
}

int tuning_open(gpu_tuning *tuning)
{
    char path[TUNING_PATH];
    const char *file;
    attn_reason why;
    *tuning = (gpu_tuning){NULL, 0};
    if (tuning_path(path, &file, &why) != ATTN_OK || tuning_read(file, tuning, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    return -1;
}

gpu_tuned *tuning_entry(gpu_tuning *tuning, const gpu_device_info *info)
{
    size_t i = 0;
    while (i < tuning->count && !gpu_tuned_is(&tuning->devices[i], info))
        i++;
    if (i < tuning->count && !gpu_tuned_stale(&tuning->devices[i], info))
        return &tuning->devices[i];
    if (i < tuning->count) {
        free(tuning->devices[i].choices);
    } else {
        gpu_tuned *more = realloc(tuning->devices, (tuning->count + 1) * sizeof *more);
        if (!more)
            return NULL;
        tuning->devices = more;
        tuning->count++;
    }
    gpu_tuned *tuned = &tuning->devices[i];
    *tuned = (gpu_tuned){.driver_id = info->driver_id, .driver_version = info->driver_version};
    memcpy(tuned->uuid, info->uuid, sizeof tuned->uuid);
    memcpy(tuned->name, info->name, sizeof tuned->name);
    memcpy(tuned->driver, info->driver, sizeof tuned->driver);
    memcpy(tuned->shaders, gpu_shaders_digest().hex, sizeof tuned->shaders);
    return tuned;
}

bool tuning_set(gpu_tuned *tuned, const gpu_choice *choice)
{
    size_t i = 0;
    while (i < tuned->count && !(strcmp(tuned->choices[i].kernel, choice->kernel) == 0 &&
                                 gpu_class_equal(tuned->choices[i].class, choice->class)))
        i++;
    if (i == tuned->count) {
        gpu_choice *more = realloc(tuned->choices, (tuned->count + 1) * sizeof *more);
        if (!more)
            return false;
        tuned->choices = more;
        tuned->count++;
    }
    tuned->choices[i] = *choice;
    machine_time(tuned->time);
    return true;
}

const char *tuning_text(const gpu_tuning *tuning, const gpu_device_info *info,
                        char text[TUNING_TEXT])
{
    const gpu_tuned *tuned = gpu_tuning_device(tuning, info);
    snprintf(text, TUNING_TEXT, "none");
    for (size_t i = 0; !tuned && i < tuning->count; i++)
        if (gpu_tuned_is(&tuning->devices[i], info))
            snprintf(text, TUNING_TEXT, "out of date: %s",
                     gpu_tuned_stale(&tuning->devices[i], info));
    if (tuned)
        snprintf(text, TUNING_TEXT, "%zu choice%s of %.10s", tuned->count,
                 tuned->count == 1 ? "" : "s", tuned->time);
    return text;
}
