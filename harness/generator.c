/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/generator.h"

#include <string.h>

static const char *const names[] = {
    [ATTN_GEN_NORMAL] = "normal", [ATTN_GEN_PEAKED] = "peaked", [ATTN_GEN_EQUAL] = "equal",
    [ATTN_GEN_LARGE] = "large",   [ATTN_GEN_CANCEL] = "cancel",
};

const char *generator_name(attn_generator generator)
{
    return names[generator];
}

attn_status generator_parse(const char *text, attn_generator *generator, attn_reason *why)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i]) == 0) {
            *generator = (attn_generator)i;
            return ATTN_OK;
        }
    return attn_because(why, ATTN_ERROR,
                        "--generator %s: unknown (allowed: normal, peaked, equal, large, cancel)",
                        text);
}
