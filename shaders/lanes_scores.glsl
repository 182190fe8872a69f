/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages scores, mask and softmax of lanes.comp, for the block of keys at j.
 *
 * Arrays in registers have constant indices; only `score` is indexed freely, and drivers then
 * read and write it lane by lane. Its writes stand behind all arithmetic: branches may come of
 * them, behind which a compiler would defer each chain of sums to its only use, one at a time.
 * Loops whose condition stands at the end: a driver for the CPU runs the body of others once
 * more, masked.
 */
float row_maximum[ROWS];
float t[SCORE_KEYS * ROWS]; /* [key][row] */

bool contains(uvec2 span, uint key)
{
    return key >= span.x && key < span.y;
}

/* The same value in every lane, visibly so: one address for all. */
uint same(uint value)
{
    return subgroupShuffle(value, 0u);
}

/* Element c of the rows, i of the chunk */
void multiply_element(uint c, uint i)
{
    [[unroll]] for (uint k = 0; k < SCORE_KEYS; k++) {
        float element = chunk_element(k, i);
        [[unroll]] for (uint r = 0; r < ROWS; r++)
            t[k * ROWS + r] = mac(query[r * D + c], element, t[k * ROWS + r]);
    }
}

void multiply_keys(uint key)
{
    uint row[SCORE_KEYS];
    [[unroll]] for (uint k = 0; k < SCORE_KEYS; k++)
        row[k] = unit_row(key + k, D);
    [[unroll]] for (uint i = 0; i < SCORE_KEYS * ROWS; i++)
        t[i] = 0.0;
    [[unroll]] for (uint chunk = 0; chunk < (D + CHUNK - 1) / CHUNK; chunk++) {
        [[unroll]] for (uint k = 0; k < SCORE_KEYS; k++) {
            uint unit = own_unit(row[k], chunk, D);
            keep_own(texelFetch(k_texels, texel_of(unit)), unit, k, false);
        }
        [[unroll]] for (uint i = 0; i < CHUNK; i++) {
            if (chunk * CHUNK + i < D)
                multiply_element(chunk * CHUNK + i, i);
        }
    }
}

void score_keys(uint j, uint first)
{
    multiply_keys(j + first);
    [[unroll]] for (uint k = 0; k < SCORE_KEYS; k++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float scaled = multiply(t[k * ROWS + r], uintBitsToFloat(push.s2));
            bool shown = contains(visible[r], j + first + k);
            t[k * ROWS + r] = shown ? scaled : uintBitsToFloat(ATTN_NEG_INF_BITS);
            block_maximum[r] = max(block_maximum[r], score_key(t[k * ROWS + r]));
        }
    }
    bool never = false;
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        never = never || block_maximum[r] == 0;
    uint at = same(never ? 1 : first) * ROWS;
    [[unroll]] for (uint i = 0; i < SCORE_KEYS * ROWS; i++)
        score[at + i] = t[i];
}

void score_block(uint j, uint end)
{
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        block_maximum[r] = KEY_NONE;
    uint first = 0;
    [[dont_unroll]] do {
        score_keys(j, first);
        first += SCORE_KEYS;
    } while (first < end);
}

/* Weights take the place of the scores of keys `lane`, `lane` + 16, ...; returns their sum. */
float weigh_lane(uint lane, uint end, uint r, float row_maximum)
{
    uint at = same(lane) * ROWS + r;
    float lane_sum = 0.0;
    [[unroll]] for (uint step = 0; step < ATTN_BK / 16; step++) {
        float p = score_weight(score[at + 16 * step * ROWS], row_maximum);
        p = lane + 16 * step < end ? p : 0.0;
        lane_sum = add(lane_sum, p);
    }
    return lane_sum;
}

/* The contract's tree over 16 lanes: their first level in the loop, the others behind it. */
void softmax_block(uint end)
{
    float pair[8 * ROWS]; /* [row][lane] */
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint next = max(maximum[r], block_maximum[r]);
        counts[r] = block_maximum[r] != KEY_NONE;
        rescale[r] = counts[r] ? weight_below(maximum[r], next) : 1.0;
        maximum[r] = next;
        row_maximum[r] = key_score(next);
    }
    [[unroll]] for (uint i = 0; i < 8 * ROWS; i++)
        pair[i] = 0.0;
    uint lane = 0;
    [[dont_unroll]] do {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            [[unroll]] for (uint i = 0; i < 7; i++)
                pair[r * 8 + i] = pair[r * 8 + i + 1];
            pair[r * 8 + 7] = add(weigh_lane(lane, end, r, row_maximum[r]),
                                  weigh_lane(lane + 8, end, r, row_maximum[r]));
        }
        lane++;
    } while (lane < 8);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        [[unroll]] for (uint width = 4; width > 0; width /= 2) {
            [[unroll]] for (uint i = 0; i < width; i++)
                pair[r * 8 + i] = add(pair[r * 8 + i], pair[r * 8 + i + width]);
        }
        sum[r] = mac(sum[r], rescale[r], pair[r * 8]);
    }
}
