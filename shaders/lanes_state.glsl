/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages load and store of lanes.comp, and what carries a row from one dispatch to the next.
 */
void load_queries()
{
    for (uint c = 0; c < D; c++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float value = ELEMENT(q, push.q_at + piece_row(query_row(r)) * D + c);
            PUT(query, r * D, D, c, value);
        }
    }
}

void load_state()
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        bool stored = has_flag(STATE_RESUME) && row_exists(r);
        uint at = state_at(query_row(r));
        visible[r] = row_span(head, query_row(r));
        maximum[r] = stored ? scratch[at] : KEY_NONE;
        sum[r] = stored ? uintBitsToFloat(scratch[at + 1]) : 0.0;
    }
    [[unroll]] for (uint i = 0; i < ROWS * DV; i++)
        o[i] = 0.0;
    for (uint c = 0; has_flag(STATE_RESUME) && c < DV; c++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            if (row_exists(r)) {
                float value = uintBitsToFloat(scratch[state_at(query_row(r)) + 2 + c]);
                PUT(o, r * DV, DV, c, value);
            }
        }
    }
}

void store_state()
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        if (row_exists(r)) {
            scratch[state_at(query_row(r))] = maximum[r];
            scratch[state_at(query_row(r)) + 1] = floatBitsToUint(sum[r]);
        }
    }
    for (uint c = 0; c < DV; c++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float value = 0.0;
            TAKE(o, r * DV, DV, c, value);
            if (row_exists(r))
                scratch[state_at(query_row(r)) + 2 + c] = floatBitsToUint(value);
        }
    }
}

void store_output()
{
    float reciprocal[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        reciprocal[r] = recip(sum[r]);
    for (uint c = 0; c < DV; c++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float value = 0.0;
            TAKE(o, r * DV, DV, c, value);
            uint at = push.out_at + piece_row(query_row(r)) * DV + c;
            if (row_exists(r))
                o_bits[at] = output_word(value, maximum[r], reciprocal[r]);
        }
    }
}
