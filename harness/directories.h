/* SPDX-License-Identifier: Apache-2.0
 *
 * Directories for files to come, which go again where the files do not.
 */
#ifndef HARNESS_DIRECTORIES_H
#define HARNESS_DIRECTORIES_H

#include <stddef.h>

#include "attn/status.h"

/* Makes a directory and those above it, as far as they are missing. *first_made: bytes of path up
 * to the first that was made, 0 where none was; also when it fails. */
attn_status directories_make(const char *path, size_t *first_made, attn_reason *why);
/* Removes those that were made, as far as they are empty. */
void directories_remove(const char *path, size_t first_made);

#endif
