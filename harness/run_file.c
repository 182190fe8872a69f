/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/run_row.h"
#include "harness/store.h"

bool run_file_same_key(const result_row *a, const result_row *b)
{
    return a->threads == b->threads && attn_workload_same(a->workload, b->workload) &&
           a->roof == b->roof && strcmp(a->kernel, b->kernel) == 0 &&
           strcmp(a->device, b->device) == 0;
}

static attn_status find_path(const char *path, run_file *f, attn_reason *why)
{
    struct stat s;
    if (path[0] == '\0')
        return attn_because(why, ATTN_ERROR, "want a run.jsonl or its directory, got ''");
    const bool directory = stat(path, &s) == 0 && S_ISDIR(s.st_mode);
    const size_t size = strlen(path) + sizeof "/run.jsonl";
    f->path = malloc(size);
    if (f->path == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    snprintf(f->path, size, "%s%s", path, directory ? "/run.jsonl" : "");
    return ATTN_OK;
}

static attn_status read_header(run_file *f, json_t *line, attn_reason *why)
{
    const json_t *version = json_object_get(line, "format_version");
    if (!json_is_integer(version))
        return attn_because(why, ATTN_ERROR, "%.150s: not a run.jsonl (no format_version)",
                            f->path);
    if (json_integer_value(version) != STORE_FORMAT_VERSION)
        return attn_because(why, ATTN_ERROR,
                            "%.150s: format_version %lld; this program reads version %d", f->path,
                            (long long)json_integer_value(version), STORE_FORMAT_VERSION);
    f->header = json_incref(line);
    return ATTN_OK;
}

/* Room for one row more; false when out of memory. */
static bool grow(run_file *f)
{
    if ((f->count & (f->count + 1)) != 0)
        return true; /* it doubles when count + 1 is a power of two */
    const size_t room = 2 * (f->count + 1);
    result_row *rows = realloc(f->rows, room * sizeof *rows);
    if (rows != NULL)
        f->rows = rows;
    attn_workload *workloads = realloc(f->workloads, room * sizeof *workloads);
    if (workloads != NULL)
        f->workloads = workloads;
    size_t *offsets = realloc(f->offsets, room * sizeof *offsets);
    if (offsets != NULL)
        f->offsets = offsets;
    for (size_t i = 0; workloads != NULL && rows != NULL && i < f->count; i++)
        f->rows[i].workload = &f->workloads[i];
    return rows != NULL && workloads != NULL && offsets != NULL;
}

static attn_status read_row(run_file *f, size_t number, json_t *line, attn_reason *why)
{
    attn_reason fault;
    if (f->end != NULL)
        return attn_because(why, ATTN_ERROR, "%.150s:%zu: a line after the last", f->path, number);
    if (json_object_get(line, "result") != NULL) {
        f->end = json_incref(line);
        return ATTN_OK;
    }
    if (json_object_get(line, "resumed") != NULL) {
        f->resumed++;
        return ATTN_OK;
    }
    if (!grow(f) || json_array_append(f->lines, line) != 0)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    result_row *row = &f->rows[f->count];
    if (run_row_read(line, row, &f->workloads[f->count], &fault) != ATTN_OK)
        return attn_because(why, ATTN_ERROR, "%.80s:%zu: %.150s", f->path, number, fault.text);
    f->offsets[f->count++] = f->whole_size;
    for (size_t i = 0; i + 1 < f->count; i++)
        if (run_file_same_key(&f->rows[i], row))
            return attn_because(why, ATTN_ERROR, "%.150s:%zu: a second row of %.60s", f->path,
                                number, row->kernel);
    return ATTN_OK;
}

static attn_status read_line(run_file *f, size_t number, const char *text, size_t length,
                             attn_reason *why)
{
    json_error_t error;
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    attn_status status = ATTN_OK;
    if (!json_is_object(line))
        status = attn_because(why, ATTN_ERROR, "%.80s:%zu: %.120s", f->path, number,
                              line ? "want an object" : error.text);
    else
        status = number == 1 ? read_header(f, line, why) : read_row(f, number, line, why);
    json_decref(line);
    return status;
}

static attn_status read_lines(run_file *f, FILE *file, attn_reason *why)
{
    char *text = NULL;
    size_t room = 0, number = 0;
    attn_status status = ATTN_OK;
    ssize_t length;
    while (status == ATTN_OK && (length = getline(&text, &room, file)) > 0) {
        f->torn = text[length - 1] != '\n';
        f->size += (size_t)length;
        if (f->torn)
            break; /* a kill in the middle of a write */
        status = read_line(f, ++number, text, (size_t)length, why);
        f->whole_size += (size_t)length;
    }
    if (status == ATTN_OK && ferror(file))
        status = attn_because(why, ATTN_ERROR, "cannot read %.150s: %s", f->path, strerror(errno));
    else if (status == ATTN_OK && f->header == NULL)
        status = attn_because(why, ATTN_ERROR, "%.150s: not a run.jsonl (no whole line)", f->path);
    free(text);
    return status;
}

attn_status run_file_read(const char *path, run_file *f, attn_reason *why)
{
    *f = (run_file){.lines = json_array()};
    attn_status status = find_path(path, f, why);
    FILE *file = status == ATTN_OK ? fopen(f->path, "r") : NULL;
    if (status == ATTN_OK && file == NULL)
        status = attn_because(why, ATTN_ERROR, "cannot read %.150s: %s", f->path, strerror(errno));
    if (status == ATTN_OK)
        status = read_lines(f, file, why);
    if (file != NULL)
        fclose(file);
    if (status != ATTN_OK)
        run_file_free(f);
    return status;
}

void run_file_free(run_file *f)
{
    for (size_t i = 0; i < f->count; i++)
        result_row_free(&f->rows[i]);
    free(f->rows);
    free(f->workloads);
    free(f->offsets);
    json_decref(f->lines);
    json_decref(f->header);
    json_decref(f->end);
    free(f->path);
    *f = (run_file){.path = NULL};
}
