/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a gallery. A marker lists those that a gallery wrote: only those are ever replaced
 * or removed.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attn/file.h"
#include "harness/cli.h"
#include "harness/directories.h"
#include "harness/report/assets.h"
#include "harness/report/gallery.h"

#define MARKER ".attnmark-gallery"
#define FIRST  "attnmark gallery"

typedef struct site {
    const char *directory;
    cli_list earlier, written; /* files below it */
    bool ours;                 /* was made, or empty, before */
} site;

static attn_status exhausted(attn_reason *why)
{
    return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
}

static char *path_in(const site *s, const char *file)
{
    const size_t size = strlen(s->directory) + strlen(file) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", s->directory, file);
    return path;
}

/* Is it a name that a gallery gives? A marker that somebody else wrote removes nothing else. */
static bool is_page(const char *file)
{
    static const char *const above[] = {"machines/", "reports/"};
    const size_t length = strlen(file);
    char stem[256] = "";
    if (strcmp(file, "index.html") == 0 || strcmp(file, "compare.html") == 0)
        return true;
    for (size_t i = 0; i < 2; i++) {
        const size_t prefix = strlen(above[i]);
        if (strncmp(file, above[i], prefix) != 0 || length < prefix + 6 || length > 250 ||
            strcmp(file + length - 5, ".html") != 0)
            continue;
        memcpy(stem, file + prefix, length - prefix - 5);
        return stem[strspn(stem, "abcdefghijklmnopqrstuvwxyz0123456789-TZ")] == '\0';
    }
    return false;
}

static bool is_listed(const cli_list *list, const char *file)
{
    bool listed = false;
    for (size_t i = 0; i < list->count && !listed; i++)
        listed = strcmp(list->items[i], file) == 0;
    return listed;
}

/* What an earlier gallery wrote; false: there is no marker. */
static bool read_marker(site *s, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    bool marked = file != NULL && getline(&line, &room, file) > 0 && strcmp(line, FIRST "\n") == 0;
    while (marked && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (is_page(line))
            marked = cli_list_add(&s->earlier, line);
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return marked;
}

static bool is_empty(const char *directory)
{
    DIR *open = opendir(directory);
    bool empty = open != NULL;
    for (struct dirent *e; empty && (e = readdir(open)) != NULL;)
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    if (open != NULL)
        closedir(open);
    return empty;
}

static attn_status may_write(site *s, attn_reason *why)
{
    struct stat info;
    char *marker = path_in(s, MARKER);
    attn_status status = ATTN_OK;
    if (marker == NULL)
        return exhausted(why);
    if (stat(s->directory, &info) != 0)
        s->ours = errno == ENOENT;
    else if (!S_ISDIR(info.st_mode))
        status = attn_file_refuse(why, s->directory, "not a directory");
    else if (is_empty(s->directory))
        s->ours = true;
    else if (!read_marker(s, marker))
        status = attn_file_refuse(why, s->directory,
                                  "has files, and no " MARKER ": want a new or empty directory, "
                                  "or one of an earlier gallery");
    free(marker);
    return status;
}

/* Lists what was written, and until the end what was there before, too. */
static attn_status write_marker(const site *s, const cli_list *also, attn_reason *why)
{
    attn_file file;
    char *path = path_in(s, MARKER);
    if (path == NULL)
        return exhausted(why);
    attn_status status = attn_file_create(path, &file, why);
    free(path);
    if (status != ATTN_OK)
        return status;
    fputs(FIRST "\n", file.stream);
    for (size_t i = 0; i < s->written.count; i++)
        fprintf(file.stream, "%s\n", s->written.items[i]);
    for (size_t i = 0; also != NULL && i < also->count; i++)
        fprintf(file.stream, "%s\n", also->items[i]);
    return attn_file_commit(&file, why);
}

/* One file, whole or not at all. */
static attn_status write_file(site *s, const char *name,
                              attn_status write(FILE *out, const void *what, attn_reason *why),
                              const void *what, attn_reason *why)
{
    attn_file file;
    char *path = path_in(s, name);
    if (path == NULL)
        return exhausted(why);
    attn_status status = attn_file_create(path, &file, why);
    if (status == ATTN_OK) {
        status = write(file.stream, what, why);
        if (status == ATTN_OK)
            status = attn_file_commit(&file, why);
        else
            attn_file_abandon(&file);
    }
    free(path);
    if (status == ATTN_OK && !cli_list_add(&s->written, name))
        status = exhausted(why);
    return status;
}

static attn_status write_island(FILE *out, const void *what, attn_reason *why)
{
    return report_put_page(out, gallery_scripts, what, why);
}

static attn_status write_report(FILE *out, const void *what, attn_reason *why)
{
    return report_page(out, what, why);
}

/* Takes the island over. */
static attn_status write_page(site *s, const char *name, json_t *island, attn_reason *why)
{
    if (island == NULL)
        return exhausted(why);
    const attn_status status = write_file(s, name, write_island, island, why);
    json_decref(island);
    return status;
}

/* A run whose page would be too large is in the gallery without one. */
static attn_status write_run(site *s, gallery_run *run, attn_reason *why)
{
    char name[GALLERY_SLUG + 64];
    report r;
    snprintf(name, sizeof name, "reports/%s--%s.html", run->slug, run->time);
    attn_status status = report_make(&run->submission.run, 1, NULL, &r, why);
    if (status != ATTN_OK)
        return status;
    status = write_file(s, name, write_report, &r, &run->report_fault);
    report_free(&r);
    if (status == ATTN_ERROR)
        return ATTN_OK;
    run->report_fault.text[0] = '\0';
    run->report = status == ATTN_OK ? strdup(name) : NULL;
    return run->report != NULL ? ATTN_OK : exhausted(why);
}

static attn_status write_pages(site *s, gallery *g, attn_reason *why)
{
    attn_status status = ATTN_OK;
    for (size_t i = 0; i < g->count && status == ATTN_OK; i++)
        status = write_run(s, &g->runs[i], why);
    for (size_t i = 0; i < g->machines && status == ATTN_OK; i++) {
        char name[GALLERY_SLUG + 32];
        snprintf(name, sizeof name, "machines/%s.html", g->runs[gallery_first(g, i)].slug);
        status = write_page(s, name, gallery_machine(g, i), why);
    }
    if (status == ATTN_OK)
        status = write_page(s, "compare.html", gallery_compare(g), why);
    return status == ATTN_OK ? write_page(s, "index.html", gallery_index(g), why) : status;
}

static void remove_file(const site *s, const char *file)
{
    char *path = path_in(s, file);
    if (path != NULL)
        unlink(path);
    free(path);
}

static attn_status make_directories(const site *s, size_t *first_made, attn_reason *why)
{
    static const char *const inner[] = {"machines", "reports"};
    attn_status status = directories_make(s->directory, first_made, why);
    for (size_t i = 0; i < 2 && status == ATTN_OK; i++) {
        size_t unused;
        char *path = path_in(s, inner[i]);
        status = path != NULL ? directories_make(path, &unused, why) : exhausted(why);
        free(path);
    }
    return status;
}

/* Nothing is left of a site that was not there before. */
static void take_back(const site *s, size_t first_made)
{
    static const char *const inner[] = {"machines", "reports"};
    for (size_t i = 0; i < s->written.count; i++)
        remove_file(s, s->written.items[i]);
    remove_file(s, MARKER);
    for (size_t i = 0; i < 2; i++) {
        char *path = path_in(s, inner[i]);
        if (path != NULL)
            rmdir(path);
        free(path);
    }
    directories_remove(s->directory, first_made);
}

attn_status gallery_write(gallery *g, const char *directory, attn_reason *why)
{
    site s = {.directory = directory};
    size_t first_made = 0;
    attn_status status = may_write(&s, why);
    if (status == ATTN_OK) {
        status = make_directories(&s, &first_made, why);
        if (status == ATTN_OK)
            status = write_marker(&s, &s.earlier, why);
        if (status == ATTN_OK)
            status = write_pages(&s, g, why);
        for (size_t i = 0; status == ATTN_OK && i < s.earlier.count; i++)
            if (!is_listed(&s.written, s.earlier.items[i]))
                remove_file(&s, s.earlier.items[i]);
        if (status == ATTN_OK)
            status = write_marker(&s, NULL, why);
        else if (s.ours)
            take_back(&s, first_made);
        else
            write_marker(&s, &s.earlier, NULL);
    }
    cli_list_free(&s.earlier);
    cli_list_free(&s.written);
    return status;
}
