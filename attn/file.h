/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that appear whole or not at all, and reasons that name a file.
 */
#ifndef ATTN_FILE_H
#define ATTN_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "attn/status.h"

typedef struct attn_file {
    FILE *stream;
    char *path;      /* where it will be: of a symbolic link its target; owned */
    char *temporary; /* where it is until it is whole; owned */
} attn_file;

/* Opens a new file beside `path` for writing. Refuses, with one line that names the path, what
 * cannot be written, and what exists and is no regular file (a device, a directory) or may not be
 * written. */
attn_status attn_file_create(const char *path, attn_file *file, attn_reason *why);
/* Puts the file, synced, in its place; on any failure nothing new is left behind. */
attn_status attn_file_commit(attn_file *file, attn_reason *why);
/* The same where nothing is there yet: refuses, and leaves what is there as it is, otherwise. */
attn_status attn_file_commit_new(attn_file *file, attn_reason *why);
/* Removes what was written so far. */
void attn_file_abandon(attn_file *file);

/* Do both paths lead to one file that is there? */
bool attn_file_same(const char *path, const char *other);

/* ATTN_ERROR with the file's name in front; of a long name its end, to leave room. */
attn_status attn_file_refuse(attn_reason *why, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
