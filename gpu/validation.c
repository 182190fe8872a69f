/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/validation.h"

#include <string.h>

typedef struct word {
    const char *text;
    unsigned check;
} word;

static const word words[] = {
    {"core", GPU_VALIDATION_CORE}, {"sync", GPU_VALIDATION_SYNC}, {"gpu", GPU_VALIDATION_GPU}};

static unsigned check_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].text) == length && memcmp(words[i].text, text, length) == 0)
            return words[i].check;
    return 0;
}

attn_status gpu_validation_parse(const char *text, unsigned *checks, attn_reason *why)
{
    *checks = 0;
    if (!text || !*text || strcmp(text, "0") == 0)
        return ATTN_OK;
    if (strcmp(text, "1") == 0)
        text = "core,sync";
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        const unsigned check = check_of(at, length);
        if (!check)
            return attn_because(why, ATTN_ERROR,
                                "ATTNMARK_VALIDATION: cannot read '%.80s' (allowed: 0, 1, or a "
                                "list of core, sync, gpu)",
                                text);
        *checks |= check;
        at += length;
        if (!*at)
            return ATTN_OK;
    }
}
