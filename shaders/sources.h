/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that shaders include, inside the program: users' shaders find them anywhere.
 */
#ifndef SHADERS_SOURCES_H
#define SHADERS_SOURCES_H

#include <stddef.h>

/* The lines of a file by the name that an #include gives it ("common.glsl"), each with its newline,
 * NULL at the end; NULL for any other name. */
const char *const *shader_source_lines(const char *name);

#endif
