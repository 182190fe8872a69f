/* SPDX-License-Identifier: Apache-2.0
 *
 * What else wants the CPUs and the memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/facts_parts.h"
#include "harness/format.h"

#define BUSY_LOAD       0.5  /* CPUs in use by others, mean of a minute */
#define CPU_PRESSURE    5.0  /* per cent of the time that something waited for a CPU */
#define MEMORY_PRESSURE 1.0  /* ... for memory */
#define LITTLE_MEMORY   0.10 /* available, of all */

static void load(machine_facts *f, const facts_sources *s)
{
    static const char advice[] = "end what else runs, and wait until the load has gone";
    double minute;
    unsigned running;
    const system_line text = system_first_line(s->root, "/proc/loadavg");
    if (sscanf(text.text, "%lf %*f %*f %u/", &minute, &running) != 2) {
        facts_add(f, "load", FACT_UNKNOWN, advice, "no /proc/loadavg");
        return;
    }
    const unsigned others = running > 1 ? running - 1 : 0; /* this process reads it */
    const fact_severity severity = minute >= BUSY_LOAD ? FACT_WARNING
                                   : others > 0        ? FACT_NOTE
                                                       : FACT_FINE;
    facts_add(f, "load", severity, advice, "%.2f in the last minute, %u other thread%s running",
              minute, others, others == 1 ? "" : "s");
}

/* Some: the share of time in which at least one task waited. */
static void pressure(machine_facts *f, const char *root, const char *id, const char *resource,
                     double much, const char *advice)
{
    double ten, minute;
    const system_line text = system_first_line(root, "/proc/pressure/%s", resource);
    if (sscanf(text.text, "some avg10=%lf avg60=%lf", &ten, &minute) != 2)
        facts_add(f, id, FACT_UNKNOWN, advice, "no /proc/pressure/%s", resource);
    else
        facts_add(f, id, ten >= much || minute >= much ? FACT_WARNING : FACT_FINE, advice,
                  "tasks waited %.1f %% of 10 s, %.1f %% of a minute", ten, minute);
}

/* Bytes; false where the line is not there. */
static bool memory(const char *root, const char *key, double *bytes)
{
    const system_line text = system_keyed_line(root, "/proc/meminfo", key);
    *bytes = 1024 * strtod(text.text, NULL);
    return text.text[0] >= '0' && text.text[0] <= '9';
}

static void memory_free(machine_facts *f, const facts_sources *s)
{
    static const char advice[] = "free memory: the system may write pages out in the middle";
    double total, available;
    if (!memory(s->root, "MemTotal", &total) || !memory(s->root, "MemAvailable", &available)) {
        facts_add(f, "memory_free", FACT_UNKNOWN, advice, "no MemAvailable in /proc/meminfo");
        return;
    }
    facts_add(f, "memory_free", available < LITTLE_MEMORY * total ? FACT_WARNING : FACT_FINE,
              advice, "%s of %s available", format_bytes(available).text, format_bytes(total).text);
}

static void swap(machine_facts *f, const facts_sources *s)
{
    static const char advice[] = "memory was short before: see memory_free";
    double total, unused;
    if (!memory(s->root, "SwapTotal", &total) || !memory(s->root, "SwapFree", &unused))
        facts_add(f, "swap", FACT_UNKNOWN, advice, "no SwapTotal in /proc/meminfo");
    else if (total > unused)
        facts_add(f, "swap", FACT_NOTE, advice, "%s in use", format_bytes(total - unused).text);
    else
        facts_add(f, "swap", FACT_FINE, advice, "not in use");
}

/* Tensors ask for large pages: "madvise" is as good as "always". */
static void huge_pages(machine_facts *f, const facts_sources *s)
{
    static const char file[] = "/sys/kernel/mm/transparent_hugepage/enabled";
    const system_line text = system_first_line(s->root, file);
    if (text.text[0] == '\0')
        facts_add(f, "huge_pages", FACT_UNKNOWN, "", "no %s", file);
    else if (strstr(text.text, "[never]") != NULL)
        facts_add(f, "huge_pages", FACT_NOTE,
                  "large tensors are slower to read: write madvise to that file", "never (%s)",
                  file);
    else
        facts_add(f, "huge_pages", FACT_FINE, "", "%.100s", text.text);
}

void facts_load(machine_facts *f, const facts_sources *s)
{
    load(f, s);
    pressure(f, s->root, "cpu_pressure", "cpu", CPU_PRESSURE,
             "other tasks want these CPUs, too: end them");
    pressure(f, s->root, "memory_pressure", "memory", MEMORY_PRESSURE,
             "memory is short: end what takes it");
    memory_free(f, s);
    swap(f, s);
    huge_pages(f, s);
}
