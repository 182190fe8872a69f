/* SPDX-License-Identifier: Apache-2.0
 *
 * A start-up test of the arithmetic that everything here stands on. The scalar reference shares
 * the process's modes, so no digest could tell on them.
 */
#include "cpu/cpu.h"

attn_status cpu_check_arithmetic(attn_reason *why)
{
    /* volatile: neither operands nor results may be folded at compile time. */
    volatile float tiny = 0x1p-149f, one = 1.0f, half_ulp = 0x1p-24f, odd = 1.0f + 0x1p-23f;
    volatile float factor = 1.0f + 0x1p-12f, minus_square = -(1.0f + 0x1p-11f), result;

    result = tiny * one;
    if (result != 0x1p-149f)
        return attn_because(why, ATTN_ERROR,
                            "subnormal numbers are flushed to zero in this "
                            "process (was it linked with -ffast-math?)");
    result = one + half_ulp;
    if (result != 1.0f || odd + half_ulp != 1.0f + 0x1p-22f)
        return attn_because(why, ATTN_ERROR, "this process does not round to nearest even");
    result = factor * factor + minus_square;
    if (result != 0.0f)
        return attn_because(why, ATTN_ERROR,
                            "this build contracts multiply and add (it needs "
                            "-ffp-contract=off)");
    return ATTN_OK;
}
