/* SPDX-License-Identifier: Apache-2.0
 *
 * The textbook in three passes over an n x m score matrix in global memory: scores, softmax by
 * rows, weighted sum of values. One invocation makes one score, one row's weights, or one output
 * element, and reads all it needs from global memory: this is the traffic that tiling saves. The
 * arithmetic is the contract's, so the online softmax's block factors are kept beside the scores.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"
#include "common.glsl"

layout(constant_id = SPEC_PASS) const uint PASS = NAIVE_SCORES;

const uint BLOCK_HIDDEN = 0xffffffffu; /* in place of a factor: the block does not count */

/* Rows are those of the piece. */
uint score_at(uint row, uint key)
{
    return row * push.m + key;
}

uint factors_at(uint row)
{
    uint blocks = (push.m + ATTN_BK - 1) / ATTN_BK;
    uint splits = (push.m + push.split - 1) / push.split;
    return push.rows * push.m + row * NAIVE_FACTORS(blocks, splits);
}

uint splits_at(uint row)
{
    return factors_at(row) + (push.m + ATTN_BK - 1) / ATTN_BK;
}

uint result_at(uint row)
{
    return factors_at(row + 1) - 2;
}

void scores(uint item)
{
    uint row = item / push.m, key = item % push.m;
    uint query = push.q_at + row * D;
    uint from = push.k_at + (key_head(row / push.n) * push.m + key) * D;
    float t = 0.0;
    for (uint c = 0; c < D; c++)
        t = mac(ELEMENT(q, query + c), ELEMENT(k, from + c), t);
    scratch[score_at(row, key)] = floatBitsToUint(multiply(t, uintBitsToFloat(push.s2)));
}

/* Weights of the block's visible keys [from, to), relative to the row maximum so far; their sum in
 * the order of the contract. */
float block_weights(uint row, uint block, uint from, uint to, uint maximum)
{
    float lane[16];
    for (uint i = 0; i < 16; i++)
        lane[i] = 0.0;
    for (uint key = from; key < to; key++) {
        uint at = score_at(row, key);
        float p = key_weight(score_key(uintBitsToFloat(scratch[at])), maximum);
        scratch[at] = floatBitsToUint(p);
        lane[key % 16] = add(lane[key % 16], p);
    }
    for (uint width = 8; width > 0; width /= 2)
        for (uint i = 0; i < width; i++)
            lane[i] = add(lane[i], lane[i + width]);
    return lane[0];
}

void softmax(uint row)
{
    uvec2 span = row_span(row / push.n, row);
    uint total_maximum = KEY_NONE;
    float total = 0.0;
    for (uint split = 0; split * push.split < push.m; split++) {
        uint end = min(push.m, (split + 1) * push.split);
        uint maximum = KEY_NONE;
        float sum = 0.0;
        for (uint j = split * push.split; j < end; j += ATTN_BK) {
            uint from = max(j, span.x), to = min(min(end, j + ATTN_BK), span.y);
            uint block_maximum = KEY_NONE;
            for (uint key = from; key < to; key++)
                block_maximum = max(block_maximum,
                                    score_key(uintBitsToFloat(scratch[score_at(row, key)])));
            uint factor = BLOCK_HIDDEN;
            if (block_maximum != KEY_NONE) {
                uint next = max(maximum, block_maximum);
                float a = weight_below(maximum, next);
                sum = mac(sum, a, block_weights(row, j, from, to, next));
                maximum = next;
                factor = floatBitsToUint(a);
            }
            scratch[factors_at(row) + j / ATTN_BK] = factor;
        }
        uint next = max(total_maximum, maximum);
        float a = maximum == KEY_NONE ? 1.0 : weight_below(total_maximum, next);
        float b = weight_below(maximum, next);
        total = mac(total, a, multiply(sum, b));
        total_maximum = next;
        scratch[splits_at(row) + 2 * split] = floatBitsToUint(a);
        scratch[splits_at(row) + 2 * split + 1] = floatBitsToUint(b);
    }
    scratch[result_at(row)] = total_maximum;
    scratch[result_at(row) + 1] = floatBitsToUint(recip(total));
}

void values(uint item)
{
    uint row = item / DV, c = item % DV;
    uvec2 span = row_span(row / push.n, row);
    uint from = push.v_at + key_head(row / push.n) * push.m * DV + c;
    float total = 0.0;
    for (uint split = 0; split * push.split < push.m; split++) {
        uint end = min(push.m, (split + 1) * push.split);
        float o = 0.0;
        for (uint j = split * push.split; j < end; j += ATTN_BK) {
            uint factor = scratch[factors_at(row) + j / ATTN_BK];
            if (factor == BLOCK_HIDDEN)
                continue;
            float u = 0.0;
            for (uint key = max(j, span.x); key < min(min(end, j + ATTN_BK), span.y); key++)
                u = mac(uintBitsToFloat(scratch[score_at(row, key)]),
                        ELEMENT(v, from + key * DV), u);
            o = mac(o, uintBitsToFloat(factor), u);
        }
        float a = uintBitsToFloat(scratch[splits_at(row) + 2 * split]);
        float b = uintBitsToFloat(scratch[splits_at(row) + 2 * split + 1]);
        total = mac(total, a, multiply(o, b));
    }
    o_bits[push.out_at + row * DV + c] = output_word(
        total, scratch[result_at(row)], uintBitsToFloat(scratch[result_at(row) + 1]));
}

void main()
{
    uint item = group_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (group_index() >= push.group_end)
        return;
    if (PASS == NAIVE_SCORES && item < push.rows * push.m)
        scores(item);
    if (PASS == NAIVE_SOFTMAX && item < push.rows)
        softmax(item);
    if (PASS == NAIVE_VALUES && item < push.rows * DV)
        values(item);
}
