/* SPDX-License-Identifier: Apache-2.0
 *
 * GLSL to SPIR-V at run time, with the settings of shaders/meson.build.
 *
 * An #include is looked for beside the file that asks, then beside the shader, then among the files
 * inside the program (shaders/sources.h); those have <attnmark>/ before their names in messages.
 */
#ifndef GPU_COMPILE_H
#define GPU_COMPILE_H

#include "attn/kernel.h"
#include "shaders/modules.h"

typedef struct gpu_compile_source {
    const char *file;           /* for messages, and where includes are looked for */
    const char *text;           /* what it holds */
    const char *const *defines; /* each "NAME" or "NAME=VALUE" */
    size_t define_count;
} gpu_compile_source;

/* Compiles for a contract. *words: owned. *log: what the compiler said, warnings too, in lines as
 * "FILE:LINE: error: ..."; owned, NULL where it said nothing. ATTN_ERROR where it does not compile:
 * `why` says so in general, the log in detail. */
attn_status gpu_compile(const gpu_compile_source *source, attn_contract contract, uint32_t **words,
                        size_t *bytes, char **log, attn_reason *why);

#endif
