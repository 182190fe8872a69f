/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/output.h"

#include <stdlib.h>
#include <string.h>

#include "attn/file.h"
#include "attn/text.h"

/* Bytes of the character of UTF-8 that starts here; 1 for what starts none. */
static size_t character(const char *text)
{
    size_t bytes = 1;
    while (((unsigned char)text[0] & 0x80) != 0 && ((unsigned char)text[bytes] & 0xc0) == 0x80)
        bytes++;
    return bytes;
}

/* XML has no U+FFFE and U+FFFF, and hardly any control characters. */
static bool forbidden(const char *text)
{
    return attn_text_control(text) > 0 || strncmp(text, "\xef\xbf\xbe", 3) == 0 ||
           strncmp(text, "\xef\xbf\xbf", 3) == 0;
}

static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text += character(text))
        count++;
    return count;
}

const char *report_clean(const char *text, size_t most, char *out, size_t size)
{
    static const char dots[] = "...";
    const bool cut = characters(text) > most;
    size_t used = 0, kept = cut && most > strlen(dots) ? most - strlen(dots) : most;
    for (; *text != '\0' && kept > 0; kept--) {
        const size_t bytes = character(text);
        if (used + bytes + sizeof dots > size)
            break;
        if (forbidden(text))
            out[used++] = '?';
        else
            for (size_t i = 0; i < bytes; i++)
                out[used++] = text[i];
        text += bytes;
    }
    snprintf(out + used, size - used, "%s", *text != '\0' ? dots : "");
    return out;
}

static const char *run_text(const report *r, size_t run, const char *member)
{
    const json_t *one = json_array_get(json_object_get(r->data, "runs"), run);
    const char *text = json_string_value(json_object_get(one, member));
    return text ? text : "-";
}

const char *report_run_name(const report *r, size_t run)
{
    return run_text(r, run, "name");
}

const char *report_run_short(const report *r, size_t run)
{
    return run_text(r, run, "short");
}

char *report_path(const char *directory, const char *name)
{
    const size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", directory, name);
    return path;
}

attn_status report_output(const char *directory, const char *name, report_writer *write,
                          const void *context, attn_reason *why)
{
    attn_file file;
    char *path = report_path(directory, name);
    if (path == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    attn_status status = attn_file_create(path, &file, why);
    free(path);
    if (status != ATTN_OK)
        return status;
    status = write(file.stream, context, why);
    if (status == ATTN_OK)
        return attn_file_commit(&file, why);
    attn_file_abandon(&file);
    return status;
}
