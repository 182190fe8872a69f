/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "attn/file.h"
#include "harness/cli.h"
#include "harness/report/gallery.h"

#define SUFFIX ".jsonl"

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What is in a directory but for hidden names, in the order of their bytes. */
static bool list_names(const char *directory, cli_list *names)
{
    DIR *open = opendir(directory);
    bool listed = open != NULL;
    *names = (cli_list){NULL, 0};
    for (struct dirent *e; listed && (e = readdir(open)) != NULL;)
        if (e->d_name[0] != '.')
            listed = cli_list_add(names, e->d_name);
    if (open != NULL)
        closedir(open);
    if (names->count > 0)
        qsort(names->items, names->count, sizeof *names->items, compare_names);
    return listed;
}

/* "above/name"; allocated. */
static char *below(const char *above, const char *name)
{
    const size_t size = strlen(above) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%s", above, above[0] != '\0' ? "/" : "", name);
    return path;
}

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* What is none may never end, or never begin. */
static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void add_fault(gallery *g, const char *file, const char *fault)
{
    json_array_append_new(g->faults, json_pack("{s:o,s:o}", "file", json_value_text(file), "fault",
                                               json_value_text(fault)));
}

static bool ends_in_jsonl(const char *name)
{
    const size_t length = strlen(name), suffix = strlen(SUFFIX);
    return length > suffix && strcmp(name + length - suffix, SUFFIX) == 0;
}

/* Room for one run more. */
static gallery_run *grow(gallery *g)
{
    gallery_run *runs = realloc(g->runs, (g->count + 1) * sizeof *runs);
    if (runs == NULL)
        return NULL;
    g->runs = runs;
    runs[g->count] = (gallery_run){.file = NULL};
    return &runs[g->count];
}

static bool is_valid(const run_file *run)
{
    const char *result = json_string_value(json_object_get(run->end, "result"));
    return result != NULL && strcmp(result, "VALID") == 0;
}

/* The fault without the path that the reader puts before it. */
static const char *plain_fault(const char *fault, const char *path)
{
    const size_t length = strlen(path);
    return strncmp(fault, path, length) == 0 ? fault + length + strspn(fault + length, ": ")
                                             : fault;
}

/* Names are slugs from here on. */
static attn_status add_run(gallery *g, const char *results, const char *file, const char *vendor,
                           const char *machine, attn_reason *why)
{
    attn_reason fault;
    gallery_run *run = grow(g);
    char *path = below(results, file);
    const char *name = strrchr(file, '/') + 1;
    if (run == NULL || path == NULL || (run->file = strdup(file)) == NULL) {
        free(path);
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    }
    snprintf(run->vendor, sizeof run->vendor, "%s", vendor);
    snprintf(run->slug, sizeof run->slug, "%.24s--%.80s", vendor, machine);
    snprintf(run->time, sizeof run->time, "%.16s", name);
    const bool readable = is_file(path);
    if (!readable)
        attn_file_refuse(&fault, path, "not a regular file");
    if (readable && submission_open(path, &run->submission, &fault) == ATTN_OK) {
        run_file *read = &run->submission.run;
        const bool first = g->count == 0 || strcmp(run->slug, run[-1].slug) != 0;
        g->machines += first;
        run->machine = g->machines - 1;
        run->valid = is_valid(read);
        free(read->path); /* where it lies on this machine is nobody's business */
        read->path = strdup(file);
        g->count++;
    } else {
        add_fault(g, file, plain_fault(fault.text, path));
        submission_free(&run->submission);
        free(run->file);
    }
    free(path);
    return ATTN_OK;
}

static attn_status read_machine(gallery *g, const char *results, const char *vendor,
                                const char *machine, attn_reason *why)
{
    attn_status status = ATTN_OK;
    cli_list names;
    char *directory = below(vendor, machine), *whole = directory ? below(results, directory) : NULL;
    if (whole != NULL && !list_names(whole, &names))
        add_fault(g, directory, strerror(errno));
    for (size_t i = 0; whole != NULL && i < names.count && status == ATTN_OK; i++) {
        char *file = below(directory, names.items[i]), stem[PLACE_TIME] = "";
        if (strlen(names.items[i]) == sizeof stem - 1 + strlen(SUFFIX))
            memcpy(stem, names.items[i], sizeof stem - 1);
        if (file == NULL)
            status = attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
        else if (ends_in_jsonl(file) && place_is_time(stem))
            status = add_run(g, results, file, vendor, machine, why);
        else if (ends_in_jsonl(file))
            add_fault(g, file, "want a name like 20260131T120000Z.jsonl");
        free(file);
    }
    if (whole != NULL)
        cli_list_free(&names);
    free(whole);
    free(directory);
    return status;
}

/* A directory below the collection, or one of those: `above` is "" or its name. */
static attn_status read_directory(gallery *g, const char *results, const char *above,
                                  attn_reason *why)
{
    attn_status status = ATTN_OK;
    cli_list names;
    char *directory = below(results, above);
    const size_t room = above[0] == '\0' ? PLACE_VENDOR : PLACE_MACHINE;
    if (directory == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    const bool listed = list_names(directory, &names);
    if (!listed && above[0] == '\0')
        status = attn_file_refuse(why, results, "cannot read: %s", strerror(errno));
    else if (!listed)
        add_fault(g, above, strerror(errno));
    for (size_t i = 0; i < names.count && status == ATTN_OK; i++) {
        const char *name = names.items[i];
        char *path = below(directory, name), *file = below(above, name);
        if (path == NULL || file == NULL)
            status = attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
        else if (!is_directory(path) && ends_in_jsonl(name))
            add_fault(g, file, "want it in <vendor>/<machine>/ (see attnmark submit)");
        else if (is_directory(path) && !place_is_slug(name, room))
            add_fault(g, file, "want a name of lower-case letters, digits and dashes");
        else if (is_directory(path) && above[0] != '\0')
            status = read_machine(g, results, above, name, why);
        else if (is_directory(path) && strcmp(name, "golden") != 0)
            status = read_directory(g, results, name, why);
        free(path);
        free(file);
    }
    cli_list_free(&names);
    free(directory);
    return status;
}

attn_status gallery_read(const char *results, gallery *g, attn_reason *why)
{
    *g = (gallery){.faults = json_array()};
    return read_directory(g, results, "", why);
}

void gallery_free(gallery *g)
{
    for (size_t i = 0; i < g->count; i++) {
        submission_free(&g->runs[i].submission);
        free(g->runs[i].file);
        free(g->runs[i].report);
    }
    free(g->runs);
    json_decref(g->faults);
    *g = (gallery){.runs = NULL};
}
