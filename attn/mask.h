/* SPDX-License-Identifier: Apache-2.0
 *
 * Every mask is an interval of visible keys per query row. Kernels, CPU and GPU, receive the
 * intervals as a table and know no mask by name.
 */
#ifndef ATTN_MASK_H
#define ATTN_MASK_H

#include "attn/workload.h"

/* Row i sees keys lo <= j < hi; lo == hi: none (then lo = hi = 0). hi <= m. For every mask here
 * lo and hi do not decrease with i among the rows that see a key. */
typedef struct attn_span {
    uint32_t lo, hi;
} attn_span;

attn_span attn_mask_row(const attn_workload *w, uint32_t batch, uint32_t row);

/* Rows of the table: n when every sequence of the batch has the same intervals, else b*n. */
size_t attn_mask_rows(const attn_workload *w);
/* Fills table[attn_mask_rows(w)]; sequence s, row i is at [s * attn_mask_stride(w) + i]. */
void attn_mask_table(const attn_workload *w, attn_span *table);
size_t attn_mask_stride(const attn_workload *w); /* 0 or n */

typedef enum { ATTN_HIDDEN, ATTN_VISIBLE, ATTN_MIXED } attn_cover;

/* How rows[0..count) see the keys [j0, j1): none of them any key, all of them every key, or
 * mixed. Linear in count, correct for any intervals. */
attn_cover attn_mask_cover(const attn_span *rows, uint32_t count, uint32_t j0, uint32_t j1);

#endif
