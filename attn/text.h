/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of a fixed size that grow piece by piece.
 */
#ifndef ATTN_TEXT_H
#define ATTN_TEXT_H

#include <stddef.h>

/* Adds to the end of a text that holds up to `size` bytes. What finds no room is cut at the end of
 * a whole UTF-8 character. Returns text. */
char *attn_text_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Bytes of the character that begins here, where it is none to be shown: one that controls a
 * terminal, or turns the direction of what follows it (U+202A to U+202E, U+2066 to U+2069). 0: it
 * may be shown. */
size_t attn_text_control(const char *text);

#endif
