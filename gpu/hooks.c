/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/hooks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool gpu_hook_validation(void)
{
    const char *text = getenv("ATTNMARK_VALIDATION");
    return text && strcmp(text, "1") == 0;
}

/* A decimal number > 0 at *text, which moves behind it; 0 when there is none. */
static uint64_t number(const char **text)
{
    char *end;
    if (**text < '0' || **text > '9')
        return 0;
    errno = 0;
    uint64_t value = strtoull(*text, &end, 10);
    *text = end;
    return errno ? 0 : value;
}

static void lower(uint32_t *limit, uint64_t value)
{
    if (value < *limit)
        *limit = (uint32_t)value;
}

static bool lower_limit(gpu_limits *limits, const char *key, size_t length, uint64_t value)
{
    if (length == 6 && memcmp(key, "shared", length) == 0) {
        lower(&limits->shared, value);
    } else if (length == 11 && memcmp(key, "invocations", length) == 0) {
        lower(&limits->invocations, value);
    } else if (length == 6 && memcmp(key, "groups", length) == 0) {
        lower(&limits->groups, value);
    } else if (length == 5 && memcmp(key, "range", length) == 0) {
        limits->range = value < limits->range ? value : limits->range;
    } else if (length == 4 && memcmp(key, "work", length) == 0) {
        limits->work = value < limits->work ? value : limits->work;
    } else if (length == 5 && memcmp(key, "loops", length) == 0) {
        limits->loops = value < limits->loops ? value : limits->loops;
    } else {
        return false;
    }
    return true;
}

attn_status gpu_hook_limits(const char *text, gpu_limits *limits, attn_reason *why)
{
    const char *at = text;

    while (at && *at) {
        const char *key = at;
        const size_t length = strcspn(at, "=");
        at += length;
        if (*at == '=')
            at++;
        const uint64_t value = number(&at);
        const bool ends = *at == '\0' || *at == ',';
        if (value == 0 || !ends || !lower_limit(limits, key, length, value))
            return attn_because(why, ATTN_ERROR, "ATTNMARK_GPU_LIMITS: cannot read '%s'", key);
        if (*at == ',')
            at++;
    }
    return ATTN_OK;
}

attn_status gpu_hook_fault(const char *text, uint64_t *submit, attn_reason *why)
{
    *submit = 0;
    if (!text)
        return ATTN_OK;
    const char *at = text;
    if (strncmp(text, "submit:", 7) == 0) {
        at += 7;
        *submit = number(&at);
    }
    if (*submit == 0 || *at)
        return attn_because(why, ATTN_ERROR, "ATTNMARK_GPU_FAULT: cannot read '%s'", text);
    return ATTN_OK;
}
