/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages mask and softmax of tile.comp. Scores become weights; the rows' maxima and sums are kept
 * in shared memory, each row by one invocation.
 */

/* The ordered key of the score of row r and the i-th key of this invocation */
uint masked_score(uint j, uint r, uint i)
{
    uint key = j + gl_LocalInvocationID.x + i * LOCAL_X;
    bool shown = key >= visible[r].x && key < visible[r].y;
    return shown ? score_key(score[r * KEYS4 + i / 4][i % 4]) : KEY_NONE;
}

void find_maxima(uint j)
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint own = KEY_NONE;
        [[unroll]] for (uint i = 0; i < KEYS; i++)
            own = max(own, masked_score(j, r, i));
        atomicMax(block_maximum[own_row(r)], own);
    }
}

void make_weights(uint j)
{
    const uint lane_step = 16 / LOCAL_X; /* keys i, i + lane_step, ... are equal modulo 16 */
    uint x = gl_LocalInvocationID.x;
    [[unroll]] for (uint r4 = 0; r4 < ROWS / 4; r4++) {
        vec4 p[KEYS]; /* of four rows */
        [[unroll]] for (uint r = 0; r < 4; r++) {
            uint row = r4 * 4 + r;
            uint block = block_maximum[own_row(row)];
            uint next = max(maximum[own_row(row)], block);
            counted[row] = block == KEY_NONE ? uvec2(0) : visible[row];
            [[unroll]] for (uint i = 0; i < KEYS; i++)
                p[i][r] = key_weight(masked_score(j, row, i), next);
        }
        [[unroll]] for (uint i = 0; i < KEYS; i++)
            weights[((x + i * LOCAL_X) * TILE_Q + own_row(0)) / 4 + r4] = p[i];
        [[unroll]] for (uint i = 0; i < lane_step; i++)
            lanes[((x + i * LOCAL_X) * TILE_Q + own_row(0)) / 4 + r4] =
                add(add(add(p[i], p[i + lane_step]), p[i + 2 * lane_step]), p[i + 3 * lane_step]);
    }
}

/* A row's sum of weights over the block: the contract's tree over 16 lanes */
float sum_lanes(uint row)
{
    float lane[16];
    [[unroll]] for (uint i = 0; i < 16; i++)
        lane[i] = lanes[(i * TILE_Q + row) / 4][row % 4];
    [[unroll]] for (uint width = 8; width > 0; width /= 2) {
        [[unroll]] for (uint i = 0; i < width; i++)
            lane[i] = add(lane[i], lane[i + width]);
    }
    return lane[0];
}

void update_rows()
{
    for (uint row = gl_LocalInvocationIndex; row < TILE_Q; row += THREADS) {
        uint next = max(maximum[row], block_maximum[row]);
        bool counts = block_maximum[row] != KEY_NONE;
        rescale[row] = counts ? weight_below(maximum[row], next) : 1.0;
        sum[row] = mac(sum[row], rescale[row], sum_lanes(row));
        maximum[row] = next;
        block_maximum[row] = KEY_NONE;
    }
}

void softmax_block(uint j)
{
    find_maxima(j);
    barrier();
    make_weights(j);
    barrier();
    update_rows();
    barrier();
}
