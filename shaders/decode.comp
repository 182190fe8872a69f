/* SPDX-License-Identifier: Apache-2.0
 *
 * Online softmax for few query rows, as when tokens are generated one by one: a workgroup takes
 * ROWS rows, of all query heads that share a key head, through one split of the keys, and reads
 * each element of K and V once. An invocation makes the scores of one key of a block, then the
 * outputs of every 64th column. With a row or two per head, the splits are what fills a device:
 * merge.comp joins them in order.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"
#include "common.glsl"

layout(constant_id = SPEC_ROWS) const uint ROWS = 8;

const uint COLUMNS = DECODE_COLUMNS(DV); /* columns x + i * 64 */
const uint PADDED_BK = ATTN_BK + 1;      /* so that a column of keys lies in as many banks */

shared float queries[ROWS * D];
shared float stage[DECODE_SLICE * PADDED_BK]; /* a slice of K: [element][key] */
shared float weights[ROWS * ATTN_BK];
shared float lanes[ROWS * 16]; /* partial sums of weights */
shared uint maximum[ROWS], block_maximum[ROWS];
shared float sum[ROWS], rescale[ROWS];

float score[ROWS];
float o[ROWS * COLUMNS], part[ROWS * COLUMNS];
uvec2 visible[ROWS]; /* keys that each row sees */
uint x;              /* of the invocation */

/* Rows past the end repeat the last one and are not stored. */
bool row_exists(uint r)
{
    return first_row + r < run_rows();
}

uint query_row(uint r)
{
    return min(first_row + r, run_rows() - 1);
}

bool contains(uvec2 span, uint key)
{
    return key >= span.x && key < span.y;
}

#include "decode_block.glsl"
#include "decode_state.glsl"

void main()
{
    x = gl_LocalInvocationID.x;
    if (!find_tile(group_index(), ROWS))
        return;
    load_state();
    uvec2 range = visible_range(first_row, ROWS);
    for (uint j = range.x / ATTN_BK * ATTN_BK; j < range.y; j += ATTN_BK) {
        score_block(j);
        softmax_block(j);
        accumulate_block(j);
    }
    store_state();
}
