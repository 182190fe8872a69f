/* SPDX-License-Identifier: Apache-2.0
 *
 * A query row per invocation, and nothing shared: the example of docs/adding-a-kernel.md. The line
 * below tells attnmark what to dispatch: workgroups of 32 invocations, each of one row.
 */
// attnmark: plan=lanes local=32 rows=1 story="online softmax, plainly: a query row per invocation"
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"
#include "common.glsl"

float weight[ATTN_BK]; /* first the scores */
float o[DV], part[DV];
uint maximum = KEY_NONE;
float sum = 0.0;

/* Keys [from, to) of the block at j, of the rows of K that begin at `keys`. Loops over a row are
 * unrolled, as the plan expects. */
uint score_block(uint query, uint keys, uint j, uint from, uint to)
{
    uint highest = KEY_NONE;
    for (uint key = from; key < to; key++) {
        float t = 0.0;
        [[unroll]] for (uint c = 0; c < D; c++)
            t = mac(ELEMENT(q, query * D + c), ELEMENT(k, (keys + key) * D + c), t);
        weight[key - j] = multiply(t, uintBitsToFloat(push.s2));
        highest = max(highest, score_key(weight[key - j]));
    }
    return highest;
}

/* Scores become weights; returns their sum in the order of the contract: 16 lanes, then a tree. */
float make_weights(uint j, uint from, uint to, uint highest)
{
    float lane[16];
    for (uint i = 0; i < 16; i++)
        lane[i] = 0.0;
    for (uint key = from; key < to; key++) {
        weight[key - j] = key_weight(score_key(weight[key - j]), highest);
        lane[key % 16] = add(lane[key % 16], weight[key - j]);
    }
    for (uint width = 8; width > 0; width /= 2)
        for (uint i = 0; i < width; i++)
            lane[i] = add(lane[i], lane[i + width]);
    return lane[0];
}

void add_block(uint query, uint keys, uint j, uint from, uint to)
{
    uint highest = score_block(query, keys, j, from, to);
    if (highest == KEY_NONE)
        return; /* a block without a visible key leaves no trace */
    uint next = max(maximum, highest);
    float rescale = weight_below(maximum, next);
    sum = mac(sum, rescale, make_weights(j, from, to, next));
    maximum = next;
    [[unroll]] for (uint c = 0; c < DV; c++)
        part[c] = 0.0;
    for (uint key = from; key < to; key++) {
        [[unroll]] for (uint c = 0; c < DV; c++)
            part[c] = mac(weight[key - j], ELEMENT(v, (keys + key) * DV + c), part[c]);
    }
    [[unroll]] for (uint c = 0; c < DV; c++)
        o[c] = mac(o[c], rescale, part[c]);
}

/* A dispatch may be given a part of the keys: what it leaves in scratch the next one takes up. */
void load_state(uint at)
{
    bool stored = has_flag(STATE_RESUME);
    if (stored) {
        maximum = scratch[at];
        sum = uintBitsToFloat(scratch[at + 1]);
    }
    [[unroll]] for (uint c = 0; c < DV; c++)
        o[c] = stored ? uintBitsToFloat(scratch[at + 2 + c]) : 0.0;
}

/* The state of this split of the keys joins that of the splits before. */
void merge_state(uint at)
{
    bool stored = !has_flag(STATE_FIRST);
    uint before = stored ? scratch[at] : KEY_NONE, next = max(before, maximum);
    float sum_before = stored ? uintBitsToFloat(scratch[at + 1]) : 0.0;
    float a = maximum == KEY_NONE ? 1.0 : weight_below(before, next);
    float b = weight_below(maximum, next);
    sum = mac(sum_before, a, multiply(sum, b));
    maximum = next;
    [[unroll]] for (uint c = 0; c < DV; c++) {
        float o_before = stored ? uintBitsToFloat(scratch[at + 2 + c]) : 0.0;
        o[c] = mac(o_before, a, multiply(o[c], b));
    }
}

void store_state(uint at)
{
    scratch[at] = maximum;
    scratch[at + 1] = floatBitsToUint(sum);
    [[unroll]] for (uint c = 0; c < DV; c++)
        scratch[at + 2 + c] = floatBitsToUint(o[c]);
}

void main()
{
    uint tiles = (push.n + gl_WorkGroupSize.x - 1) / gl_WorkGroupSize.x;
    uint group = group_index(), head = group / tiles;
    uint row = group % tiles * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (group >= push.groups || row >= push.n)
        return;
    uint query = head * push.n + row, keys = key_head(head) * push.m;
    uvec2 span = row_span(head, row); /* the keys that this row sees */
    uint from = max(span.x, push.key_begin), to = min(span.y, push.key_end);

    load_state(state_at(query, false));
    for (uint j = from / ATTN_BK * ATTN_BK; j < to; j += ATTN_BK)
        add_block(query, keys, j, max(j, from), min(j + ATTN_BK, to));
    if (has_flag(STATE_MERGE))
        merge_state(state_at(query, true));
    if (!has_flag(STATE_FINISH)) {
        store_state(state_at(query, has_flag(STATE_MERGE)));
        return;
    }
    float reciprocal = recip(sum);
    [[unroll]] for (uint c = 0; c < DV; c++)
        o_bits[query * DV + c] = output_word(o[c], maximum, reciprocal);
}
