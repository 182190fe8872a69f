/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages load and store of lanes.comp, and what carries a row from one dispatch to the next.
 */
void load_queries()
{
    for (uint c = 0; c < D; c++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float value = ELEMENT(q, global_row(r) * D + c);
            PUT(query, r * D, D, c, value);
        }
    }
}

void load_state()
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        bool stored = has_flag(STATE_RESUME) && row_exists(r);
        uint at = state_at(global_row(r), false);
        visible[r] = row_span(head, query_row(r));
        maximum[r] = stored ? scratch[at] : KEY_NONE;
        sum[r] = stored ? uintBitsToFloat(scratch[at + 1]) : 0.0;
    }
    [[unroll]] for (uint i = 0; i < ROWS * DV; i++)
        o[i] = 0.0;
    for (uint c = 0; has_flag(STATE_RESUME) && c < DV; c++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            if (row_exists(r)) {
                float value = uintBitsToFloat(scratch[state_at(global_row(r), false) + 2 + c]);
                PUT(o, r * DV, DV, c, value);
            }
        }
    }
}

/* The state of this split joins that of the splits before. */
void merge_state()
{
    bool first = has_flag(STATE_FIRST);
    float a[ROWS], b[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        bool stored = !first && row_exists(r);
        uint at = state_at(global_row(r), true);
        uint before = stored ? scratch[at] : KEY_NONE;
        float sum_before = stored ? uintBitsToFloat(scratch[at + 1]) : 0.0;
        uint next = max(before, maximum[r]);
        a[r] = maximum[r] == KEY_NONE ? 1.0 : weight_below(before, next);
        b[r] = weight_below(maximum[r], next);
        sum[r] = mac(sum_before, a[r], multiply(sum[r], b[r]));
        maximum[r] = next;
    }
    for (uint c = 0; c < DV; c++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float value = 0.0, before = 0.0;
            if (!first && row_exists(r))
                before = uintBitsToFloat(scratch[state_at(global_row(r), true) + 2 + c]);
            TAKE(o, r * DV, DV, c, value);
            value = mac(before, a[r], multiply(value, b[r]));
            PUT(o, r * DV, DV, c, value);
        }
    }
}

void store_state()
{
    bool merged = has_flag(STATE_MERGE);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        if (row_exists(r)) {
            scratch[state_at(global_row(r), merged)] = maximum[r];
            scratch[state_at(global_row(r), merged) + 1] = floatBitsToUint(sum[r]);
        }
    }
    for (uint c = 0; c < DV; c++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            float value = 0.0;
            TAKE(o, r * DV, DV, c, value);
            if (row_exists(r))
                scratch[state_at(global_row(r), merged) + 2 + c] = floatBitsToUint(value);
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
            if (row_exists(r))
                o_bits[global_row(r) * DV + c] = output_word(value, maximum[r], reciprocal[r]);
        }
    }
}
