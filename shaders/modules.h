/* SPDX-License-Identifier: Apache-2.0
 *
 * The SPIR-V of every file of shaders.def, in the order of its rows, each for the contracts M, F
 * and X, in this order ("tile_m", "tile_f", "tile_x").
 */
#ifndef SHADERS_MODULES_H
#define SHADERS_MODULES_H

#include <stddef.h>
#include <stdint.h>

typedef struct shader_module {
    const char *name;
    const uint32_t *words;
    size_t bytes;
} shader_module;

extern const shader_module shader_modules[];
extern const size_t shader_module_count;

/* NULL: there is none of this name. */
const shader_module *shader_module_find(const char *name);

#endif
