/* SPDX-License-Identifier: Apache-2.0
 *
 * 14 chains of 8 lanes: more than latency (4 or 5 cycles, 6 to 8 for a product and a sum) times 2
 * per cycle of every AVX2 core needs, and as many as 16 registers hold beside two constants.
 */
#include "cpu/roof.h"
#include "cpu/x86/avx2.h"

#include "cpu/lanes_math.h"

enum { CHAINS = 14 };

VF_INLINE uint64_t loop(uint64_t steps, float *sink, vf_mac *mac)
{
    vf acc[CHAINS];
    const vf a = vf_all(0.5f + *sink), b = vf_all(0.25f + *sink);
    for (int i = 0; i < CHAINS; i++)
        acc[i] = vf_all((float)i);
    for (uint64_t step = 0; step < steps; step++)
        for (int i = 0; i < CHAINS; i++)
            acc[i] = mac(acc[i], a, b);
    for (int i = 1; i < CHAINS; i++)
        acc[0] = vf_add(acc[0], acc[i]);
    float lanes[VF_LANES];
    vf_store(lanes, acc[0]);
    *sink = lanes[0];
    return 2ull * CHAINS * VF_LANES;
}

uint64_t avx2_roof_f(uint64_t steps, float *sink)
{
    return loop(steps, sink, vf_mac_f);
}

uint64_t avx2_roof_m(uint64_t steps, float *sink)
{
    return loop(steps, sink, vf_mac_m);
}
