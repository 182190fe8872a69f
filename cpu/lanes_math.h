/* SPDX-License-Identifier: Apache-2.0
 *
 * E2 and RECIP of the contracts over vector lanes, in the operations of one ISA's header (which is
 * included first).
 */
#ifndef CPU_LANES_MATH_H
#define CPU_LANES_MATH_H

#include <stdbool.h>

#include "attn/contract.h"

typedef vf vf_mac(vf a, vf b, vf c);

VF_INLINE vf vf_mac_f(vf a, vf b, vf c)
{
    return vf_fma(a, b, c);
}

VF_INLINE vf vf_mac_m(vf a, vf b, vf c)
{
    return vf_add(vf_mul(a, b), c);
}

/* What the contracts differ in, a compile-time constant wherever it is used. */
typedef struct lanes_rules {
    vf_mac *product; /* of the dot products */
    vf_mac *mac;     /* of E2, RECIP and the merges */
    bool x;          /* 16-bit storage, weights of 12 bits */
    bool free;       /* no contract: whatever is fastest within the error bound */
} lanes_rules;

#define LANES_RULES_F    ((lanes_rules){vf_mac_f, vf_mac_f, false, false})
#define LANES_RULES_M    ((lanes_rules){vf_mac_m, vf_mac_m, false, false})
#define LANES_RULES_FREE ((lanes_rules){vf_mac_f, vf_mac_f, false, true})
/* Contract X multiplies, then adds. Its products are exact while none leaves the normal range of
 * binary32: then they may as well be fused. */
#define LANES_RULES_X       ((lanes_rules){vf_mac_m, vf_mac_m, true, false})
#define LANES_RULES_X_FUSED ((lanes_rules){vf_mac_f, vf_mac_m, true, false})

/* Lanes that are 0 or of a magnitude in [2^-63, 2^63): the product of two such is exact when they
 * have 24 bits between them, or 12 and 12. So is that with a weight, which is 0 or in [2^-61, 1].
 */
VF_INLINE vfm vf_ordinary(vf x)
{
    const vf size = vf_abs(x);
    const vfm tiny = vfm_not(vf_not_less(size, vf_bits(0x20000000u)));
    const vfm large = vf_not_less(size, vf_bits(0x5f000000u));
    return vfm_not(vfm_or(large, vfm_and(tiny, vf_not_equal(size, vf_all(0.0f)))));
}

#define VF_E2_MOST 4

/* x[i] = E2(x[i]) for up to VF_E2_MOST vectors, step by step side by side: one alone is a chain of
 * 40 to 60 cycles, longer than a core looks ahead. */
VF_INLINE void vf_e2_each(vf *x, int count, vf_mac *mac)
{
    const vf magic = vf_bits(ATTN_E2_MAGIC_BITS);
    const uint32_t lower[] = {ATTN_E2_C5_BITS, ATTN_E2_C4_BITS, ATTN_E2_C3_BITS,
                              ATTN_E2_C2_BITS, ATTN_E2_C1_BITS, 0x3f800000u};
    vf t[VF_E2_MOST], f[VF_E2_MOST], y[VF_E2_MOST];
    VF_UNROLL
    for (int i = 0; i < count; i++) {
        t[i] = vf_add(x[i], magic);
        f[i] = vf_sub(x[i], vf_sub(t[i], magic));
        y[i] = vf_bits(ATTN_E2_C6_BITS);
    }
    VF_UNROLL
    for (int step = 0; step < 6; step++) {
        VF_UNROLL
        for (int i = 0; i < count; i++)
            y[i] = mac(y[i], f[i], vf_bits(lower[step]));
    }
    VF_UNROLL
    for (int i = 0; i < count; i++)
        x[i] =
            vf_where(vf_not_less(x[i], vf_bits(ATTN_E2_MIN_BITS)), vf_mul(y[i], vf_shift23(t[i])));
}

VF_INLINE vf vf_e2(vf x, vf_mac *mac)
{
    vf_e2_each(&x, 1, mac);
    return x;
}

/* 2^x for x <= 0 within 2 ulp, 1 for 0: a polynomial of degree 5. */
VF_INLINE vf vf_e2_free(vf x)
{
    const vf magic = vf_bits(ATTN_E2_MAGIC_BITS);
    vf t = vf_add(x, magic);
    vf f = vf_sub(x, vf_sub(t, magic));
    vf y = vf_fma(vf_bits(0x3aae0473u), f, vf_bits(0x3c1e8629u));
    y = vf_fma(y, f, vf_bits(0x3d635b72u));
    y = vf_fma(y, f, vf_bits(0x3e75fc8cu));
    y = vf_fma(y, f, vf_bits(0x3f317214u));
    y = vf_fma(y, f, vf_all(1.0f));
    return vf_where(vf_not_less(x, vf_bits(ATTN_E2_MIN_BITS)), vf_mul(y, vf_shift23(t)));
}

VF_INLINE vf vf_recip(vf l, vf_mac *mac)
{
    vf r = vf_bits_from(ATTN_RECIP_SEED, l);
    for (int step = 0; step < 3; step++) {
        vf e = mac(vf_neg(l), r, vf_all(1.0f));
        r = mac(r, e, r);
    }
    return r;
}

#endif
