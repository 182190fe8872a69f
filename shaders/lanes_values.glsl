/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage accumulate of lanes.comp, for the keys [j, j + end) of a block.
 */
float p[KEYS * ROWS];    /* weights of a step: [key][row] */
bool shown[KEYS * ROWS]; /* whether they count, as p */

/* Column c of the rows, element i of the chunk. Hidden values must not even meet their zero
 * weights, since they may be NaN or infinite. Sums start from +0 and so never are -0: adding +0
 * changes no bit, and zeroing the product is cheaper than keeping the sum. */
void accumulate_element(uint c, uint i)
{
    [[unroll]] for (uint k = 0; k < KEYS; k++) {
        float element = chunk_element(k, i);
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            uint pair = k * ROWS + r, at = r * DV + c;
#ifdef CONTRACT_F
            float next = mac(p[pair], element, part[at]);
            part[at] = !MASKED || shown[pair] ? next : part[at];
#else
            float product = multiply(p[pair], element);
            part[at] = add(part[at], !MASKED || shown[pair] ? product : 0.0);
#endif
        }
    }
}

void make_weights(uint j, uint first, uint end)
{
    uint at = same(first) * ROWS;
    [[unroll]] for (uint k = 0; k < KEYS; k++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            p[k * ROWS + r] = block_weight(at + k * ROWS + r, first + k, end, r);
            shown[k * ROWS + r] = contains(visible[r], j + first + k);
        }
    }
}

void accumulate_keys(uint key)
{
    uint row[KEYS];
    [[unroll]] for (uint k = 0; k < KEYS; k++)
        row[k] = unit_row(push.v_at, key + k, DV);
    [[unroll]] for (uint chunk = 0; chunk < (DV + CHUNK - 1) / CHUNK; chunk++) {
        [[unroll]] for (uint k = 0; k < KEYS; k++) {
            uint unit = own_unit(row[k], chunk, DV);
            bool past_end = !MASKED && key + k >= push.m;
            keep_own(texelFetch(v_texels, texel_of(unit)), unit, k, past_end);
        }
        [[unroll]] for (uint i = 0; i < CHUNK; i++) {
            if (chunk * CHUNK + i < DV)
                accumulate_element(chunk * CHUNK + i, i);
        }
    }
}

void accumulate_block(uint j, uint end)
{
    [[unroll]] for (uint i = 0; i < ROWS * DV; i++)
        part[i] = 0.0;
    uint first = 0;
    [[dont_unroll]] do {
        make_weights(j, first, end);
        accumulate_keys(j + first);
        first += KEYS;
    } while (first < end);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        [[unroll]] for (uint c = 0; c < DV; c++) {
            float next = mac(o[r * DV + c], rescale[r], part[r * DV + c]);
            o[r * DV + c] = counts[r] ? next : o[r * DV + c];
        }
    }
}
