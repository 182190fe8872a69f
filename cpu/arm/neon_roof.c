/* SPDX-License-Identifier: Apache-2.0
 *
 * 24 chains of 4 lanes: cores with 4 pipes and a latency of 4 cycles need 16, and the accumulators
 * of the kernels are as many.
 */
#include "cpu/arm/neon.h"

#include "cpu/lanes_roof.h"

enum { CHAINS = 24 };

uint64_t neon_roof_f(uint64_t steps, float *sink)
{
    return lanes_roof(steps, sink, CHAINS, lanes_link_f);
}

uint64_t neon_roof_m(uint64_t steps, float *sink)
{
    return lanes_roof(steps, sink, CHAINS, lanes_link_m);
}
