/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/hooks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool gpu_hook_staging(void)
{
    const char *text = getenv("ATTNMARK_GPU_STAGING");
    return text && strcmp(text, "1") == 0;
}

attn_status gpu_hook_staging_check(attn_reason *why)
{
    const char *text = getenv("ATTNMARK_GPU_STAGING");
    if (!text || !*text || strcmp(text, "0") == 0 || gpu_hook_staging())
        return ATTN_OK;
    return attn_because(why, ATTN_ERROR, "ATTNMARK_GPU_STAGING: cannot read '%s' (want 0 or 1)",
                        text);
}

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

/* False where there is no such limit, or it cannot be that low. */
static bool lower_limit(gpu_limits *limits, const char *key, size_t length, uint64_t value)
{
    const struct {
        const char *key;
        uint32_t *narrow;
        uint64_t *wide; /* one of the two is NULL */
        uint64_t least;
    } known[] = {
        {"shared", &limits->shared, NULL, 1},     {"invocations", &limits->invocations, NULL, 1},
        {"groups", &limits->groups, NULL, 1},     {"range", NULL, &limits->range, 1},
        {"loops", NULL, &limits->loops, 1},       {"work", NULL, &limits->work, 1},
        {"subgroup", &limits->subgroup, NULL, 1}, {"timestamps", &limits->timestamps, NULL, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].key) != length || memcmp(known[i].key, key, length) != 0)
            continue;
        if (value < known[i].least)
            return false;
        if (known[i].narrow)
            *known[i].narrow = (uint32_t)gpu_smaller(*known[i].narrow, value);
        else
            *known[i].wide = gpu_smaller(*known[i].wide, value);
        return true;
    }
    return false;
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
            return attn_because(why, ATTN_ERROR,
                                "ATTNMARK_GPU_LIMITS: cannot read '%.60s' (want KEY=N,..., KEY "
                                "shared, invocations, groups, range, loops, work, subgroup or "
                                "timestamps)",
                                key);
        if (*at == ',')
            at++;
    }
    return ATTN_OK;
}

/* Moves *text behind "vk1:"; false when that is another device. */
static bool take_device(const char **text, const char *selector)
{
    const char *name = *text;
    const size_t digits = strncmp(name, "vk", 2) == 0 ? strspn(name + 2, "0123456789") : 0;
    const size_t length = 2 + digits;
    if (digits == 0 || name[length] != ':')
        return true;
    *text = name + length + 1;
    return strlen(selector) == length && memcmp(selector, name, length) == 0;
}

/* Moves *text behind "submit:"; GPU_FAULT_KINDS when it names none. */
static gpu_fault_kind take_kind(const char **text)
{
    static const char *const words[GPU_FAULT_KINDS] = {[GPU_FAULT_SUBMIT] = "submit:",
                                                       [GPU_FAULT_TIMEOUT] = "timeout:",
                                                       [GPU_FAULT_MEMORY] = "memory:",
                                                       [GPU_FAULT_PIPELINE] = "pipeline:"};
    for (int kind = 0; kind < GPU_FAULT_KINDS; kind++)
        if (strncmp(*text, words[kind], strlen(words[kind])) == 0) {
            *text += strlen(words[kind]);
            return (gpu_fault_kind)kind;
        }
    return GPU_FAULT_KINDS;
}

attn_status gpu_hook_faults(const char *text, const char *selector, gpu_faults *faults,
                            attn_reason *why)
{
    *faults = (gpu_faults){.count = 0};
    for (const char *at = text && *text ? text : NULL; at; at = *at ? at + 1 : NULL) {
        const char *entry = at;
        const bool ours = take_device(&at, selector);
        const gpu_fault_kind kind = take_kind(&at);
        uint64_t first = 0;
        if (kind < GPU_FAULT_KINDS && !number(&at, &first))
            first = 0;
        const bool more = first > 0 && *at == '+';
        at += more;
        if (first == 0 || (*at != ',' && *at != '\0'))
            return attn_because(why, ATTN_ERROR,
                                "ATTNMARK_GPU_FAULT: cannot read '%.*s' (want [vkN:]KIND:K[+], "
                                "KIND submit, timeout, memory or pipeline)",
                                (int)strcspn(entry, ","), entry);
        if (!ours)
            continue;
        if (faults->count == GPU_MAX_FAULTS)
            return attn_because(why, ATTN_ERROR, "ATTNMARK_GPU_FAULT: more than %d for one device",
                                GPU_MAX_FAULTS);
        faults->list[faults->count].kind = kind;
        faults->list[faults->count].first = first;
        faults->list[faults->count].last = more ? UINT64_MAX : first;
        faults->count++;
    }
    return ATTN_OK;
}

bool gpu_hook_fails(gpu_faults *faults, gpu_fault_kind kind)
{
    if (!faults->armed)
        return false;
    const uint64_t now = ++faults->chances[kind];
    bool fails = false;
    for (size_t i = 0; i < faults->count; i++)
        fails = fails || (faults->list[i].kind == kind && now >= faults->list[i].first &&
                          now <= faults->list[i].last);
    return fails;
}
