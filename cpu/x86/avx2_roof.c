/* SPDX-License-Identifier: Apache-2.0
 *
 * 14 chains of 8 lanes: more than latency (4 or 5 cycles, 6 to 8 for a product and a sum) times 2
 * per cycle of every AVX2 core needs, and as many as 16 registers hold beside two constants.
 */
#include "cpu/x86/avx2.h"

#include "cpu/lanes_roof.h"

enum { CHAINS = 14 };

uint64_t avx2_roof_f(uint64_t steps, float *sink)
{
    return lanes_roof(steps, sink, CHAINS, lanes_link_f);
}

uint64_t avx2_roof_m(uint64_t steps, float *sink)
{
    return lanes_roof(steps, sink, CHAINS, lanes_link_m);
}
