/* SPDX-License-Identifier: Apache-2.0
 *
 * What would make numbers measured here unreliable: the clock, the load, memory, what the machine
 * is, and attnmark itself. Facts are read and judged; nothing is changed.
 */
#ifndef HARNESS_FACTS_H
#define HARNESS_FACTS_H

#include "attn/status.h"
#include "gpu/gpu.h"
#include "harness/counters.h"
#include "harness/energy.h"
#include "harness/json_value.h"

#define FACTS_MAX 32

/* In order: what is at least a warning counts for `doctor --strict`. */
typedef enum {
    FACT_FINE,
    FACT_UNKNOWN, /* cannot be read here: no reason to trust it */
    FACT_NOTE,    /* to know when reading the numbers */
    FACT_WARNING, /* numbers move, or are lower than need be */
    FACT_FATAL,   /* numbers say nothing about this machine */
} fact_severity;

typedef struct fact {
    const char *id; /* "governor", "steal", ...; static */
    fact_severity severity;
    char found[192];    /* one line */
    const char *advice; /* what to do; "" when there is nothing; static */
} fact;

typedef struct machine_facts {
    fact list[FACTS_MAX];
    size_t count;
} machine_facts;

typedef struct facts_sources {
    const char *root;      /* holds /proc and /sys: "" for this machine's own */
    double window_s;       /* one thread spins this long, to see what is taken from it; may be 0 */
    unsigned cpus_allowed; /* that this process may use; 0: unknown */
    const gpu_set *gpu;    /* NULL: no Vulkan device takes part */
    const counters *counters; /* NULL: no fact about them */
    const energy *energy;     /* the same */
} facts_sources;

#define FACTS_WINDOW_S 0.2

void facts_read(machine_facts *f, const facts_sources *sources);
/* NULL when there is none of this id. */
const fact *facts_find(const machine_facts *f, const char *id);
/* The worst there is. */
fact_severity facts_worst(const machine_facts *f);
unsigned facts_count(const machine_facts *f, fact_severity severity);
/* Is there a fatal one? Names them all: "build: ...; emulation: ...". why may be NULL. */
bool facts_invalidating(const machine_facts *f, attn_reason *why);

/* "fine", "unknown", "note", "warning", "fatal" */
const char *fact_severity_name(fact_severity severity);
/* [{id, severity, found, advice}], advice null when there is none; null for NULL. */
json_t *facts_json(const machine_facts *f);

/* Thermal throttling events of all cores and packages since the system started; they only grow.
 * false: this system does not count them. */
bool facts_throttle_events(const char *root, uint64_t *events);

#endif
