/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage accumulate of tile.comp: some rows of V at a time take the place of Q and K in shared
 * memory.
 */
const uint VALUES4 = PADDED_DV / 4; /* vec4 of a row of V */

vec4 part[ROWS * COLUMNS4]; /* weighted values of the current block, as o */

void load_values(uint j, uint rows)
{
    for (uint i = gl_LocalInvocationIndex; i < rows * PADDED_DV; i += THREADS) {
        uint key = j + i / PADDED_DV, c = i % PADDED_DV;
        stage[i / 4][i % 4] = value_element(key, c);
    }
}

/* Adds the weighted row `slot` of the stage; hidden keys must not even meet their zero weights,
 * since V may hold NaN or infinities there. */
void add_values(uint key, uint slot, uint weight_at, bool all_visible)
{
    vec4 values[COLUMNS4];
    [[unroll]] for (uint i = 0; i < COLUMNS4; i++)
        values[i] = stage[slot * VALUES4 + gl_LocalInvocationID.x + i * LOCAL_X];
    [[unroll]] for (uint r4 = 0; r4 < ROWS / 4; r4++) {
        vec4 p = weights[weight_at + r4];
        [[unroll]] for (uint r = 0; r < 4; r++) {
            uvec2 span = counted[r4 * 4 + r];
            bool shown = all_visible || key >= span.x && key < span.y;
            [[unroll]] for (uint i = 0; i < COLUMNS4; i++) {
                uint at = (r4 * 4 + r) * COLUMNS4 + i;
                vec4 next = mac(vec4(p[r]), values[i], part[at]);
                part[at] = shown ? next : part[at];
            }
        }
    }
}

void accumulate_block(uint j)
{
    bool all_visible = true;
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        all_visible = all_visible && counted[r].x <= j && j + ATTN_BK <= counted[r].y;
    [[unroll]] for (uint i = 0; i < ROWS * COLUMNS4; i++)
        part[i] = vec4(0.0);

    for (uint first = 0; first < ATTN_BK; first += VALUE_ROWS) {
        uint rows = min(VALUE_ROWS, ATTN_BK - first);
        load_values(j + first, rows);
        barrier();
        for (uint slot = 0; slot < rows; slot++) {
            uint weight_at = ((first + slot) * TILE_Q + own_row(0)) / 4;
            add_values(j + first + slot, slot, weight_at, all_visible);
        }
        barrier();
    }

    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        [[unroll]] for (uint i = 0; i < COLUMNS4; i++) {
            uint at = r * COLUMNS4 + i;
            o[at] = mac(o[at], vec4(rescale[own_row(r)]), part[at]);
        }
    }
}
