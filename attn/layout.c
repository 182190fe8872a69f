/* SPDX-License-Identifier: Apache-2.0 */
#include "attn/layout.h"

#include <string.h>

attn_strides attn_layout_strides(attn_layout layout, attn_shape s)
{
    const size_t row = layout == ATTN_LAYOUT_BNHD ? (size_t)s.heads * s.width : s.width;
    const size_t head = layout == ATTN_LAYOUT_BNHD ? s.width : (size_t)s.rows * s.width;

    return (attn_strides){(size_t)s.heads * s.rows * s.width, head, row};
}

void attn_layout_copy(attn_shape s, size_t size, attn_layout from_layout, const void *from,
                      attn_layout to_layout, void *to)
{
    const attn_strides in = attn_layout_strides(from_layout, s);
    const attn_strides out = attn_layout_strides(to_layout, s);

    for (uint32_t b = 0; b < s.batch; b++)
        for (uint32_t h = 0; h < s.heads; h++)
            for (uint32_t i = 0; i < s.rows; i++)
                memcpy((char *)to + size * (b * out.batch + h * out.head + i * out.row),
                       (const char *)from + size * (b * in.batch + h * in.head + i * in.row),
                       size * s.width);
}
