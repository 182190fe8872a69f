/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers, constants and addressing of the attention kernels.
 */
#include "storage.glsl"

layout(constant_id = SPEC_D) const uint D = 64;
layout(constant_id = SPEC_DV) const uint DV = 64;
layout(local_size_x_id = SPEC_LOCAL_X, local_size_y_id = SPEC_LOCAL_Y) in;

layout(std430, binding = BIND_Q) readonly buffer Queries { STORED q[]; };
layout(std430, binding = BIND_K) readonly buffer Keys { STORED k[]; };
layout(std430, binding = BIND_V) readonly buffer Values { STORED v[]; };
/* As words: NaN must arrive as the contract's bits. */
layout(std430, binding = BIND_OUT) writeonly buffer Output { uint o_bits[]; };
layout(std430, binding = BIND_SPANS) readonly buffer Spans { uvec2 spans[]; };
layout(std430, binding = BIND_SCRATCH) buffer Scratch { uint scratch[]; };

/* head counts query heads over the batch; the result counts key heads over the batch. */
uint key_head(uint head)
{
    return head / push.heads * (push.heads / push.head_group) +
           head % push.heads / push.head_group;
}

/* Visible keys [x, y) of a query row */
uvec2 row_span(uint head, uint row)
{
    return spans[head / push.heads * push.span_stride + row];
}

/* The keys of this dispatch that any of `count` query rows sees, as one interval. Rows past the
 * end repeat the last one. */
uvec2 visible_range(uint head, uint row, uint count)
{
    uvec2 range = uvec2(push.key_end, push.key_begin);
    for (uint i = 0; i < count; i++) {
        uvec2 span = row_span(head, min(row + i, push.n - 1));
        if (span.x < span.y)
            range = uvec2(min(range.x, span.x), max(range.y, span.y));
    }
    return uvec2(max(range.x, push.key_begin), min(range.y, push.key_end));
}

bool has_flag(uint flag)
{
    return (push.flags & flag) != 0;
}

/* Where scratch holds the online softmax of row `row` of all b * h * n. */
uint state_at(uint row, bool merged)
{
    return (row + (merged ? push.rows : 0)) * STATE_WORDS(DV);
}

/* The output word of a weighted value, given the row's maximum and 1 / sum. */
uint output_word(float value, uint maximum, float reciprocal)
{
    if (maximum == KEY_BAD)
        return ATTN_NAN_BITS;
    return maximum == KEY_NONE ? 0 : floatBitsToUint(multiply(value, reciprocal));
}
