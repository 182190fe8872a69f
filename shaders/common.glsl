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

/* Of the workgroup: a query head of the piece, or a stack of those that share a key head, its rows
 * one run; the first row of its tile; the slot, and the keys that this dispatch takes there. */
uint head, first_row, slot;
uvec2 keys;

/* Rows of a run */
uint run_rows()
{
    return push.n * push.stack;
}

/* Which tile of tile_q rows is that of this workgroup, by group_index()? False: none. */
bool find_tile(uint group, uint tile_q)
{
    uint tiles = (run_rows() + tile_q - 1) / tile_q, runs = push.rows / run_rows();
    first_row = group % tiles * tile_q;
    head = group / tiles % runs;
    slot = group / tiles / runs;
    keys = uvec2(push.key_begin, push.key_end) + slot * push.split;
    keys.y = min(keys.y, push.m);
    return group < push.group_end;
}

/* The key head of the piece that a run reads */
uint key_head(uint head)
{
    return (head * push.stack + push.head_skip) / push.head_group;
}

/* An element of a key, or of its value, for staging: zero past the head size and past the end. */
float key_element(uint key, uint c)
{
    uint at = push.k_at + (key_head(head) * push.m + key) * D + c;
    float element = 0.0;
    if (c < D && key < push.m)
        element = ELEMENT(k, at);
    return element;
}

float value_element(uint key, uint c)
{
    uint at = push.v_at + (key_head(head) * push.m + key) * DV + c;
    float element = 0.0;
    if (c < DV && key < push.m)
        element = ELEMENT(v, at);
    return element;
}

/* A row of a run as one of the push.rows of the piece */
uint piece_row(uint row)
{
    return head * run_rows() + row;
}

/* Visible keys [x, y) of a row of a run */
uvec2 row_span(uint head, uint row)
{
    uint sequence = (push.head_first + head * push.stack) / push.heads;
    return spans[sequence * push.span_stride + row % push.n];
}

/* The keys of this dispatch that any of `count` rows sees, as one interval. Rows past the end
 * repeat the last one. */
uvec2 visible_range(uint row, uint count)
{
    uvec2 range = keys.yx;
    for (uint i = 0; i < count; i++) {
        uvec2 span = row_span(head, min(row + i, run_rows() - 1));
        if (span.x < span.y)
            range = uvec2(min(range.x, span.x), max(range.y, span.y));
    }
    return uvec2(max(range.x, keys.x), min(range.y, keys.y));
}

bool has_flag(uint flag)
{
    return (push.flags & flag) != 0;
}

/* Where scratch holds the state of a row of a run. */
uint state_at(uint row)
{
    return (slot * push.rows + piece_row(row)) * STATE_WORDS(DV);
}

/* The output word of a weighted value, given the row's maximum and 1 / sum. */
uint output_word(float value, uint maximum, float reciprocal)
{
    if (maximum == KEY_BAD)
        return ATTN_NAN_BITS;
    return maximum == KEY_NONE ? 0 : floatBitsToUint(multiply(value, reciprocal));
}
