/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows how a device rounds. PROBE_TRIPLES answers single operations on triples a, b, c from a
 * buffer, so that nothing can be folded. The sweeps hash a function over runs of consecutive
 * inputs, for exhaustive comparison with the host.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"

layout(constant_id = SPEC_PASS) const uint PASS = PROBE_TRIPLES;
layout(local_size_x_id = SPEC_LOCAL_X) in;

layout(std430, binding = BIND_Q) readonly buffer Inputs { uint inputs[]; };
layout(std430, binding = BIND_OUT) writeonly buffer Outputs { uint outputs[]; };

void triple(uint i)
{
    float a = uintBitsToFloat(inputs[3 * i]);
    float b = uintBitsToFloat(inputs[3 * i + 1]);
    float c = uintBitsToFloat(inputs[3 * i + 2]);
    precise float fused = fma(a, b, c);
    outputs[PROBE_WORDS * i + PROBE_FMA] = floatBitsToUint(fused);
    outputs[PROBE_WORDS * i + PROBE_SPLIT] = floatBitsToUint(add(multiply(a, b), c));
    outputs[PROBE_WORDS * i + PROBE_ADD] = floatBitsToUint(add(a, b));
    outputs[PROBE_WORDS * i + PROBE_ORDER] = floatBitsToUint(subtract(add(a, b), a));
}

/* FNV-1a over words: any single difference changes it. */
void sweep(uint run)
{
    uint hash = PROBE_HASH_START;
    for (uint i = 0; i < push.count; i++) {
        float x = uintBitsToFloat(inputs[0] + run * push.count + i);
        uint bits = floatBitsToUint(PASS == PROBE_E2 ? e2(x) : recip(x));
        hash = (hash ^ bits) * PROBE_HASH_PRIME;
    }
    outputs[run] = hash;
}

void main()
{
    uint group = group_index(), item = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (group >= push.group_end)
        return;
    if (PASS == PROBE_TRIPLES)
        triple(item);
    else
        sweep(item);
}
