/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/submission.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "attn/file.h"
#include "harness/directories.h"
#include "harness/json_value.h"
#include "harness/report/schema_check.h"

static attn_status exhausted(attn_reason *why)
{
    return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
}

/* The lines as text and as JSON. The file was read before: only whole lines are there. */
static attn_status read_texts(submission *s, FILE *file, attn_reason *why)
{
    char *text = NULL;
    size_t room = 0;
    attn_status status = ATTN_OK;
    while (status == ATTN_OK && getline(&text, &room, file) > 0) {
        const size_t count = json_array_size(s->lines);
        char **texts = realloc(s->texts, (count + 1) * sizeof *texts);
        if (texts == NULL) {
            status = exhausted(why);
            break;
        }
        s->texts = texts;
        texts[count] = text;
        if (json_array_append_new(s->lines, json_loads(text, JSON_REJECT_DUPLICATES, NULL)) != 0)
            status = attn_because(why, ATTN_ERROR, "%.150s changes while it is read", s->run.path);
        else
            text = NULL;
        room = 0;
    }
    if (status == ATTN_OK && ferror(file))
        status = attn_file_refuse(why, s->run.path, "cannot read: %s", strerror(errno));
    free(text);
    return status;
}

static attn_status check_whole(const submission *s, attn_reason *why)
{
    const char *path = s->run.path;
    if (s->run.end == NULL)
        return attn_file_refuse(why, path,
                                "the run did not end (attnmark bench --resume goes on with it)");
    if (s->run.torn)
        return attn_file_refuse(why, path, "half a line follows the last");
    const json_int_t rows = json_integer_value(json_object_get(s->run.end, "rows"));
    if (rows != (json_int_t)s->run.count)
        return attn_file_refuse(why, path, "the last line tells of %lld rows, there are %zu",
                                (long long)rows, s->run.count);
    return ATTN_OK;
}

static const char *kind_of(const json_t *lines, size_t index)
{
    const json_t *line = json_array_get(lines, index);
    if (index == 0)
        return "header";
    if (json_object_get(line, "resumed") != NULL)
        return "resumed";
    return json_object_get(line, "result") != NULL ? "end" : "row";
}

static attn_status check_schema(const submission *s, attn_reason *why)
{
    attn_reason fault;
    schema *rules;
    attn_status status = schema_open_run(&rules, why);
    for (size_t i = 0; status == ATTN_OK && i < json_array_size(s->lines); i++)
        if (schema_check(rules, kind_of(s->lines, i), json_array_get(s->lines, i), &fault) !=
            ATTN_OK)
            status = attn_file_refuse(why, s->run.path, "line %zu: %.110s", i + 1, fault.text);
    schema_free(rules);
    return status;
}

static attn_status check(submission *s, attn_reason *why)
{
    attn_reason fault;
    attn_status status = check_schema(s, why);
    if (status == ATTN_OK && submission_check_digests(&s->run, &s->golden, &fault) != ATTN_OK)
        status = attn_because(why, ATTN_ERROR, "%s", fault.text);
    for (size_t i = 0; i < s->run.count; i++)
        s->ok += s->run.rows[i].status == ATTN_OK;
    return status;
}

/* Lines that are not touched keep their bytes. */
static attn_status strip_all(submission *s, attn_reason *why)
{
    strip_add_own_names(&s->strip);
    for (size_t i = 0; i < json_array_size(s->lines); i++)
        strip_learn(&s->strip, json_array_get(s->lines, i));
    for (size_t i = 0; i < json_array_size(s->lines); i++) {
        json_t *line = json_array_get(s->lines, i);
        if (!strip_line(&s->strip, line))
            continue;
        char *text = json_value_line(line);
        char *whole = text != NULL ? malloc(strlen(text) + 2) : NULL;
        if (whole != NULL) {
            sprintf(whole, "%s\n", text);
            free(s->texts[i]);
            s->texts[i] = whole;
        }
        free(text);
        if (whole == NULL)
            return exhausted(why);
    }
    return s->strip.exhausted ? exhausted(why) : ATTN_OK;
}

attn_status submission_open(const char *path, submission *s, attn_reason *why)
{
    attn_reason fault;
    struct stat info;
    *s = (submission){.lines = json_array()};
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return attn_file_refuse(why, path, "not a regular file"); /* it is read twice */
    attn_status status = run_file_read(path, &s->run, why);
    if (status == ATTN_OK)
        status = check_whole(s, why);
    if (status != ATTN_OK)
        return status;
    FILE *file = fopen(s->run.path, "r");
    if (file == NULL)
        return attn_file_refuse(why, s->run.path, "cannot read: %s", strerror(errno));
    status = read_texts(s, file, why);
    fclose(file);
    if (status == ATTN_OK)
        status = check(s, why);
    if (status == ATTN_OK && place_of(s->run.header, &s->place, &fault) != ATTN_OK)
        status = attn_file_refuse(why, s->run.path, "line 1: %s", fault.text);
    if (status == ATTN_OK)
        status = strip_all(s, why);
    return status;
}

void submission_free(submission *s)
{
    for (size_t i = 0; i < json_array_size(s->lines); i++)
        free(s->texts[i]);
    free(s->texts);
    json_decref(s->lines);
    strip_free(&s->strip);
    run_file_free(&s->run);
}

char *submission_path(const submission *s, const char *results)
{
    const size_t size = strlen(results) + sizeof s->place + sizeof "///.jsonl";
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s/%s/%s.jsonl", results, s->place.vendor, s->place.machine,
                 s->place.time);
    return path;
}

/* What was written must be a run again, with as many rows. */
static attn_status read_back(const submission *s, attn_file *file, attn_reason *why)
{
    run_file run;
    if (fflush(file->stream) != 0)
        return attn_file_refuse(why, file->path, "cannot write: %s", strerror(errno));
    const attn_status status = run_file_read(file->temporary, &run, why);
    if (status != ATTN_OK)
        return status;
    const bool whole = run.end != NULL && run.count == s->run.count;
    run_file_free(&run);
    return whole ? ATTN_OK : attn_file_refuse(why, file->path, "not whole after it was stripped");
}

static attn_status write_file(const submission *s, const char *path, attn_reason *why)
{
    attn_file file;
    attn_status status = attn_file_create(path, &file, why);
    if (status != ATTN_OK)
        return status;
    for (size_t i = 0; i < json_array_size(s->lines); i++)
        fputs(s->texts[i], file.stream);
    status = read_back(s, &file, why);
    if (status == ATTN_OK)
        return attn_file_commit_new(&file, why);
    attn_file_abandon(&file);
    return status;
}

attn_status submission_place(const submission *s, const char *results, attn_reason *why)
{
    struct stat info;
    size_t first_made = 0;
    if (stat(results, &info) != 0 || !S_ISDIR(info.st_mode))
        return attn_file_refuse(why, results,
                                "no such directory (want one that exists: results/ of the source "
                                "tree, or --results DIR)");
    char *path = submission_path(s, results), *directory = submission_path(s, results);
    attn_status status = ATTN_OK;
    if (path == NULL || directory == NULL) {
        status = exhausted(why);
    } else if (lstat(path, &info) == 0) {
        status = attn_file_refuse(why, path, "is there already; nothing is overwritten");
    } else {
        *strrchr(directory, '/') = '\0';
        status = directories_make(directory, &first_made, why);
        if (status == ATTN_OK)
            status = write_file(s, path, why);
        if (status != ATTN_OK)
            directories_remove(directory, first_made);
    }
    free(path);
    free(directory);
    return status;
}
