/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/hooks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number at *text, which moves behind it. */
static bool number(const char **text, uint64_t *value)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

static void lower(uint32_t *limit, uint64_t value)
{
    if (value < *limit)
        *limit = (uint32_t)value;
}

static bool lower_limit(gpu_limits *limits, const char *key, size_t length, uint64_t value)
{
    if (length == 10 && memcmp(key, "timestamps", length) == 0) {
        lower(&limits->timestamps, value);
    } else if (value == 0) {
        return false;
    } else if (length == 8 && memcmp(key, "subgroup", length) == 0) {
        lower(&limits->subgroup, value);
    } else if (length == 6 && memcmp(key, "shared", length) == 0) {
        lower(&limits->shared, value);
    } else if (length == 11 && memcmp(key, "invocations", length) == 0) {
        lower(&limits->invocations, value);
    } else if (length == 6 && memcmp(key, "groups", length) == 0) {
        lower(&limits->groups, value);
    } else if (length == 5 && memcmp(key, "range", length) == 0) {
        limits->range = value < limits->range ? value : limits->range;
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
        uint64_t value;
        const bool read = number(&at, &value) && (*at == '\0' || *at == ',');
        if (!read || !lower_limit(limits, key, length, value))
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
        if (!number(&at, submit))
            *submit = 0;
    }
    if (*submit == 0 || *at)
        return attn_because(why, ATTN_ERROR, "ATTNMARK_GPU_FAULT: cannot read '%s'", text);
    return ATTN_OK;
}
