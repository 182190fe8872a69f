/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks behind facts_read, by topic.
 */
#ifndef HARNESS_FACTS_PARTS_H
#define HARNESS_FACTS_PARTS_H

#include "harness/facts.h"
#include "harness/system.h"

/* Found is formatted. Advice is dropped where all is fine. */
void facts_add(machine_facts *f, const char *id, fact_severity severity, const char *advice,
               const char *format, ...) __attribute__((format(printf, 5, 6)));

/* CPU time since the system started, in ticks. */
typedef struct facts_ticks {
    bool known;
    double busy, stolen; /* busy counts what was stolen: time that was wanted */
} facts_ticks;

/* What is read before and after the window. */
typedef struct facts_moment {
    facts_ticks ticks;
    bool throttles_known;
    uint64_t throttles;
} facts_moment;

/* facts_cpu.c: governor, boost, smt, core_kinds, cpus_allowed */
void facts_cpu(machine_facts *f, const facts_sources *s);
/* facts_load.c: load, cpu_pressure, memory_pressure, memory_free, swap, huge_pages */
void facts_load(machine_facts *f, const facts_sources *s);
/* facts_drift.c: steal, throttling, power */
facts_moment facts_moment_now(const char *root);
void facts_drift(machine_facts *f, const facts_sources *s, const facts_moment *before,
                 const facts_moment *after);
/* facts_place.c: virtual_machine, container, cpu_quota */
void facts_place(machine_facts *f, const facts_sources *s);
/* facts_emulation.c: emulation */
void facts_emulation(machine_facts *f, const facts_sources *s);
/* facts_own.c: build, hooks, vulkan_software, counters, energy */
void facts_own(machine_facts *f, const facts_sources *s);

#endif
