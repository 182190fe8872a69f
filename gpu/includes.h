/* SPDX-License-Identifier: Apache-2.0
 *
 * Where an #include of a user's shader leads.
 */
#ifndef GPU_INCLUDES_H
#define GPU_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/status.h"

#define GPU_INCLUDES_DEPTH 64
#define GPU_INCLUDES_COUNT 1000

/* Of files inside the program, in place of a directory. */
#define GPU_INCLUDES_OWN "<attnmark>/"

typedef struct gpu_include {
    char *name; /* for messages: the file's path, or GPU_INCLUDES_OWN and a name */
    char *text; /* of a file that could not be had: why, in one line */
    bool found;
} gpu_include;

/* shader: the file compiled; from: name of the file that asks; angled: <name>, which looks only
 * inside the program. *count: includes of this compilation so far. Both strings are owned, NULL
 * when out of memory. */
gpu_include gpu_include_open(const char *shader, const char *from, const char *name, bool angled,
                             size_t depth, size_t *count);
void gpu_include_close(gpu_include *include);

#endif
