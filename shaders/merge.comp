/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins the states that the slots hold into one, in the order of the splits. An invocation does
 * one output element and repeats the row's few operations on maxima and sums: reading the states
 * takes longer.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"
#include "common.glsl"

uint maximum;
float sum, value;

/* Where scratch holds the state of a row of the piece. */
uint slot_state(uint i, uint row)
{
    return (i * push.rows + row) * STATE_WORDS(DV);
}

void load_state(uint at, uint column)
{
    maximum = scratch[at];
    sum = uintBitsToFloat(scratch[at + 1]);
    value = uintBitsToFloat(scratch[at + 2 + column]);
}

void merge_state(uint at, uint column)
{
    uint before = maximum;
    float sum_before = sum, value_before = value;
    load_state(at, column);
    uint next = max(before, maximum);
    float a = maximum == KEY_NONE ? 1.0 : weight_below(before, next);
    float b = weight_below(maximum, next);
    sum = mac(sum_before, a, multiply(sum, b));
    value = mac(value_before, a, multiply(value, b));
    maximum = next;
}

void main()
{
    uint item = group_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    uint row = item / DV, column = item % DV;
    if (group_index() >= push.group_end || row >= push.rows)
        return;
    uint merged = push.slots + (has_flag(STATE_SECOND) ? 1 : 0);
    maximum = KEY_NONE;
    sum = 0.0;
    value = 0.0;
    if (has_flag(STATE_RESUME))
        load_state(slot_state(merged, row), column);
    for (uint i = 0; i < push.count; i++)
        merge_state(slot_state(i, row), column);
    if (has_flag(STATE_FINISH)) {
        o_bits[push.out_at + row * DV + column] = output_word(value, maximum, recip(sum));
        return;
    }
    uint at = slot_state(2 * push.slots + 1 - merged, row); /* the other one */
    scratch[at + 2 + column] = floatBitsToUint(value);
    if (column == 0) {
        scratch[at] = maximum;
        scratch[at + 1] = floatBitsToUint(sum);
    }
}
