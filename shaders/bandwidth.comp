/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory and nothing else: BANDWIDTH_READ reads two buffers side by side, BANDWIDTH_COPY copies
 * one to the other, BANDWIDTH_TRIAD writes b + s * c to one, where c is half a part away from b in
 * the other. A workgroup walks round and round through a part of its own, its invocations
 * side by side; each starts elsewhere in its part, so that together they use all channels of the
 * memory. The buffers are larger than the caches, and most workgroups run at the same time: what
 * comes again has long left them.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "grid.glsl"

layout(constant_id = SPEC_LOCAL_X) const uint LOCAL_X = 64;
layout(constant_id = SPEC_PASS) const uint PASS = BANDWIDTH_READ;
layout(local_size_x_id = SPEC_LOCAL_X) in;

layout(std430, binding = BIND_K) readonly buffer First { uvec4 first[]; };
layout(std430, binding = BIND_V) buffer Second { uvec4 second[]; };
layout(std430, binding = BIND_OUT) writeonly buffer Outputs { uint outputs[]; };

uvec4 triad(uvec4 b, uvec4 c)
{
    precise const vec4 a = uintBitsToFloat(b) + vec4(BANDWIDTH_FACTOR) * uintBitsToFloat(c);
    return floatBitsToUint(a);
}

void main()
{
    uint group = group_index();
    if (group >= push.group_end)
        return;
    /* Of a part; a power of two */
    uint rows = uint(first.length()) / (push.group_end * LOCAL_X);
    uvec4 seen = uvec4(0);
    for (uint n = 0; n < push.count; n++) {
        [[unroll]] for (uint i = 0; i < BANDWIDTH_ROWS; i++) {
            uint row = (n * BANDWIDTH_ROWS + i + group) & (rows - 1);
            uint at = (group * rows + row) * LOCAL_X + gl_LocalInvocationID.x;
            if (PASS == BANDWIDTH_READ)
                seen |= first[at] | second[at];
            else if (PASS == BANDWIDTH_COPY)
                second[at] = first[at];
            else
                second[at] = triad(first[at], first[at ^ (rows / 2 * LOCAL_X)]);
        }
    }
    /* Never true, since each buffer holds one word, but no compiler knows. */
    if (PASS == BANDWIDTH_READ && seen == uvec4(1, 2, 3, 4))
        outputs[0] = 1;
}
