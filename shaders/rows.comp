/* SPDX-License-Identifier: Apache-2.0
 *
 * Online softmax, one query row per invocation: the formula row by row, with no thought for the
 * device. Neighbouring invocations want the same element of K and V at the same time, so a cache
 * serves them; but each holds a whole row of Q, of the output and of the scores of a block, which
 * is more than a GPU has registers for.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"
#include "common.glsl"

layout(constant_id = SPEC_LOCAL_X) const uint LOCAL_X = 64;

float query[D], weight[ATTN_BK], part[DV], o[DV];
uint maximum;
float sum;

void load_row(uint row)
{
    uint at = state_at(row);
    bool stored = has_flag(STATE_RESUME);
    for (uint c = 0; c < D; c++)
        query[c] = ELEMENT(q, push.q_at + piece_row(row) * D + c);
    for (uint c = 0; c < DV; c++)
        o[c] = stored ? uintBitsToFloat(scratch[at + 2 + c]) : 0.0;
    maximum = stored ? scratch[at] : KEY_NONE;
    sum = stored ? uintBitsToFloat(scratch[at + 1]) : 0.0;
}

/* Scores of the visible keys [from, to), and the greatest of them */
uint score_keys(uint from, uint to)
{
    uint greatest = KEY_NONE;
    for (uint key = from; key < to; key++) {
        uint at = push.k_at + (key_head(head) * push.m + key) * D;
        float t = 0.0;
        for (uint c = 0; c < D; c++)
            t = mac(query[c], ELEMENT(k, at + c), t);
        float score = multiply(t, uintBitsToFloat(push.s2));
        weight[key % ATTN_BK] = score;
        greatest = max(greatest, score_key(score));
    }
    return greatest;
}

/* Scores become weights; returns their sum in the order of the contract. */
float weigh_keys(uint from, uint to, uint next)
{
    float lane[16];
    for (uint i = 0; i < 16; i++)
        lane[i] = 0.0;
    for (uint key = from; key < to; key++) {
        float p = key_weight(score_key(weight[key % ATTN_BK]), next);
        weight[key % ATTN_BK] = p;
        lane[key % 16] = add(lane[key % 16], p);
    }
    for (uint width = 8; width > 0; width /= 2)
        for (uint i = 0; i < width; i++)
            lane[i] = add(lane[i], lane[i + width]);
    return lane[0];
}

/* Takes the row through the visible keys [from, to) of a block. */
void add_block(uint from, uint to)
{
    uint greatest = score_keys(from, to);
    if (greatest == KEY_NONE)
        return; /* a block that does not count leaves no trace */
    uint next = max(maximum, greatest);
    float rescale = weight_below(maximum, next);
    sum = mac(sum, rescale, weigh_keys(from, to, next));
    maximum = next;
    for (uint c = 0; c < DV; c++)
        part[c] = 0.0;
    for (uint key = from; key < to; key++) {
        uint at = push.v_at + (key_head(head) * push.m + key) * DV;
        for (uint c = 0; c < DV; c++)
            part[c] = mac(weight[key % ATTN_BK], ELEMENT(v, at + c), part[c]);
    }
    for (uint c = 0; c < DV; c++)
        o[c] = mac(o[c], rescale, part[c]);
}

void store_row(uint row)
{
    bool finish = has_flag(STATE_FINISH);
    uint at = finish ? push.out_at + piece_row(row) * DV : state_at(row);
    float reciprocal = recip(sum);
    if (!finish) {
        scratch[at] = maximum;
        scratch[at + 1] = floatBitsToUint(sum);
    }
    for (uint c = 0; c < DV; c++) {
        if (finish)
            o_bits[at + c] = output_word(o[c], maximum, reciprocal);
        else
            scratch[at + 2 + c] = floatBitsToUint(o[c]);
    }
}

void main()
{
    if (!find_tile(group_index(), LOCAL_X))
        return;
    uint row = first_row + gl_LocalInvocationID.x;
    if (row >= run_rows())
        return;
    load_row(row);
    uvec2 span = visible_range(row, 1);
    for (uint j = span.x / ATTN_BK * ATTN_BK; j < span.y; j += ATTN_BK)
        add_block(max(j, span.x), min(j + ATTN_BK, span.y));
    store_row(row);
}
