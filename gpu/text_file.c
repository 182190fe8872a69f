/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attn/file.h"

/* Without waiting for the other end of a pipe. */
static attn_status open_regular(const char *file, FILE **stream, attn_reason *why)
{
    struct stat status;
    const int fd = open(file, O_RDONLY | O_NONBLOCK);
    if (fd < 0)
        return attn_file_refuse(why, file, "%s", strerror(errno));
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        *stream = fdopen(fd, "rb");
        if (*stream)
            return ATTN_OK;
    }
    close(fd);
    return attn_file_refuse(why, file, "not a regular file");
}

attn_status gpu_text_read(const char *file, char **text, attn_reason *why)
{
    static const char mark[] = "\xef\xbb\xbf"; /* what some editors write before UTF-8 */
    FILE *stream;
    *text = NULL;
    attn_status status = open_regular(file, &stream, why);
    if (status != ATTN_OK)
        return status;
    char *bytes = malloc(GPU_TEXT_MOST + 2); /* one to see the end, one for '\0' */
    const size_t count = bytes ? fread(bytes, 1, GPU_TEXT_MOST + 1, stream) : 0;
    const bool failed = ferror(stream) != 0;
    fclose(stream);
    if (!bytes)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to read a file");
    bytes[count] = '\0';
    if (failed)
        status = attn_file_refuse(why, file, "cannot be read");
    else if (count > GPU_TEXT_MOST)
        status = attn_file_refuse(why, file, "longer than %d bytes", GPU_TEXT_MOST);
    else if (strlen(bytes) < count)
        status = attn_file_refuse(why, file, "no text: holds a NUL byte");
    if (status != ATTN_OK) {
        free(bytes);
        return status;
    }
    const size_t skipped = strncmp(bytes, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    memmove(bytes, bytes + skipped, count + 1 - skipped);
    *text = bytes;
    return ATTN_OK;
}

bool gpu_text_exists(const char *file)
{
    struct stat status;
    return stat(file, &status) == 0;
}
