/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/directories.h"
#include "harness/machine.h"

struct store {
    int file;
    bool ours;         /* the file was made here */
    size_t first_made; /* bytes of path up to the first directory that is ours; 0: none */
    size_t directory_length;
    char path[];
};

void store_default_directory(char *path, size_t size)
{
    char stamp[32] = "run";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL)
        strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    struct stat existing;
    snprintf(path, size, "out/%s", stamp);
    for (unsigned i = 2; stat(path, &existing) == 0; i++)
        snprintf(path, size, "out/%s-%u", stamp, i);
}

static attn_status write_line(store *s, const json_t *value, attn_reason *why)
{
    char *line = json_value_line(value);
    if (line == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    size_t length = strlen(line);
    line[length++] = '\n'; /* one write per line: a kill leaves whole lines */
    size_t written = 0;
    ssize_t n = 0;
    off_t start = lseek(s->file, 0, SEEK_END);
    while (written < length && (n >= 0 || errno == EINTR)) {
        n = write(s->file, line + written, length - written);
        written += n > 0 ? (size_t)n : 0;
    }
    attn_status status = ATTN_OK;
    /* EINVAL: a pipe or a device that has nothing to sync. */
    if (written < length || (fsync(s->file) != 0 && errno != EINVAL && errno != EROFS)) {
        status = attn_because(why, ATTN_ERROR, "cannot write %.150s: %s", s->path, strerror(errno));
        if (start < 0 || ftruncate(s->file, start) != 0) /* a full disk leaves whole lines, too */
            attn_because(why, status, "%.150s: its last line is torn", s->path);
    }
    free(line);
    return status;
}

/* File systems without locks do without. */
static attn_status lock_file(store *s, attn_reason *why)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(s->file, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN))
        return attn_because(why, ATTN_ERROR, "%.150s: another process is writing it", s->path);
    return ATTN_OK;
}

static attn_status create_file(store *s, attn_reason *why)
{
    s->file = open(s->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0666);
    s->ours = s->file >= 0;
    if (s->file >= 0)
        return lock_file(s, why);
    if (errno == EEXIST)
        return attn_because(why, ATTN_ERROR, "%.150s exists: choose another directory", s->path);
    return attn_because(why, ATTN_ERROR, "cannot write %.150s: %s", s->path, strerror(errno));
}

/* Room for a path of so many bytes; NULL when out of memory. */
static store *new_store(size_t path_size, attn_reason *why)
{
    store *s = calloc(1, sizeof *s + path_size);
    if (s == NULL)
        attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    else
        s->file = -1;
    return s;
}

/* The name of a new file is on disk when its directory is; systems that cannot do that do without.
 */
static void sync_directory(const char *directory)
{
    const int handle = open(directory, O_RDONLY);
    if (handle < 0)
        return;
    fsync(handle);
    close(handle);
}

attn_status store_open(const char *directory, const json_t *header, store **out, attn_reason *why)
{
    size_t size = strlen(directory) + sizeof "/run.jsonl";
    store *s = new_store(size, why);
    *out = NULL;
    if (s == NULL)
        return ATTN_OUT_OF_MEMORY;
    s->directory_length = strlen(directory);
    snprintf(s->path, size, "%s/run.jsonl", directory);
    attn_status status = directories_make(directory, &s->first_made, why);
    if (status == ATTN_OK)
        status = create_file(s, why);
    if (status == ATTN_OK)
        status = write_line(s, header, why);
    if (status == ATTN_OK) {
        sync_directory(directory);
        *out = s;
    } else {
        store_discard(s);
    }
    return status;
}

/* Opened and locked, and still what was read. */
static attn_status reopen_file(store *s, size_t size, attn_reason *why)
{
    struct stat now;
    s->file = open(s->path, O_WRONLY | O_APPEND);
    if (s->file < 0 || fstat(s->file, &now) != 0)
        return attn_because(why, ATTN_ERROR, "cannot write %.150s: %s", s->path, strerror(errno));
    attn_status status = lock_file(s, why);
    if (status == ATTN_OK && (fstat(s->file, &now) != 0 || now.st_size != (off_t)size))
        status =
            attn_because(why, ATTN_ERROR, "%.150s: another process wrote it just now", s->path);
    return status;
}

attn_status store_resume(const char *path, size_t size, size_t keep, store **out, attn_reason *why)
{
    char time[MACHINE_TIME];
    store *s = new_store(strlen(path) + 1, why);
    *out = NULL;
    if (s == NULL)
        return ATTN_OUT_OF_MEMORY;
    memcpy(s->path, path, strlen(path) + 1);
    attn_status status = reopen_file(s, size, why);
    if (status == ATTN_OK && ftruncate(s->file, (off_t)keep) != 0)
        status = attn_because(why, ATTN_ERROR, "cannot write %.150s: %s", path, strerror(errno));
    if (status == ATTN_OK) {
        json_t *line = json_pack("{s:o}", "resumed", json_value_text(machine_time(time)));
        status = write_line(s, line, why);
        json_decref(line);
    }
    if (status == ATTN_OK)
        *out = s;
    else
        store_close(s);
    return status;
}

attn_status store_row(store *s, const result_row *row, attn_reason *why)
{
    json_t *value = store_row_json(row);
    if (value == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    attn_status status = write_line(s, value, why);
    json_decref(value);
    return status;
}

attn_status store_end(store *s, const json_t *end, attn_reason *why)
{
    return write_line(s, end, why);
}

void store_close(store *s)
{
    if (s == NULL)
        return;
    if (s->file >= 0)
        close(s->file);
    free(s);
}

void store_discard(store *s)
{
    if (s->ours)
        unlink(s->path);
    if (s->directory_length > 0) {
        s->path[s->directory_length] = '\0';
        directories_remove(s->path, s->first_made);
    }
    store_close(s);
}

const char *store_path(const store *s)
{
    return s->path;
}
