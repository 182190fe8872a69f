/* SPDX-License-Identifier: Apache-2.0 */
#include "attn/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

attn_status attn_file_refuse(attn_reason *why, const char *path, const char *format, ...)
{
    enum { SHOWN = 100 };
    const size_t length = strlen(path);
    char text[sizeof why->text];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length == 0)
        path = "''";
    return attn_because(why, ATTN_ERROR, "%s%s: %.140s", length > SHOWN ? "..." : "",
                        length > SHOWN ? path + length - SHOWN : path, text);
}

static void release(attn_file *file)
{
    free(file->path);
    free(file->temporary);
    *file = (attn_file){NULL, NULL, NULL};
}

/* The path to rename over. Renaming replaces whatever is there: a device or a link must not be. */
static attn_status find_target(const char *path, attn_file *file, attn_reason *why)
{
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    if (!exists && lstat(path, &status) == 0)
        return attn_file_refuse(why, path, "cannot write: a link to nothing");
    if (exists && !S_ISREG(status.st_mode))
        return attn_file_refuse(why, path, "cannot write: not a regular file");
    if (exists && access(path, W_OK) != 0)
        return attn_file_refuse(why, path, "cannot write: %s", strerror(errno));
    file->path = exists ? realpath(path, NULL) : strdup(path);
    return file->path ? ATTN_OK : attn_file_refuse(why, path, "cannot write: %s", strerror(errno));
}

attn_status attn_file_create(const char *path, attn_file *file, attn_reason *why)
{
    enum { SUFFIX = 48 };
    int fd = -1;

    *file = (attn_file){NULL, NULL, NULL};
    attn_status status = find_target(path, file, why);
    if (status != ATTN_OK)
        return status;
    const size_t size = strlen(file->path) + SUFFIX;
    file->temporary = malloc(size);
    /* O_EXCL and not mkstemp: the result has the permissions that the umask gives. */
    errno = EEXIST;
    for (unsigned attempt = 0; file->temporary && fd < 0 && errno == EEXIST && attempt < 100;
         attempt++) {
        snprintf(file->temporary, size, "%s.%ld-%u.tmp", file->path, (long)getpid(), attempt);
        fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    }
    file->stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (file->stream)
        return ATTN_OK;
    status = attn_file_refuse(why, path, "cannot write: %s", strerror(errno));
    if (fd >= 0) {
        close(fd);
        unlink(file->temporary);
    }
    release(file);
    return status;
}

/* Unlike rename(), link() replaces nothing. */
static int place_new(const char *temporary, const char *path)
{
    const int result = link(temporary, path);
    if (result == 0)
        unlink(temporary);
    return result;
}

static attn_status commit(attn_file *file, int place(const char *, const char *), attn_reason *why)
{
    bool ok =
        !ferror(file->stream) && fflush(file->stream) == 0 && fsync(fileno(file->stream)) == 0;
    int error = errno;
    if (fclose(file->stream) != 0 && ok) {
        ok = false;
        error = errno;
    }
    if (ok && place(file->temporary, file->path) != 0) {
        ok = false;
        error = errno;
    }
    attn_status status = ATTN_OK;
    if (!ok) {
        unlink(file->temporary);
        status = attn_file_refuse(why, file->path, "cannot write: %s", strerror(error));
    }
    release(file);
    return status;
}

attn_status attn_file_commit(attn_file *file, attn_reason *why)
{
    return commit(file, rename, why);
}

attn_status attn_file_commit_new(attn_file *file, attn_reason *why)
{
    return commit(file, place_new, why);
}

void attn_file_abandon(attn_file *file)
{
    if (!file->stream)
        return;
    fclose(file->stream);
    unlink(file->temporary);
    release(file);
}

bool attn_file_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}
