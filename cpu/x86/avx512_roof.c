/* SPDX-License-Identifier: Apache-2.0
 *
 * 24 chains of 16 lanes: more than latency times pipes of every AVX-512 core needs (8 to 16).
 */
#include "cpu/x86/avx512.h"

#include "cpu/lanes_roof.h"

enum { CHAINS = 24 };

uint64_t avx512_roof_f(uint64_t steps, float *sink)
{
    return lanes_roof(steps, sink, CHAINS, lanes_link_f);
}

uint64_t avx512_roof_m(uint64_t steps, float *sink)
{
    return lanes_roof(steps, sink, CHAINS, lanes_link_m);
}
