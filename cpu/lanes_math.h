/* SPDX-License-Identifier: Apache-2.0
 *
 * E2 and RECIP of the contract over vector lanes, in the operations of one ISA's header (which is
 * included first). MAC is the contract's multiply-accumulate: vf_mac_f or vf_mac_m.
 */
#ifndef CPU_LANES_MATH_H
#define CPU_LANES_MATH_H

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

VF_INLINE vf vf_e2(vf x, vf_mac *mac)
{
    const vf magic = vf_bits(ATTN_E2_MAGIC_BITS);
    vf t = vf_add(x, magic);
    vf f = vf_sub(x, vf_sub(t, magic));
    vf y = mac(vf_bits(ATTN_E2_C6_BITS), f, vf_bits(ATTN_E2_C5_BITS));
    y = mac(y, f, vf_bits(ATTN_E2_C4_BITS));
    y = mac(y, f, vf_bits(ATTN_E2_C3_BITS));
    y = mac(y, f, vf_bits(ATTN_E2_C2_BITS));
    y = mac(y, f, vf_bits(ATTN_E2_C1_BITS));
    y = mac(y, f, vf_all(1.0f));
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
