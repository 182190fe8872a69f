/* SPDX-License-Identifier: Apache-2.0
 *
 * Online softmax with whole rows in registers: an invocation owns ROWS query rows, their scores
 * of a block of keys and their outputs. Nothing is shared but loads: each of WIDTH neighbouring
 * lanes reads one element of a key (or value) row, and a shuffle with a constant lane hands it to
 * all. No shared memory, no barrier.
 *
 * Made for drivers that run on the CPU, where a load is a loop over the lanes with a bounds check
 * and costs more than a dozen multiply-adds, and a shuffle is one instruction. K and V come
 * through texel buffers: llvmpipe gathers those without branches. On lavapipe 22.3, two threads:
 * 24 GFLOP/s where tile.comp reaches 4 and a register-only loop 105. More rows per invocation
 * would be a little faster, but compile for many seconds. A GPU would spill these registers.
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

layout(constant_id = SPEC_LOCAL_X) const uint LOCAL_X = 32;
layout(constant_id = SPEC_ROWS) const uint ROWS = 4;
layout(constant_id = SPEC_WIDTH) const uint WIDTH = 8; /* at most the subgroup's size */

const uint TILE_Q = LOCAL_X * ROWS;

layout(binding = BIND_K_TEXELS) uniform utextureBuffer k_texels;
layout(binding = BIND_V_TEXELS) uniform utextureBuffer v_texels;

float query[ROWS * D];
float weight[ROWS * ATTN_BK]; /* first the scores */
float o[ROWS * DV];
float part[ROWS * DV]; /* weighted values of the current block, as o */
uint maximum[ROWS], block_maximum[ROWS];
float sum[ROWS], rescale[ROWS];
uvec2 visible[ROWS]; /* keys that each row sees */
uvec2 counted[ROWS]; /* the same, but none where the current block does not count */

/* Rows past the end repeat the last one and are not stored. */
bool row_exists(uint r)
{
    return first_row + r * LOCAL_X + gl_LocalInvocationID.x < run_rows();
}

uint query_row(uint r)
{
    return min(first_row + r * LOCAL_X + gl_LocalInvocationID.x, run_rows() - 1);
}

#include "lanes_block.glsl"
#include "lanes_state.glsl"

void main()
{
    if (!find_tile(group_index(), TILE_Q))
        return;
    load_queries();
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
