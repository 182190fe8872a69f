/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages scores, mask, softmax and accumulate of decode.comp, for the block of keys at j.
 */

/* Neighbouring invocations read neighbouring elements; elements past the head size and keys past
 * the end are zero. */
void load_slice(uint j, uint c0)
{
    for (uint i = x; i < DECODE_SLICE * ATTN_BK; i += ATTN_BK) {
        uint key = i / DECODE_SLICE, c = i % DECODE_SLICE;
        stage[c * PADDED_BK + key] = key_element(j + key, c0 + c);
    }
}

/* The slice's part of the scores of key j + x */
void multiply_slice(uint c0)
{
    for (uint c = 0; c < min(DECODE_SLICE, D - c0); c++) {
        float element = stage[c * PADDED_BK + x];
        [[unroll]] for (uint r = 0; r < ROWS; r++)
            score[r] = mac(queries[r * D + c0 + c], element, score[r]);
    }
}

void score_block(uint j)
{
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        score[r] = 0.0;
    for (uint c0 = 0; c0 < D; c0 += DECODE_SLICE) {
        load_slice(j, c0);
        barrier();
        multiply_slice(c0);
        barrier();
    }
}

/* The ordered key of the score of row r and key j + x */
uint masked_score(uint j, uint r)
{
    float scaled = multiply(score[r], uintBitsToFloat(push.s2));
    return contains(visible[r], j + x) ? score_key(scaled) : KEY_NONE;
}

/* The contract's sum of a row's weights: four per lane, then the tree over 16 lanes */
void sum_lanes()
{
    for (uint i = x; i < ROWS * 16; i += ATTN_BK) {
        uint at = i / 16 * ATTN_BK + i % 16;
        lanes[i] = add(add(add(weights[at], weights[at + 16]), weights[at + 32]), weights[at + 48]);
    }
    barrier();
    for (uint width = 8; width > 0; width /= 2) {
        for (uint i = x; i < ROWS * width; i += ATTN_BK) {
            uint at = i / width * 16 + i % width;
            lanes[at] = add(lanes[at], lanes[at + width]);
        }
        barrier();
    }
}

void update_row(uint r)
{
    uint next = max(maximum[r], block_maximum[r]);
    bool counts = block_maximum[r] != KEY_NONE;
    rescale[r] = counts ? weight_below(maximum[r], next) : 1.0;
    sum[r] = mac(sum[r], rescale[r], lanes[r * 16]);
    maximum[r] = next;
}

void softmax_block(uint j)
{
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        atomicMax(block_maximum[r], masked_score(j, r));
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        weights[r * ATTN_BK + x] =
            key_weight(masked_score(j, r), max(maximum[r], block_maximum[r]));
    barrier();
    sum_lanes();
    if (x < ROWS)
        update_row(x);
    barrier();
}

/* Adds a key's values to every row that sees it; hidden keys must not even meet their zero
 * weights, since V may hold NaN or infinities there. */
void add_value(uint j, uint key, uint i, float value)
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        float next = mac(weights[r * ATTN_BK + key], value, part[r * COLUMNS + i]);
        if (block_maximum[r] != KEY_NONE && contains(visible[r], j + key))
            part[r * COLUMNS + i] = next;
    }
}

void accumulate_block(uint j)
{
    const uint together = 8; /* loads on their way at a time */
    [[unroll]] for (uint i = 0; i < COLUMNS; i++) {
        uint c = x + i * ATTN_BK;
        [[unroll]] for (uint r = 0; r < ROWS; r++)
            part[r * COLUMNS + i] = 0.0;
        for (uint key = 0; key < ATTN_BK; key += together) {
            float values[together];
            [[unroll]] for (uint n = 0; n < together; n++)
                values[n] = value_element(j + key + n, c);
            [[unroll]] for (uint n = 0; n < together; n++)
                add_value(j, key + n, i, values[n]);
        }
        [[unroll]] for (uint r = 0; r < ROWS; r++)
            o[r * COLUMNS + i] =
                mac(o[r * COLUMNS + i], rescale[r], part[r * COLUMNS + i]);
    }
    barrier();
    if (x < ROWS)
        block_maximum[x] = KEY_NONE;
    barrier();
}
