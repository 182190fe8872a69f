/* SPDX-License-Identifier: Apache-2.0
 *
 * What the CPU counted while user code ran: cycles, instructions and so on, of this process and of
 * all threads that it makes after counters_open. Each counter may be missing by itself. Linux only
 * (perf_event_open).
 */
#ifndef HARNESS_COUNTERS_H
#define HARNESS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "attn/status.h"

typedef enum {
    COUNTER_CYCLES,
    COUNTER_INSTRUCTIONS,
    COUNTER_BRANCH_MISSES,
    COUNTER_CACHE_MISSES, /* of the last level, as the system defines them */
    COUNTER_LLC_LOADS,
    COUNTER_TASK_CLOCK, /* ns on a CPU, all threads together */
    COUNTER_KINDS
} counter_kind;

typedef struct counters {
    int file[COUNTER_KINDS]; /* -1: not available */
    attn_reason why;         /* "": all are; else which are not available and why */
    bool any;                /* at least one is */
} counters;

/* At one moment. When there are more events than the CPU has counters, they take turns. */
typedef struct counters_reading {
    struct {
        bool known;
        uint64_t value, enabled_ns, running_ns;
    } of[COUNTER_KINDS];
} counters_reading;

/* The name of its field in run.jsonl: "cycles", "task_clock_ns". */
const char *counter_name(counter_kind kind);

/* Call before the first OpenMP region: threads that are there already are not counted. */
void counters_open(counters *c);
void counters_close(counters *c);
void counters_read(const counters *c, counters_reading *now);
/* Between two readings, scaled to the whole time where events took turns; NAN when unknown. */
double counters_between(const counters_reading *before, const counters_reading *after,
                        counter_kind kind);

/* Why a call of perf_event_open failed with `error`, in words; `paranoid` is the text of
 * perf_event_paranoid, "" when it cannot be read. Returns text. */
#define COUNTERS_TEXT 160
const char *counters_reason(int error, const char *paranoid, char text[COUNTERS_TEXT]);

#endif
