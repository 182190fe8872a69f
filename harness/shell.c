/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/shell.h"

#include <stdlib.h>
#include <string.h>

/* What no shell gives a meaning to, wherever in a word it stands. */
static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                            "_-./,:=%+@";

char *shell_word(const char *word)
{
    static const char quote[] = "'\\''";
    const size_t length = strlen(word);
    if (length > 0 && strspn(word, plain) == length)
        return strdup(word);
    char *const quoted = malloc(length * strlen(quote) + sizeof "''");
    char *to = quoted;
    if (quoted == NULL)
        return NULL;
    *to++ = '\'';
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'') {
            memcpy(to, quote, strlen(quote));
            to += strlen(quote);
        } else {
            *to++ = *c;
        }
    }
    *to++ = '\'';
    *to = '\0';
    return quoted;
}
