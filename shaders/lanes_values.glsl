/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage accumulate of lanes.comp, for the block of keys at j.
 */
float p[VALUE_KEYS * ROWS];    /* [key][row] */
bool shown[VALUE_KEYS * ROWS]; /* the same */

/* Column c of the rows, element i of the chunk. Hidden values must not even meet their zero
 * weights, since they may be NaN or infinite. Sums start from +0 and so never are -0: adding +0
 * changes no bit, and zeroing the product is cheaper than keeping the sum. */
void accumulate_element(uint c, uint i)
{
    [[unroll]] for (uint k = 0; k < VALUE_KEYS; k++) {
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

void load_weights(uint j, uint first, uint end)
{
    uint from = same(first) * ROWS;
    [[unroll]] for (uint k = 0; k < VALUE_KEYS; k++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float one = score_weight(score[from + k * ROWS + r], row_maximum[r]);
            p[k * ROWS + r] = first + k < end ? one : 0.0;
            shown[k * ROWS + r] = contains(visible[r], j + first + k);
        }
    }
}

void accumulate_keys(uint j, uint first, uint end)
{
    uint row[VALUE_KEYS];
    load_weights(j, first, end);
    [[unroll]] for (uint k = 0; k < VALUE_KEYS; k++)
        row[k] = unit_row(j + first + k, DV);
    [[unroll]] for (uint chunk = 0; chunk < (DV + CHUNK - 1) / CHUNK; chunk++) {
        [[unroll]] for (uint k = 0; k < VALUE_KEYS; k++) {
            uint unit = own_unit(row[k], chunk, DV);
            bool past_end = !MASKED && j + first + k >= push.m;
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
        accumulate_keys(j, first, end);
        first += VALUE_KEYS;
    } while (first < end);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        [[unroll]] for (uint c = 0; c < DV; c++) {
            float next = mac(o[r * DV + c], rescale[r], part[r * DV + c]);
            o[r * DV + c] = counts[r] ? next : o[r * DV + c];
        }
    }
}
