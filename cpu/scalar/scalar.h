/* SPDX-License-Identifier: Apache-2.0
 *
 * One lane, for the loops that move bytes: the compiler makes of a line or a chunk what vectors the
 * architecture's baseline has.
 */
#ifndef CPU_SCALAR_SCALAR_H
#define CPU_SCALAR_SCALAR_H

#include "cpu/vector.h"

#define VF_LANES 1

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
VF_INLINE vf vf_mul(vf a, vf b)
{
    return a * b;
}

#endif
