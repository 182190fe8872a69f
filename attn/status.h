/* SPDX-License-Identifier: Apache-2.0
 *
 * What became of an attempt, and why: used by every layer, stored in every result row.
 */
#ifndef ATTN_STATUS_H
#define ATTN_STATUS_H

#include <stdbool.h>

typedef enum {
    ATTN_OK,
    ATTN_FAILED,        /* ran, and the output was wrong */
    ATTN_UNSUPPORTED,   /* this kernel cannot do this workload on this device */
    ATTN_UNAVAILABLE,   /* no such device, driver or instruction set here */
    ATTN_SKIPPED,       /* could run, was not run (time budget) */
    ATTN_OUT_OF_MEMORY, /* host or device memory */
    ATTN_DEVICE_LOST,
    ATTN_TIMEOUT,
    ATTN_ERROR, /* anything else; the reason says what */
} attn_status;

/* One line, no newline, always terminated. */
typedef struct attn_reason {
    char text[256];
} attn_reason;

/* "ok", "failed", "unsupported", ... as written into run.jsonl. */
const char *attn_status_name(attn_status status);
/* Did something go wrong that a user must see, by the exit status? */
bool attn_status_alarming(attn_status status);

/* Formats the reason (why may be NULL) and returns status, so that a failing function can say
 * `return attn_because(why, ATTN_ERROR, "...", ...);`. */
attn_status attn_because(attn_reason *why, attn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
