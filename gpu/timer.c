/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/timer.h"

#include <math.h>

uint64_t gpu_timer_ticks(uint64_t begin, uint64_t end, uint32_t valid_bits)
{
    const uint64_t mask = valid_bits < 64 ? (UINT64_C(1) << valid_bits) - 1 : UINT64_MAX;
    return (end - begin) & mask; /* unsigned: a wrap cancels, and so do invalid high bits */
}

double gpu_timer_seconds(uint64_t begin, uint64_t end, uint32_t valid_bits, double period_ns)
{
    if (valid_bits == 0)
        return NAN;
    return (double)gpu_timer_ticks(begin, end, valid_bits) * period_ns * 1e-9;
}
