/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages load and store of lanes.comp, and what carries a row from one dispatch to the next.
 */
void load_state()
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        bool resume = has_flag(STATE_RESUME) && row_exists(r);
        uint at = state_at(global_row(r), false);
        visible[r] = row_span(head, query_row(r));
        maximum[r] = resume ? scratch[at] : KEY_NONE;
        sum[r] = resume ? uintBitsToFloat(scratch[at + 1]) : 0.0;
        [[unroll]] for (uint c = 0; c < D; c++)
            query[r * D + c] = q[global_row(r) * D + c];
        [[unroll]] for (uint c = 0; c < DV; c++)
            o[r * DV + c] = resume ? uintBitsToFloat(scratch[at + 2 + c]) : 0.0;
    }
}

/* The state of this split joins that of the splits before. */
void merge_state()
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        bool stored = !has_flag(STATE_FIRST) && row_exists(r);
        uint at = state_at(global_row(r), true);
        uint before = stored ? scratch[at] : KEY_NONE;
        uint next = max(before, maximum[r]);
        float a = maximum[r] == KEY_NONE ? 1.0 : weight_below(before, next);
        float b = weight_below(maximum[r], next);
        float sum_before = stored ? uintBitsToFloat(scratch[at + 1]) : 0.0;
        sum[r] = mac(sum_before, a, multiply(sum[r], b));
        maximum[r] = next;
        [[unroll]] for (uint c = 0; c < DV; c++) {
            float o_before = stored ? uintBitsToFloat(scratch[at + 2 + c]) : 0.0;
            o[r * DV + c] = mac(o_before, a, multiply(o[r * DV + c], b));
        }
    }
}

void store_state()
{
    bool merged = has_flag(STATE_MERGE);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint at = state_at(global_row(r), merged);
        if (row_exists(r)) {
            scratch[at] = maximum[r];
            scratch[at + 1] = floatBitsToUint(sum[r]);
            [[unroll]] for (uint c = 0; c < DV; c++)
                scratch[at + 2 + c] = floatBitsToUint(o[r * DV + c]);
        }
    }
}

void store_output()
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        float reciprocal = recip(sum[r]);
        if (row_exists(r)) {
            [[unroll]] for (uint c = 0; c < DV; c++)
                o_bits[global_row(r) * DV + c] =
                    output_word(o[r * DV + c], maximum[r], reciprocal);
        }
    }
}
