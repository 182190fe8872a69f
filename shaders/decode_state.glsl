/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages load and store of decode.comp, and what carries a row from one dispatch to the next.
 */
void load_state()
{
    bool resume = has_flag(STATE_RESUME);
    for (uint i = x; i < ROWS * D; i += ATTN_BK)
        queries[i] = ELEMENT(q, push.q_at + piece_row(query_row(i / D)) * D + i % D);
    if (x < ROWS) {
        uint at = state_at(query_row(x));
        maximum[x] = resume ? scratch[at] : KEY_NONE;
        sum[x] = resume ? uintBitsToFloat(scratch[at + 1]) : 0.0;
        block_maximum[x] = KEY_NONE;
    }
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        visible[r] = row_span(head, query_row(r));
        [[unroll]] for (uint i = 0; i < COLUMNS; i++) {
            uint c = x + i * ATTN_BK;
            o[r * COLUMNS + i] = 0.0;
            if (resume && c < DV)
                o[r * COLUMNS + i] = uintBitsToFloat(scratch[state_at(query_row(r)) + 2 + c]);
        }
    }
    barrier();
}

void store_state()
{
    bool finish = has_flag(STATE_FINISH);
    if (!finish && x < ROWS && row_exists(x)) {
        scratch[state_at(query_row(x))] = maximum[x];
        scratch[state_at(query_row(x)) + 1] = floatBitsToUint(sum[x]);
    }
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint row = query_row(r);
        float reciprocal = recip(sum[r]);
        [[unroll]] for (uint i = 0; i < COLUMNS; i++) {
            uint c = x + i * ATTN_BK;
            float value = o[r * COLUMNS + i];
            if (!row_exists(r) || c >= DV)
                continue;
            if (finish)
                o_bits[push.out_at + piece_row(row) * DV + c] =
                    output_word(value, maximum[r], reciprocal);
            else
                scratch[state_at(row) + 2 + c] = floatBitsToUint(value);
        }
    }
}
