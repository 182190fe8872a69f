/* SPDX-License-Identifier: Apache-2.0
 *
 * A shader of the user's own, compiled at run time: a row for each of its contracts. Built without
 * shaderc, none can be opened.
 */
#ifndef GPU_OWN_H
#define GPU_OWN_H

#include "attn/digest.h"
#include "gpu/note.h"
#include "gpu/rows.h"

#define GPU_OWN_NAME 40 /* characters of a file's name before the dot, at most */

typedef struct gpu_own_shader {
    char name[GPU_OWN_NAME + 1]; /* the file's, without directories and what follows the dot */
    gpu_note note;
    char kernels[GPU_NOTE_CONTRACTS][GPU_OWN_NAME + sizeof "_m"]; /* "<name>_m" */
    shader_module code[GPU_NOTE_CONTRACTS];
    gpu_row rows[GPU_NOTE_CONTRACTS]; /* note.contract_count of them, as of the three above */
} gpu_own_shader;

/* Compiles the file with macros defined, each "NAME" or "NAME=VALUE", and checks that it keeps to
 * the interface. *log: what the compiler said, warnings too, in lines as "FILE:LINE: error: ...";
 * owned, NULL where it said nothing. The shader must not move until it is closed; after ATTN_ERROR
 * there is none. */
attn_status gpu_own_open(const char *file, const char *const *defines, size_t define_count,
                         gpu_own_shader *shader, char **log, attn_reason *why);
void gpu_own_close(gpu_own_shader *shader);

#endif
