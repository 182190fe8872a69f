/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/arm/neon.h"

#include "cpu/stream_loops.h"

float neon_stream(attn_roof_kind kind, float *a, const float *b, const float *c, size_t floats,
                  size_t passes)
{
    return stream_arrays(kind, a, b, c, floats, passes);
}
