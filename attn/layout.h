/* SPDX-License-Identifier: Apache-2.0
 *
 * How the rows of a tensor lie in memory. Rows are contiguous and so is the tensor, in either
 * order of heads and rows.
 */
#ifndef ATTN_LAYOUT_H
#define ATTN_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    ATTN_LAYOUT_BHND, /* [batch][head][row][width]: canonical */
    ATTN_LAYOUT_BNHD, /* [batch][row][head][width]: what a projection leaves, flash-attention's */
} attn_layout;

typedef struct attn_shape {
    uint32_t batch, heads, rows, width; /* width: elements of a row, d or dv */
} attn_shape;

static inline uint64_t attn_shape_elements(attn_shape s)
{
    return (uint64_t)s.batch * s.heads * s.rows * s.width;
}

/* Elements from one batch entry, head or row to the next. */
typedef struct attn_strides {
    size_t batch, head, row;
} attn_strides;

attn_strides attn_layout_strides(attn_layout layout, attn_shape shape);

/* Copies a whole tensor, elements of `size` bytes, into another layout or the same. */
void attn_layout_copy(attn_shape shape, size_t size, attn_layout from_layout, const void *from,
                      attn_layout to_layout, void *to);

#endif
