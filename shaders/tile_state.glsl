/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage store of tile.comp, and what carries a row from one dispatch to the next.
 */

uint own_column(uint i)
{
    return 4 * (gl_LocalInvocationID.x + i / 4 * LOCAL_X) + i % 4;
}

bool owns(uint row, uint i)
{
    return row_exists(row) && own_column(i) < DV;
}

uint row_state(uint row, bool merged)
{
    return state_at(head * push.n + first_row + row, merged);
}

void load_state()
{
    bool resume = has_flag(STATE_RESUME);
    for (uint row = gl_LocalInvocationIndex; row < TILE_Q; row += THREADS) {
        bool stored = resume && row_exists(row);
        maximum[row] = stored ? scratch[row_state(row, false)] : KEY_NONE;
        sum[row] = stored ? uintBitsToFloat(scratch[row_state(row, false) + 1]) : 0.0;
        block_maximum[row] = KEY_NONE;
    }
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint row = own_row(r);
        visible[r] = row_span(head, query_row(row));
        [[unroll]] for (uint i = 0; i < 4 * COLUMNS4; i++) {
            uint word = resume && owns(row, i) ? scratch[row_state(row, false) + 2 + own_column(i)]
                                               : 0;
            o[r * COLUMNS4 + i / 4][i % 4] = uintBitsToFloat(word);
        }
    }
    barrier();
}

void store_state()
{
    bool merged = has_flag(STATE_MERGE);
    for (uint row = gl_LocalInvocationIndex; row < TILE_Q; row += THREADS) {
        if (row_exists(row)) {
            scratch[row_state(row, merged)] = maximum[row];
            scratch[row_state(row, merged) + 1] = floatBitsToUint(sum[row]);
        }
    }
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint row = own_row(r);
        [[unroll]] for (uint i = 0; i < 4 * COLUMNS4; i++) {
            if (owns(row, i))
                scratch[row_state(row, merged) + 2 + own_column(i)] =
                    floatBitsToUint(o[r * COLUMNS4 + i / 4][i % 4]);
        }
    }
}

/* The state of this split joins that of the splits before. */
void merge_state()
{
    bool first = has_flag(STATE_FIRST);
    barrier();
    for (uint row = gl_LocalInvocationIndex; row < TILE_Q; row += THREADS) {
        bool stored = !first && row_exists(row);
        uint before = stored ? scratch[row_state(row, true)] : KEY_NONE;
        float sum_before = stored ? uintBitsToFloat(scratch[row_state(row, true) + 1]) : 0.0;
        uint next = max(before, maximum[row]);
        rescale[row] = maximum[row] == KEY_NONE ? 1.0 : weight_below(before, next);
        part_scale[row] = weight_below(maximum[row], next);
        sum[row] = mac(sum_before, rescale[row], multiply(sum[row], part_scale[row]));
        maximum[row] = next;
    }
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint row = own_row(r);
        [[unroll]] for (uint i = 0; i < 4 * COLUMNS4; i++) {
            uint word = !first && owns(row, i) ? scratch[row_state(row, true) + 2 + own_column(i)]
                                               : 0;
            float part = multiply(o[r * COLUMNS4 + i / 4][i % 4], part_scale[row]);
            o[r * COLUMNS4 + i / 4][i % 4] = mac(uintBitsToFloat(word), rescale[row], part);
        }
    }
}

void store_output()
{
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        uint row = own_row(r), row_maximum = maximum[row];
        float reciprocal = recip(sum[row]);
        [[unroll]] for (uint i = 0; i < 4 * COLUMNS4; i++) {
            if (owns(row, i))
                o_bits[(head * push.n + first_row + row) * DV + own_column(i)] =
                    output_word(o[r * COLUMNS4 + i / 4][i % 4], row_maximum, reciprocal);
        }
    }
}
