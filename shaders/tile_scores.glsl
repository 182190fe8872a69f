/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages load and scores of tile.comp: Q and K pass through shared memory in slices of TILE_SLICE
 * head elements, transposed, so that one vec4 holds one element of four rows or four keys.
 */
const uint K_STAGE = TILE_SLICE * TILE_Q / 4; /* where the slice of K starts */

/* Elements past the head size are zero on both sides and change nothing. */
void load_slice(uint j, uint c0)
{
    for (uint i = gl_LocalInvocationIndex; i < TILE_SLICE * TILE_Q; i += THREADS) {
        uint row = i / TILE_SLICE, c = i % TILE_SLICE;
        uint at = push.q_at + piece_row(query_row(row)) * D + c0 + c;
        float value = 0.0;
        if (c0 + c < D)
            value = ELEMENT(q, at);
        stage[(c * TILE_Q + row) / 4][row % 4] = value;
    }
    for (uint i = gl_LocalInvocationIndex; i < TILE_SLICE * ATTN_BK; i += THREADS) {
        uint key = i / TILE_SLICE, c = i % TILE_SLICE;
        uint slot = key % LOCAL_X * KEYS + key / LOCAL_X; /* an invocation's keys side by side */
        stage[K_STAGE + (c * ATTN_BK + slot) / 4][slot % 4] = key_element(j + key, c0 + c);
    }
}

void multiply_slice()
{
    for (uint c = 0; c < TILE_SLICE; c++) {
        vec4 keys[KEYS4];
        [[unroll]] for (uint i = 0; i < KEYS4; i++)
            keys[i] = stage[K_STAGE + c * (ATTN_BK / 4) + gl_LocalInvocationID.x * KEYS4 + i];
        [[unroll]] for (uint r4 = 0; r4 < ROWS / 4; r4++) {
            vec4 rows = stage[(c * TILE_Q + own_row(0)) / 4 + r4];
            [[unroll]] for (uint r = 0; r < 4; r++) {
                [[unroll]] for (uint i = 0; i < KEYS4; i++) {
                    uint at = (r4 * 4 + r) * KEYS4 + i;
                    score[at] = mac(vec4(rows[r]), keys[i], score[at]);
                }
            }
        }
    }
}

void score_block(uint j)
{
    [[unroll]] for (uint i = 0; i < ROWS * KEYS4; i++)
        score[i] = vec4(0.0);
    for (uint c0 = 0; c0 < D; c0 += TILE_SLICE) {
        load_slice(j, c0);
        barrier();
        multiply_slice();
        barrier();
    }
    [[unroll]] for (uint i = 0; i < ROWS * KEYS4; i++)
        score[i] = multiply(score[i], vec4(uintBitsToFloat(push.s2)));
}
