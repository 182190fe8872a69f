/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages scores and mask of lanes.comp, for the keys [j, j + end) of a block.
 *
 * Loops over keys have their condition at the end: a driver that runs all lanes under a mask runs
 * the body of any other loop once more, with the mask empty.
 */
float t[KEYS * ROWS]; /* scores of a step: [key][row] */

bool contains(uvec2 span, uint key)
{
    return key >= span.x && key < span.y;
}

/* The same value in every lane, visibly so: an address for all of them. */
uint same(uint value)
{
    return subgroupShuffle(value, 0u);
}

/* Element c of the rows, i of the chunk */
void multiply_element(uint c, uint i)
{
    [[unroll]] for (uint k = 0; k < KEYS; k++) {
        float element = chunk_element(k, i);
        [[unroll]] for (uint r = 0; r < ROWS; r++)
            t[k * ROWS + r] = mac(query[r * D + c], element, t[k * ROWS + r]);
    }
}

void multiply_keys(uint key)
{
    uint row[KEYS];
    [[unroll]] for (uint k = 0; k < KEYS; k++)
        row[k] = unit_row(push.k_at, key + k, D);
    [[unroll]] for (uint i = 0; i < KEYS * ROWS; i++)
        t[i] = 0.0;
    [[unroll]] for (uint chunk = 0; chunk < (D + CHUNK - 1) / CHUNK; chunk++) {
        [[unroll]] for (uint k = 0; k < KEYS; k++) {
            uint unit = own_unit(row[k], chunk, D);
            keep_own(texelFetch(k_texels, texel_of(unit)), unit, k, false);
        }
        [[unroll]] for (uint i = 0; i < CHUNK; i++) {
            if (chunk * CHUNK + i < D)
                multiply_element(chunk * CHUNK + i, i);
        }
    }
}

void mask_keys(uint key)
{
    [[unroll]] for (uint k = 0; k < KEYS; k++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float scaled = multiply(t[k * ROWS + r], uintBitsToFloat(push.s2));
            bool is_visible = contains(visible[r], key + k);
            t[k * ROWS + r] = is_visible ? scaled : uintBitsToFloat(ATTN_NEG_INF_BITS);
            block_maximum[r] = max(block_maximum[r], score_key(t[k * ROWS + r]));
        }
    }
}

/* `score` is the one array that is indexed freely: drivers write it lane by lane, with branches,
 * and then defer each chain of sums to the place of its write, where nothing overlaps it. So the
 * address waits for all sums: no maximum is 0, but no compiler knows. */
void store_scores(uint first)
{
    bool never = false;
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        never = never || block_maximum[r] == 0;
    uint at = same(never ? ATTN_BK : first) * ROWS;
    [[unroll]] for (uint i = 0; i < KEYS * ROWS; i++)
        score[at + i] = t[i];
}

void score_block(uint j, uint end)
{
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        block_maximum[r] = KEY_NONE;
    uint first = 0;
    [[dont_unroll]] do {
        multiply_keys(j + first);
        mask_keys(j + first);
        store_scores(first);
        first += KEYS;
    } while (first < end);
}
