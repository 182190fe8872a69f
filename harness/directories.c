/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/directories.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

attn_status directories_make(const char *directory, size_t *first_made, attn_reason *why)
{
    char *path = strdup(directory);
    *first_made = 0;
    if (path == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    attn_status status = ATTN_OK;
    for (char *end = path + (path[0] == '/'); status == ATTN_OK; end++) {
        char kept = *end;
        if (kept != '/' && kept != '\0')
            continue;
        *end = '\0';
        bool made = mkdir(path, 0777) == 0;
        if (made && *first_made == 0)
            *first_made = (size_t)(end - path);
        if (!made && errno != EEXIST)
            status = attn_because(why, ATTN_ERROR, "cannot make the directory %.150s: %s", path,
                                  strerror(errno));
        *end = kept;
        if (kept == '\0')
            break;
    }
    free(path);
    return status;
}

void directories_remove(const char *directory, size_t first_made)
{
    char *path = first_made > 0 ? strdup(directory) : NULL;
    if (path == NULL)
        return;
    for (size_t end = strlen(path); end >= first_made; end--)
        if (path[end] == '/' || path[end] == '\0') {
            path[end] = '\0';
            rmdir(path);
        }
    free(path);
}
