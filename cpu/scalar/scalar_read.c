/* SPDX-License-Identifier: Apache-2.0
 *
 * One lane: the compiler makes of a line's sums what vectors the architecture's baseline has.
 */
#define VF_LANES  1
#define VF_INLINE static inline __attribute__((always_inline))

typedef float vf;

VF_INLINE vf vf_load(const float *p)
{
    return *p;
}
VF_INLINE void vf_store(float *p, vf a)
{
    *p = a;
}
VF_INLINE vf vf_all(float x)
{
    return x;
}
VF_INLINE vf vf_add(vf a, vf b)
{
    return a + b;
}

#include "cpu/read_lines.h"

float scalar_read(const float *from, size_t stride, size_t lines)
{
    return read_lines(from, stride, lines);
}
