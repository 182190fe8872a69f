/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofs of the baseline: what the compiler makes of plain multiplies and adds, or of fmaf, over
 * 64 independent chains (baseline vectors of the architecture included).
 */
#include "cpu/roof.h"

#include <math.h>

enum { CHAINS = 64 };

static uint64_t finish(const float acc[CHAINS], float *sink)
{
    *sink = 0.0f;
    for (int i = 0; i < CHAINS; i++)
        *sink += acc[i];
    return 2ull * CHAINS;
}

uint64_t scalar_roof_m(uint64_t steps, float *sink)
{
    float acc[CHAINS];
    const float a = 0.5f + *sink, b = 0.25f + *sink;
    for (int i = 0; i < CHAINS; i++)
        acc[i] = (float)i;
    for (uint64_t step = 0; step < steps; step++)
        for (int i = 0; i < CHAINS; i++)
            acc[i] = acc[i] * a + b;
    return finish(acc, sink);
}

uint64_t scalar_roof_f(uint64_t steps, float *sink)
{
    float acc[CHAINS];
    const float a = 0.5f + *sink, b = 0.25f + *sink;
    for (int i = 0; i < CHAINS; i++)
        acc[i] = (float)i;
    for (uint64_t step = 0; step < steps; step++)
        for (int i = 0; i < CHAINS; i++)
            acc[i] = fmaf(a, b, acc[i]);
    return finish(acc, sink);
}
