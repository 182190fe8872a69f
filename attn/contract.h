/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants of the numerics contract (docs/numerics.md), included by C and by GLSL.
 * Floating-point constants are binary32 bit patterns, so that no decimal conversion of any
 * compiler can change them. Changing any value here changes output bits: raise
 * ATTN_CONTRACT_VERSION and make the golden digests anew.
 */
#ifndef ATTN_CONTRACT_H
#define ATTN_CONTRACT_H

#define ATTN_CONTRACT_VERSION 1

/* Keys per block of the online softmax, aligned to the absolute key index. */
#define ATTN_BK 64

/* E2(x) = 2^x for x <= 0: below E2_MIN the result is +0. */
#define ATTN_E2_MIN_BITS 0xc2700000u /* -60 */
/* Adding 1.5 * 2^23 + 127 rounds x to an integer n and leaves n + 127, the biased exponent of
 * 2^n, in the low bits: bits(t) << 23 is the float 2^n. */
#define ATTN_E2_MAGIC_BITS 0x4b40007fu
#define ATTN_E2_C1_BITS    0x3f317219u
#define ATTN_E2_C2_BITS    0x3e75fdf4u
#define ATTN_E2_C3_BITS    0x3d635729u
#define ATTN_E2_C4_BITS    0x3c1d9357u
#define ATTN_E2_C5_BITS    0x3aafb87bu
#define ATTN_E2_C6_BITS    0x392385a5u

/* RECIP(l): r0 = float(ATTN_RECIP_SEED - bits(l)), then three Newton steps. */
#define ATTN_RECIP_SEED 0x7ef311c7u

#define ATTN_NAN_BITS     0x7fc00000u
#define ATTN_NEG_INF_BITS 0xff800000u

#endif
