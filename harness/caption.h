/* SPDX-License-Identifier: Apache-2.0
 *
 * Short names for the workloads of one run: what they share is said once, and each is known by
 * what differs.
 */
#ifndef HARNESS_CAPTION_H
#define HARNESS_CAPTION_H

#include "harness/series.h"

#define CAPTION_FIELDS 11

typedef struct caption {
    bool differs[CAPTION_FIELDS]; /* the field is not the same in every row */
    bool shown[CAPTION_FIELDS];   /* it says more than a default does */
} caption;

caption caption_of_rows(const result_row *rows, size_t count);
/* The same for the curves over one length, 'n' or 'm', which is left out. */
caption caption_of_curves(const series *list, size_t count, char length);
/* Fields that all rows share: "b=1 h=2 d=64 dtype=f32 mask=full". Returns text. */
const char *caption_shared(const caption *c, const attn_workload *w, char text[ATTN_WORKLOAD_TEXT]);
/* Fields by which workloads differ: "n=256"; "" when none does. Returns text. */
const char *caption_own(const caption *c, const attn_workload *w, char text[ATTN_WORKLOAD_TEXT]);
const char *caption_curve(const caption *c, const series *s, char text[ATTN_WORKLOAD_TEXT]);

#endif
