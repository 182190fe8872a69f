/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/system.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct path {
    char text[512];
} path;

static path path_below(const char *root, const char *format, va_list arguments)
{
    path p;
    const int used = snprintf(p.text, sizeof p.text, "%.255s", root);
    vsnprintf(p.text + used, sizeof p.text - (size_t)used, format, arguments);
    return p;
}

static system_line first_line(const path *p)
{
    system_line out = {""};
    FILE *file = fopen(p->text, "r");
    if (file == NULL)
        return out;
    if (fgets(out.text, sizeof out.text, file) == NULL)
        out.text[0] = '\0';
    out.text[strcspn(out.text, "\n")] = '\0';
    fclose(file);
    return out;
}

bool system_has(const char *root, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const path p = path_below(root, format, arguments);
    va_end(arguments);
    return access(p.text, F_OK) == 0;
}

system_line system_first_line(const char *root, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const path p = path_below(root, format, arguments);
    va_end(arguments);
    return first_line(&p);
}

bool system_number(const char *root, uint64_t *value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const path p = path_below(root, format, arguments);
    va_end(arguments);
    const system_line line = first_line(&p);
    if (line.text[0] < '0' || line.text[0] > '9')
        return false;
    *value = strtoull(line.text, NULL, 10);
    return true;
}

system_line system_keyed_line(const char *root, const char *name, const char *key)
{
    system_line out = {""};
    char buffer[512];
    path p;
    snprintf(p.text, sizeof p.text, "%.255s%s", root, name);
    FILE *file = fopen(p.text, "r");
    if (file == NULL)
        return out;
    while (out.text[0] == '\0' && fgets(buffer, sizeof buffer, file) != NULL) {
        if (strncmp(buffer, key, strlen(key)) != 0)
            continue;
        const char *value = buffer + strlen(key);
        value += strspn(value, " \t:=\"");
        snprintf(out.text, sizeof out.text, "%.*s", (int)strcspn(value, "\"\n"), value);
    }
    fclose(file);
    return out;
}

system_line system_link(const char *root, const char *name)
{
    system_line out = {""};
    path p;
    snprintf(p.text, sizeof p.text, "%.255s%s", root, name);
    const ssize_t length = readlink(p.text, out.text, sizeof out.text - 1);
    out.text[length > 0 ? length : 0] = '\0';
    return out;
}

unsigned system_cpu_limit(const char *root)
{
    const system_line possible = system_first_line(root, SYSTEM_CPUS "/possible");
    if (possible.text[0] == '\0')
        return 0;
    const char *last = possible.text;
    for (const char *c = possible.text; *c != '\0'; c++)
        last = *c == '-' || *c == ',' ? c + 1 : last;
    return (unsigned)strtoul(last, NULL, 10) + 1;
}

system_answer system_boost(const char *root)
{
    uint64_t value;
    if (system_number(root, &value, SYSTEM_CPUS "/cpufreq/boost"))
        return value == 1 ? SYSTEM_YES : SYSTEM_NO;
    if (system_number(root, &value, SYSTEM_CPUS "/intel_pstate/no_turbo"))
        return value == 0 ? SYSTEM_YES : SYSTEM_NO;
    return SYSTEM_UNKNOWN;
}

/* x86 guests see the flag "hypervisor", device-tree guests a node of that name. */
system_answer system_hypervisor(const char *root)
{
    path p;
    if (system_has(root, "/proc/device-tree/hypervisor"))
        return SYSTEM_YES;
    snprintf(p.text, sizeof p.text, "%.255s/proc/cpuinfo", root);
    FILE *file = fopen(p.text, "r");
    if (file == NULL)
        return SYSTEM_UNKNOWN;
    bool flags = false, hypervisor = false;
    char word[64]; /* the flags line is longer than any sensible line buffer */
    while (!hypervisor && fscanf(file, "%63s", word) == 1) {
        flags = flags || strcmp(word, "flags") == 0;
        hypervisor = strcmp(word, "hypervisor") == 0;
    }
    fclose(file);
    return hypervisor ? SYSTEM_YES : flags ? SYSTEM_NO : SYSTEM_UNKNOWN;
}
