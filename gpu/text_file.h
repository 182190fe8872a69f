/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' source files as text.
 */
#ifndef GPU_TEXT_FILE_H
#define GPU_TEXT_FILE_H

#include <stdbool.h>

#include "attn/status.h"

#define GPU_TEXT_MOST (1 << 20) /* bytes of a file */

/* The whole of a regular file, without a byte order mark, as an owned string: free(). ATTN_ERROR
 * names the file: cannot be opened, no regular file, too long, holds a NUL byte. */
attn_status gpu_text_read(const char *file, char **text, attn_reason *why);

/* Is there a file of this name, whatever it holds? */
bool gpu_text_exists(const char *file);

#endif
