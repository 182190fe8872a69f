/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host must know of a user's shader stands in the shader, as one line of comment:
 *   // attnmark: plan=tile local=16x16 rows=4 contracts=mx story="what idea it shows"
 * plan is a name of gpu/plans.h. The rest may be left out: local=N is Nx1; rows is 1; contracts
 * are m, f and x; the story is empty.
 */
#ifndef GPU_NOTE_H
#define GPU_NOTE_H

#include "attn/kernel.h"
#include "gpu/plans.h"

#define GPU_NOTE_CONTRACTS 3

typedef struct gpu_note {
    const gpu_plan_kind *kind;
    uint32_t local_x, local_y, rows;
    attn_contract contracts[GPU_NOTE_CONTRACTS]; /* in the order m, f, x */
    size_t contract_count;
    char story[100];
} gpu_note;

/* Finds and reads the line in a shader's text. ATTN_ERROR says "FILE:LINE: ..." of what is wrong.
 */
attn_status gpu_note_read(const char *file, const char *text, gpu_note *note, attn_reason *why);

#endif
