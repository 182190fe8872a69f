/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract's multiply-accumulate in registers and nothing else: ROOF_CHAINS independent
 * chains of vec4 x = x * a + b, whose values converge and stay normal numbers.
 */
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "interface.h"
#include "contract.glsl"
#include "grid.glsl"

layout(local_size_x_id = SPEC_LOCAL_X) in;

layout(std430, binding = BIND_Q) readonly buffer Inputs { float inputs[]; };
layout(std430, binding = BIND_OUT) writeonly buffer Outputs { float outputs[]; };

void main()
{
    if (group_index() >= push.group_end)
        return;
    vec4 a = vec4(inputs[0]), b = vec4(inputs[1]);
    vec4 x[ROOF_CHAINS];
    [[unroll]] for (uint i = 0; i < ROOF_CHAINS; i++)
        x[i] = vec4(add(inputs[2], float(gl_LocalInvocationID.x)), i, 1.0, 2.0);
    for (uint n = 0; n < push.count; n++) {
        [[unroll]] for (uint step = 0; step < ROOF_STEPS; step++) {
            [[unroll]] for (uint i = 0; i < ROOF_CHAINS; i++)
                x[i] = mac(x[i], a, b);
        }
    }
    vec4 total = vec4(0.0);
    [[unroll]] for (uint i = 0; i < ROOF_CHAINS; i++)
        total = add(total, x[i]);
    /* Never true, but no compiler knows. */
    if (add(add(total.x, total.y), add(total.z, total.w)) == inputs[3])
        outputs[0] = total.x;
}
