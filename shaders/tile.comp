/* SPDX-License-Identifier: Apache-2.0
 *
 * Online softmax over a tile of queries, as in FlashAttention: a workgroup owns TILE_Q query rows
 * of one head and walks the keys in blocks of 64. Shared memory holds a slice of Q and K, then
 * the block's weights and some rows of V. Each invocation owns ROWS x KEYS scores of a block and
 * ROWS x COLUMNS outputs, so every sum runs inside one invocation, in the order of the contract,
 * whatever the sizes. Global memory sees K and V once per TILE_Q queries and no n x m matrix.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"
#include "common.glsl"
#include "registers.glsl"

layout(constant_id = SPEC_LOCAL_X) const uint LOCAL_X = 16; /* divides 16 */
layout(constant_id = SPEC_LOCAL_Y) const uint LOCAL_Y = 16;
layout(constant_id = SPEC_ROWS) const uint ROWS = 4; /* a multiple of 4 */

const uint THREADS = LOCAL_X * LOCAL_Y;
const uint TILE_Q = LOCAL_Y * ROWS;
const uint KEYS = ATTN_BK / LOCAL_X; /* keys x + i * LOCAL_X of a block */
const uint KEYS4 = KEYS / 4;
const uint COLUMNS4 = TILE_COLUMNS4(DV, LOCAL_X); /* columns 4 * (x + i * LOCAL_X) .. + 3 */
const uint PADDED_DV = 4 * COLUMNS4 * LOCAL_X;
const uint VALUE_ROWS = TILE_VALUE_ROWS(TILE_Q, PADDED_DV);

shared vec4 stage[TILE_STAGE(TILE_Q) / 4];
shared vec4 weights[ATTN_BK * TILE_Q / 4]; /* [key][row] */
shared vec4 lanes[16 * TILE_Q / 4];        /* [lane][row]: partial sums of weights */
/* Per row: the state of the online softmax but for the outputs, and the current block's part */
shared uint maximum[TILE_Q], block_maximum[TILE_Q];
shared float sum[TILE_Q], rescale[TILE_Q];

/* Registers of an invocation */
vec4 score[ROWS * KEYS4]; /* [row][key] */
vec4 o[ROWS * COLUMNS4];  /* [row][column] */
uvec2 visible[ROWS];      /* keys that each row sees */
uvec2 counted[ROWS];      /* the same, but none where the current block does not count */

uint own_row(uint r)
{
    return gl_LocalInvocationID.y * ROWS + r;
}

/* Rows past the end repeat the last one and are not stored. */
bool row_exists(uint row)
{
    return first_row + row < run_rows();
}

uint query_row(uint row)
{
    return min(first_row + row, run_rows() - 1);
}

#include "tile_scores.glsl"
#include "tile_softmax.glsl"
#include "tile_values.glsl"
#include "tile_state.glsl"

void main()
{
    if (!find_tile(group_index(), TILE_Q))
        return;
    load_state();
    uvec2 range = visible_range(first_row, TILE_Q);
    for (uint j = range.x / ATTN_BK * ATTN_BK; j < range.y; j += ATTN_BK) {
        score_block(j);
        softmax_block(j);
        accumulate_block(j);
    }
    if (has_flag(STATE_FINISH))
        store_output();
    else
        store_state();
}
