/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage store of tile.comp, and what carries a row from one dispatch to the next.
 */

/* Column i of this invocation, 0 <= i < 4 * COLUMNS4 */
uint own_column(uint i)
{
    return 4 * (gl_LocalInvocationID.x + i / 4 * LOCAL_X) + i % 4;
}

bool owns(uint row, uint i)
{
    return row_exists(row) && own_column(i) < DV;
}

float own_value(uint r, uint i)
{
    vec4 four = vec4(0.0);
    TAKE(o, r * COLUMNS4, COLUMNS4, i / 4, four);
    return four[i % 4];
}

void set_own_value(uint r, uint i, float value)
{
    vec4 four = vec4(0.0);
    TAKE(o, r * COLUMNS4, COLUMNS4, i / 4, four);
    four[i % 4] = value;
    PUT(o, r * COLUMNS4, COLUMNS4, i / 4, four);
}

uint row_state(uint row)
{
    return state_at(first_row + row);
}

void load_state()
{
    bool resume = has_flag(STATE_RESUME);
    for (uint row = gl_LocalInvocationIndex; row < TILE_Q; row += THREADS) {
        bool stored = resume && row_exists(row);
        maximum[row] = stored ? scratch[row_state(row)] : KEY_NONE;
        sum[row] = stored ? uintBitsToFloat(scratch[row_state(row) + 1]) : 0.0;
        block_maximum[row] = KEY_NONE;
    }
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        visible[r] = row_span(head, query_row(own_row(r)));
    [[unroll]] for (uint i = 0; i < ROWS * COLUMNS4; i++)
        o[i] = vec4(0.0);
    for (uint i = 0; resume && i < 4 * COLUMNS4; i++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            uint at = row_state(own_row(r)) + 2 + own_column(i);
            if (owns(own_row(r), i))
                set_own_value(r, i, uintBitsToFloat(scratch[at]));
        }
    }
    barrier();
}

void store_state()
{
    for (uint row = gl_LocalInvocationIndex; row < TILE_Q; row += THREADS) {
        if (row_exists(row)) {
            scratch[row_state(row)] = maximum[row];
            scratch[row_state(row) + 1] = floatBitsToUint(sum[row]);
        }
    }
    for (uint i = 0; i < 4 * COLUMNS4; i++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            uint at = row_state(own_row(r)) + 2 + own_column(i);
            if (owns(own_row(r), i))
                scratch[at] = floatBitsToUint(own_value(r, i));
        }
    }
}

void store_output()
{
    for (uint i = 0; i < 4 * COLUMNS4; i++) {
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            uint row = own_row(r);
            uint at = push.out_at + piece_row(first_row + row) * DV + own_column(i);
            if (owns(row, i))
                o_bits[at] = output_word(own_value(r, i), maximum[row], recip(sum[row]));
        }
    }
}
