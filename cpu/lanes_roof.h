/* SPDX-License-Identifier: Apache-2.0
 *
 * The register-only loop behind the roofs of lane kernels, in the operations of one ISA's header
 * (which is included first): `chains` independent vectors, a compile-time constant, more than the
 * latency of a multiply-accumulate times the number of pipes, fewer than the registers.
 */
#ifndef CPU_LANES_ROOF_H
#define CPU_LANES_ROOF_H

#include "cpu/roof.h"

#include "cpu/lanes_math.h"

enum { LANES_MAX_CHAINS = 24 };

/* Fused, the chain runs through the addend, where every ISA can accumulate in place; split, through
 * a factor, since a product of two constants would leave the loop. */
VF_INLINE vf lanes_link_f(vf chain, vf a, vf b)
{
    return vf_mac_f(a, b, chain);
}

VF_INLINE vf lanes_link_m(vf chain, vf a, vf b)
{
    return vf_mac_m(chain, a, b);
}

VF_INLINE uint64_t lanes_roof(uint64_t steps, float *sink, int chains, vf_mac *link)
{
    vf acc[LANES_MAX_CHAINS];
    const vf a = vf_all(0.5f + *sink), b = vf_all(0.25f + *sink);
#pragma GCC unroll 24
    for (int i = 0; i < chains; i++)
        acc[i] = vf_all((float)i);
    for (uint64_t step = 0; step < steps; step++)
#pragma GCC unroll 24
        for (int i = 0; i < chains; i++)
            acc[i] = link(acc[i], a, b);
#pragma GCC unroll 24
    for (int i = 1; i < chains; i++)
        acc[0] = vf_add(acc[0], acc[i]);
    float lanes[VF_LANES];
    vf_store(lanes, acc[0]);
    *sink = lanes[0];
    return 2ull * chains * VF_LANES;
}

#endif
