/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/relative.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The directory of a file, without links in it; NULL: there is none. */
static char *directory_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    if (slash == NULL)
        return realpath(".", NULL);
    const size_t length = (size_t)(slash - file) + 1;
    char *path = strdup(file), *real = NULL;
    if (path != NULL) {
        path[length] = '\0';
        real = realpath(path, NULL);
    }
    free(path);
    return real;
}

/* Bytes that both paths share, up to the end of a name. */
static size_t shared(const char *a, const char *b)
{
    size_t end = 0, i = 0;
    for (; a[i] == b[i] && a[i] != '\0'; i++)
        if (a[i] == '/')
            end = i;
    const bool whole = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');
    return whole ? i : end;
}

/* "../" for each name of `from`, then `to`; both begin with a slash, or are empty. */
static char *climb(const char *from, const char *to)
{
    size_t names = 0;
    for (const char *c = from; *c != '\0'; c++)
        names += c[0] == '/' && c[1] != '\0';
    char *path = calloc(1, 3 * names + strlen(to) + 2);
    if (path == NULL)
        return NULL;
    for (size_t i = 0; i < names; i++)
        strcat(path, "../");
    strcat(path, *to == '/' ? to + 1 : to);
    const size_t length = strlen(path);
    if (length == 0)
        strcpy(path, ".");
    else if (path[length - 1] == '/')
        path[length - 1] = '\0';
    return path;
}

char *relative_path(const char *file, const char *directory)
{
    char *from = directory_of(file), *to = realpath(directory, NULL), *path = NULL;
    if (from != NULL && to != NULL) {
        const size_t common = shared(from, to);
        path = climb(from + common, to + common);
    }
    free(from);
    free(to);
    return path;
}
