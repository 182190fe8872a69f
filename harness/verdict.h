/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a run worth publishing? RESULT VALID, or RESULT INVALID with every reason: the last line that
 * `bench` prints, and the last of run.jsonl.
 */
#ifndef HARNESS_VERDICT_H
#define HARNESS_VERDICT_H

#include <jansson.h>
#include <stdio.h>

#include "harness/drift.h"
#include "harness/facts.h"

#define VERDICT_SAMPLES 10 /* fewer do not make a row */
#define VERDICT_UNSTEADY                                                                           \
    0.10                     /* half-width of a row's interval over its median, from which on the  \
                              * row is called unsteady */
#define VERDICT_SHARE   0.10 /* of the rows may be unsteady or short of samples */
#define VERDICT_REASONS 16

typedef struct verdict {
    size_t count; /* of reasons; 0: valid */
    attn_reason reasons[VERDICT_REASONS];
} verdict;

/* What the rows do not tell. */
typedef struct verdict_context {
    bool asked_for_software; /* the command line named a device or a Vulkan kernel */
    const machine_facts
        *facts;          /* the fatal ones (a debug build, an emulator, ...) count; may be NULL */
    const char *stopped; /* why the run ended before its end; NULL: it did not */
    bool lost;           /* the run that this one took turns with ended before its end */
} verdict_context;

verdict verdict_of(const result_row *rows, size_t count, const drift *drifts, size_t drift_count,
                   const verdict_context *context);

/* Is the interval of this row's median too wide to build on? */
bool verdict_unsteady(const result_row *row);

/* "RESULT VALID" or "RESULT INVALID: reason; reason". */
void verdict_print(FILE *out, const verdict *v);
/* The last line of run.jsonl. */
json_t *verdict_json(const verdict *v, const drift *drifts, size_t drift_count, size_t rows,
                     double elapsed_s);

#endif
