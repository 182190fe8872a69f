/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/includes.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/text_file.h"
#include "shaders/sources.h"

static char *joined(const char *a, size_t a_length, const char *b)
{
    char *text = malloc(a_length + strlen(b) + 1);
    if (text) {
        memcpy(text, a, a_length);
        strcpy(text + a_length, b);
    }
    return text;
}

/* Messages go on "for header name: ...". */
static gpu_include failed(const char *reason)
{
    return (gpu_include){.name = joined("", 0, ""), .text = joined("", 0, reason)};
}

/* A file of this name in the directory of another; NULL where there is none. */
static char *beside(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    const bool absolute = name[0] == '/';
    char *path = joined(file, slash && !absolute ? (size_t)(slash + 1 - file) : 0, name);
    if (path && gpu_text_exists(path))
        return path;
    free(path);
    return NULL;
}

static gpu_include from_disk(char *path)
{
    attn_reason why;
    gpu_include include = {.name = path};
    if (gpu_text_read(path, &include.text, &why) == ATTN_OK) {
        include.found = true;
        return include;
    }
    free(path);
    return failed(why.text);
}

static gpu_include from_program(const char *name)
{
    const char *const *lines = shader_source_lines(name);
    size_t length = 0;
    if (!lines)
        return failed("neither beside the shader nor among attnmark's own,");
    for (size_t i = 0; lines[i]; i++)
        length += strlen(lines[i]);
    gpu_include include = {.name = joined(GPU_INCLUDES_OWN, strlen(GPU_INCLUDES_OWN), name),
                           .text = malloc(length + 1),
                           .found = true};
    char *to = include.text;
    for (size_t i = 0; to && lines[i]; i++) {
        strcpy(to, lines[i]);
        to += strlen(lines[i]);
    }
    return include;
}

gpu_include gpu_include_open(const char *shader, const char *from, const char *name, bool angled,
                             size_t depth, size_t *count)
{
    const bool own = strncmp(from, GPU_INCLUDES_OWN, strlen(GPU_INCLUDES_OWN)) == 0;
    if (depth > GPU_INCLUDES_DEPTH)
        return failed("files include each other too deeply, or in a circle,");
    if (++*count > GPU_INCLUDES_COUNT)
        return failed("one include too many,");
    char *path = angled || own ? NULL : beside(from, name);
    if (!path && !angled)
        path = beside(shader, name);
    return path ? from_disk(path) : from_program(name);
}

void gpu_include_close(gpu_include *include)
{
    free(include->name);
    free(include->text);
    *include = (gpu_include){0};
}
