/* SPDX-License-Identifier: Apache-2.0
 *
 * Online softmax with whole rows in registers: an invocation owns ROWS query rows, their scores
 * of a block of keys and their outputs. Nothing is shared but loads: each of WIDTH neighbouring
 * lanes reads a part of a key (or value) row, and shuffles with a constant lane hand its elements
 * to all. No shared memory, no barrier; a workgroup is no larger than a subgroup need be.
 *
 * Made for drivers that run on the CPU, where a load costs more than a dozen multiply-adds and a
 * shuffle one or two instructions. K and V come through texel buffers, which llvmpipe gathers
 * without branches. Each step of a few keys keeps its sums in registers; all indices are
 * constant but those of the scores. docs/gpu-kernels.md says what each choice is worth. More rows
 * per invocation are hardly faster and compile for seconds. A GPU would spill these registers.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"
#include "common.glsl"
#include "registers.glsl"

layout(constant_id = SPEC_LOCAL_X) const uint LOCAL_X = 8;
layout(constant_id = SPEC_ROWS) const uint ROWS = 4;
layout(constant_id = SPEC_WIDTH) const uint WIDTH = 8; /* at most the subgroup's size */
layout(constant_id = SPEC_TEXEL_WORDS) const uint TEXEL_WORDS = 1; /* or 4 */
layout(constant_id = SPEC_MASKED) const bool MASKED = true; /* false: all rows see all keys */

const uint TILE_Q = LOCAL_X * ROWS;
const uint KEYS = LANES_KEYS; /* of one step: sums stay in registers meanwhile */

float query[ROWS * D];
float score[ATTN_BK * ROWS]; /* of the current block: [key][row] */
float o[ROWS * DV];
float part[ROWS * DV]; /* weighted values of the current block, as o */
uint maximum[ROWS], block_maximum[ROWS];
float sum[ROWS], rescale[ROWS];
uvec2 visible[ROWS]; /* keys that each row sees */
bool counts[ROWS];   /* whether the current block does, for each row */

/* Of the workgroup */
uint first_key;
uint own_lane; /* of WIDTH */

/* Rows past the end repeat the last one and are not stored. */
bool row_exists(uint r)
{
    return first_row + r * LOCAL_X + gl_LocalInvocationID.x < run_rows();
}

uint query_row(uint r)
{
    return min(first_row + r * LOCAL_X + gl_LocalInvocationID.x, run_rows() - 1);
}

#include "lanes_fetch.glsl"
#include "lanes_scores.glsl"
#include "lanes_softmax.glsl"
#include "lanes_values.glsl"
#include "lanes_state.glsl"

void main()
{
    if (!find_tile(group_index(), TILE_Q))
        return;
    first_key = key_head(head) * push.m;
    own_lane = gl_SubgroupInvocationID % WIDTH;

    load_queries();
    load_state();
    uvec2 range = visible_range(first_row, TILE_Q);
    for (uint j = range.x / ATTN_BK * ATTN_BK; j < range.y; j += ATTN_BK) {
        uint end = min(ATTN_BK, range.y - j);
        score_block(j, end);
        softmax_block(end);
        accumulate_block(j, end);
    }
    if (has_flag(STATE_FINISH))
        store_output();
    else
        store_state();
}
