/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage softmax of lanes.comp. Weights are made twice, here for their sum and where they meet the
 * values: that costs less than to write and read them.
 */

/* The weight of row r and of the block's key `key`, whose score lies at `at`. Behind `end` lie
 * scores of earlier blocks. */
float block_weight(uint at, uint key, uint end, uint r)
{
    float p = score_weight(score[at], maximum[r]);
    return key < end ? p : 0.0;
}

/* The contract's sum over the keys `lane`, `lane` + 16, ... */
float sum_lane(uint lane, uint end, uint r)
{
    uint at = same(lane) * ROWS + r;
    float lane_sum = 0.0;
    [[unroll]] for (uint key = 0; key < ATTN_BK; key += 16)
        lane_sum = add(lane_sum, block_weight(at + key * ROWS, lane + key, end, r));
    return lane_sum;
}

void update_maxima()
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint next = max(maximum[r], block_maximum[r]);
        counts[r] = block_maximum[r] != KEY_NONE;
        rescale[r] = counts[r] ? weight_below(maximum[r], next) : 1.0;
        maximum[r] = next;
    }
}

/* The contract's tree over 16 lanes: the first level in the loop, which appends to `pair`. */
void softmax_block(uint end)
{
    float pair[8 * ROWS]; /* [row][lane] */
    update_maxima();
    [[unroll]] for (uint i = 0; i < 8 * ROWS; i++)
        pair[i] = 0.0;
    uint lane = 0;
    [[dont_unroll]] do {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            [[unroll]] for (uint i = 0; i < 7; i++)
                pair[r * 8 + i] = pair[r * 8 + i + 1];
            pair[r * 8 + 7] = add(sum_lane(lane, end, r), sum_lane(lane + 8, end, r));
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
