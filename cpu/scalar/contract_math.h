/* SPDX-License-Identifier: Apache-2.0
 *
 * E2 and RECIP of the numerics contract (docs/numerics.md), one value at a time. The
 * multiply-accumulate is a parameter: contract F fuses it, contracts M and X do not.
 */
#ifndef CPU_SCALAR_CONTRACT_MATH_H
#define CPU_SCALAR_CONTRACT_MATH_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "attn/bits.h"
#include "attn/contract.h"

#if FLT_EVAL_METHOD != 0
#error "the contract needs binary32 arithmetic that is evaluated as binary32"
#endif

typedef float contract_mac(float a, float b, float c);

static inline float contract_mac_f(float a, float b, float c)
{
    return fmaf(a, b, c);
}

static inline float contract_mac_m(float a, float b, float c)
{
    return a * b + c; /* two roundings: the build forbids contraction */
}

/* 2^x for x <= 0; NaN stays NaN. */
static inline float contract_e2(float x, contract_mac *mac)
{
    const float magic = attn_float_of(ATTN_E2_MAGIC_BITS);
    if (x < attn_float_of(ATTN_E2_MIN_BITS))
        return 0.0f;
    float t = x + magic;
    float f = x - (t - magic);
    float y = attn_float_of(ATTN_E2_C6_BITS);
    y = mac(y, f, attn_float_of(ATTN_E2_C5_BITS));
    y = mac(y, f, attn_float_of(ATTN_E2_C4_BITS));
    y = mac(y, f, attn_float_of(ATTN_E2_C3_BITS));
    y = mac(y, f, attn_float_of(ATTN_E2_C2_BITS));
    y = mac(y, f, attn_float_of(ATTN_E2_C1_BITS));
    y = mac(y, f, 1.0f);
    return y * attn_float_of(attn_bits_of(t) << 23);
}

/* 1/l for l >= 1. */
static inline float contract_recip(float l, contract_mac *mac)
{
    float r = attn_float_of(ATTN_RECIP_SEED - attn_bits_of(l));
    for (int step = 0; step < 3; step++) {
        float e = mac(-l, r, 1.0f);
        r = mac(r, e, r);
    }
    return r;
}

/* Contract X: p rounded to 12 significant bits, ties to even. */
static inline float contract_round12(float p)
{
    uint32_t bits = attn_bits_of(p);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return p;
    return attn_float_of((bits + 0x7ffu + ((bits >> 12) & 1u)) & ~0xfffu);
}

#endif
