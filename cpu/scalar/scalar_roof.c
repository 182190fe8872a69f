/* SPDX-License-Identifier: Apache-2.0
 *
 * The roof of CPUs without a vector kernel: what the compiler makes of plain multiplies and adds
 * over 64 independent chains (baseline vectors of the architecture included).
 */
#include "cpu/roof.h"

enum { CHAINS = 64 };

uint64_t scalar_roof_m(uint64_t steps, float *sink)
{
    float acc[CHAINS];
    const float a = 0.5f + *sink, b = 0.25f + *sink;
    for (int i = 0; i < CHAINS; i++)
        acc[i] = (float)i;
    for (uint64_t step = 0; step < steps; step++)
        for (int i = 0; i < CHAINS; i++)
            acc[i] = acc[i] * a + b;
    *sink = 0.0f;
    for (int i = 0; i < CHAINS; i++)
        *sink += acc[i];
    return 2ull * CHAINS;
}
