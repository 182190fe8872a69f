/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a published run belongs: results/<vendor>/<machine>/<UTC time>.jsonl. Names of hardware are
 * whatever drivers say; in paths they are slugs.
 */
#ifndef HARNESS_REPORT_PLACE_H
#define HARNESS_REPORT_PLACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "attn/status.h"

#define PLACE_VENDOR  25 /* sizes with the end; far below what file systems allow */
#define PLACE_MACHINE 81
#define PLACE_TIME    17 /* "20260131T120000Z" */

typedef struct place {
    char vendor[PLACE_VENDOR];   /* of the CPU: "amd" */
    char machine[PLACE_MACHINE]; /* "epyc-7543-64cpu-nvidia-l4", or "...-software" without a GPU */
    char time[PLACE_TIME];       /* when the run began */
} place;

/* By a header's machine and devices. ATTN_ERROR for a time that is none. */
attn_status place_of(const json_t *header, place *p, attn_reason *why);

/* Lower-case letters, digits and single dashes between them, shorter than size; "unknown" where
 * nothing is left of the text. NULL is an empty text. Returns slug. */
char *place_slug(const char *text, char *slug, size_t size);
/* Is it one, shorter than size? No other name is taken from a directory. */
bool place_is_slug(const char *text, size_t size);
/* Is it "20260131T120000Z"? */
bool place_is_time(const char *text);

#endif
