/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of tuned sizes: written by `attnmark tune`, read by the commands that run kernels.
 *
 * It is $ATTNMARK_TUNING where that is set (the word "none": no file), else attnmark/tuning.json in
 * $XDG_CONFIG_HOME or ~/.config.
 */
#ifndef HARNESS_TUNING_H
#define HARNESS_TUNING_H

#include <jansson.h>

#include "gpu/tuning.h"

#define TUNING_FORMAT_VERSION 1
#define TUNING_PATH           4096

/* NULL: no file is wanted, or there is no place for one. ATTN_ERROR for a path too long. */
attn_status tuning_path(char path[TUNING_PATH], const char **file, attn_reason *why);

/* A file that is not there (path NULL, too) gives an empty tuning. ATTN_ERROR names the file: no
 * regular file, malformed, of another format, or choices for this build that no kernel has. */
attn_status tuning_read(const char *path, gpu_tuning *tuning, attn_reason *why);
/* Replaces the file as a whole; makes its directories. */
attn_status tuning_write(const char *path, const gpu_tuning *tuning, attn_reason *why);
/* Would tuning_write find a place? Leaves nothing behind. */
attn_status tuning_writable(const char *path, attn_reason *why);
void tuning_free(gpu_tuning *tuning);

/* The file as it is now, for a command. Returns -1 to go on, else the exit status, all said. */
int tuning_open(gpu_tuning *tuning);

/* The entry of a device, made or, where it no longer holds, emptied; NULL when out of memory. */
gpu_tuned *tuning_entry(gpu_tuning *tuning, const gpu_device_info *info);
/* Replaces the choice for the same kernel and class; false when out of memory. */
bool tuning_set(gpu_tuned *tuned, const gpu_choice *choice);

/* "none", "12 choices of 2026-01-31", "out of date: other driver". Returns text. */
#define TUNING_TEXT 80
const char *tuning_text(const gpu_tuning *tuning, const gpu_device_info *info,
                        char text[TUNING_TEXT]);

/* tuning_json.c: the file's contents. */
json_t *tuning_to_json(const gpu_tuning *tuning);
/* `why` does not name the file. The tuning is to be freed whatever happens. */
attn_status tuning_from_json(json_t *json, gpu_tuning *tuning, attn_reason *why);

#endif
