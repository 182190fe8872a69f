/* SPDX-License-Identifier: Apache-2.0 */
#include "attn/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character that the last `bytes` bytes of a text begin and do not end. */
static size_t begun(const char *text, size_t bytes)
{
    for (size_t back = 1; back <= bytes && back < 4; back++) {
        const unsigned char byte = (unsigned char)text[bytes - back];
        if (byte >= 0xc0) {
            const size_t wants = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
            return back < wants ? back : 0;
        }
        if (byte < 0x80)
            return 0;
    }
    return 0;
}

size_t attn_text_control(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x20 || c[0] == 0x7f)
        return 1;
    if (c[0] == 0xc2)
        return c[1] >= 0x80 && c[1] <= 0x9f ? 2 : 0;
    const bool turns = c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
                                        (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
    return turns ? 3 : 0;
}

char *attn_text_add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    if (used >= size)
        return text;
    va_list args;
    va_start(args, format);
    const int wanted = vsnprintf(text + used, size - used, format, args);
    va_end(args);
    if (wanted < 0)
        text[used] = '\0';
    else if ((size_t)wanted >= size - used)
        text[size - 1 - begun(text + used, size - 1 - used)] = '\0';
    return text;
}
