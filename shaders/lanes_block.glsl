/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages load, scores, mask, softmax and accumulate of lanes.comp, for the block of keys at j.
 */

/* Keys past the end repeat the last one: they are hidden. */
uint texel_row(uint key, uint columns)
{
    return (key_head(head) * push.m + min(key, push.m - 1)) * columns;
}

/* The element c0 + (own lane) of a row; lanes past the row's end repeat the last. */
uint lane_column(uint c0, uint columns)
{
    return min(c0 + gl_SubgroupInvocationID % WIDTH, columns - 1);
}

bool contains(uvec2 span, uint key)
{
    return key >= span.x && key < span.y;
}

void score_key_of_block(uint j, uint key)
{
    uint at = push.k_at + texel_row(j + key, D);
    float t[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        t[r] = 0.0;
    [[unroll]] for (uint chunk = 0; chunk < (D + WIDTH - 1) / WIDTH; chunk++) {
        uint c0 = chunk * WIDTH;
        float own = TEXEL(k_texels, at + lane_column(c0, D));
        [[unroll]] for (uint i = 0; i < WIDTH; i++) {
            if (c0 + i < D) {
                float element = subgroupShuffle(own, i);
                [[unroll]] for (uint r = 0; r < ROWS; r++)
                    t[r] = mac(query[r * D + c0 + i], element, t[r]);
            }
        }
    }
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        float score = multiply(t[r], uintBitsToFloat(push.s2));
        uint shown = contains(visible[r], j + key) ? score_key(score) : KEY_NONE;
        block_maximum[r] = max(block_maximum[r], shown);
        weight[r * ATTN_BK + key] = score;
    }
}

void score_block(uint j)
{
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        block_maximum[r] = KEY_NONE;
    for (uint key = 0; key < ATTN_BK; key++)
        score_key_of_block(j, key);
}

/* Scores become weights; returns their sum in the order of the contract. The loops stay loops, here
 * and over the rows: little time is spent here, and unrolled they are most of the code. */
float make_weights(uint j, uint r, uint row_maximum)
{
    float lane[16];
    [[dont_unroll]] for (uint i = 0; i < 16; i++) {
        float lane_sum = 0.0;
        [[unroll]] for (uint step = 0; step < ATTN_BK / 16; step++) {
            uint key = i + 16 * step, at = r * ATTN_BK + key;
            uint shown = contains(visible[r], j + key) ? score_key(weight[at]) : KEY_NONE;
            float p = key_weight(shown, row_maximum);
            lane_sum = add(lane_sum, p);
            weight[at] = p;
        }
        lane[i] = lane_sum;
    }
    [[dont_unroll]] for (uint width = 8; width > 0; width /= 2) {
        [[dont_unroll]] for (uint i = 0; i < width; i++)
            lane[i] = add(lane[i], lane[i + width]);
    }
    return lane[0];
}

void softmax_block(uint j)
{
    [[dont_unroll]] for (uint r = 0; r < ROWS; r++) {
        bool counts = block_maximum[r] != KEY_NONE;
        uint next = max(maximum[r], block_maximum[r]);
        counted[r] = counts ? visible[r] : uvec2(0);
        rescale[r] = counts ? weight_below(maximum[r], next) : 1.0;
        sum[r] = mac(sum[r], rescale[r], make_weights(j, r, next));
        maximum[r] = next;
    }
}

/* Hidden keys must not even meet their zero weights, since V may hold NaN or infinities there. */
void accumulate_element(uint key, uint column, float element, uint shown)
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        float next = mac(weight[r * ATTN_BK + key], element, part[r * DV + column]);
        if ((shown & 1u << r) != 0)
            part[r * DV + column] = next;
    }
}

void accumulate_key(uint j, uint key)
{
    uint at = push.v_at + texel_row(j + key, DV);
    uint shown = 0;
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        shown |= contains(counted[r], j + key) ? 1u << r : 0;
    [[unroll]] for (uint chunk = 0; chunk < (DV + WIDTH - 1) / WIDTH; chunk++) {
        uint c0 = chunk * WIDTH;
        float own = TEXEL(v_texels, at + lane_column(c0, DV));
        [[unroll]] for (uint i = 0; i < WIDTH; i++) {
            if (c0 + i < DV)
                accumulate_element(key, c0 + i, subgroupShuffle(own, i), shown);
        }
    }
}

void accumulate_block(uint j)
{
    [[unroll]] for (uint i = 0; i < ROWS * DV; i++)
        part[i] = 0.0;
    for (uint key = 0; key < ATTN_BK; key++)
        accumulate_key(j, key);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        [[unroll]] for (uint c = 0; c < DV; c++)
            o[r * DV + c] = mac(o[r * DV + c], rescale[r], part[r * DV + c]);
    }
}
