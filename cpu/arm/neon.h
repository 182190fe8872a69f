/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector operations that lane kernels are written in, on NEON: 4 binary32 lanes. Meanings are
 * those of cpu/x86/avx2.h, NaN and signed zero included.
 */
#ifndef CPU_ARM_NEON_H
#define CPU_ARM_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#include "cpu/vector.h"

#define VF_LANES     4
#define VF_REGISTERS 32

typedef float32x4_t vf; /* 4 floats */
typedef uint32x4_t vfm; /* 4 lane masks, all ones or all zeros */

VF_INLINE vf vf_load(const float *p)
{
    return vld1q_f32(p);
}
/* 4 elements of a 16-bit type, widened exactly. */
VF_INLINE vf vf_load_f16(const uint16_t *p)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
}
VF_INLINE vf vf_load_bf16(const uint16_t *p)
{
    return vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(p), 16));
}
VF_INLINE void vf_store(float *p, vf a)
{
    vst1q_f32(p, a);
}
VF_INLINE vf vf_all(float x)
{
    return vdupq_n_f32(x);
}
VF_INLINE vf vf_bits(uint32_t bits)
{
    return vreinterpretq_f32_u32(vdupq_n_u32(bits));
}
VF_INLINE vf vf_add(vf a, vf b)
{
    return vaddq_f32(a, b);
}
VF_INLINE vf vf_sub(vf a, vf b)
{
    return vsubq_f32(a, b);
}
VF_INLINE vf vf_mul(vf a, vf b)
{
    return vmulq_f32(a, b);
}
VF_INLINE vf vf_fma(vf a, vf b, vf c)
{
    return vfmaq_f32(c, a, b);
}
VF_INLINE vf vf_neg(vf a)
{
    return vnegq_f32(a);
}
VF_INLINE vf vf_abs(vf a)
{
    return vabsq_f32(a);
}
/* The larger; b where either is NaN. FMAX would return the NaN, FMAXNM the number. */
VF_INLINE vf vf_max(vf a, vf b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

/* Comparisons; a NaN operand gives "not less", "not equal". */
VF_INLINE vfm vf_not_less(vf a, vf b)
{
    return vmvnq_u32(vcltq_f32(a, b));
}
VF_INLINE vfm vf_not_equal(vf a, vf b)
{
    return vmvnq_u32(vceqq_f32(a, b));
}
VF_INLINE vfm vfm_and(vfm a, vfm b)
{
    return vandq_u32(a, b);
}
VF_INLINE vfm vfm_or(vfm a, vfm b)
{
    return vorrq_u32(a, b);
}
VF_INLINE vfm vfm_not(vfm a)
{
    return vmvnq_u32(a);
}
VF_INLINE vfm vfm_none(void)
{
    return vdupq_n_u32(0);
}
VF_INLINE int vfm_any(vfm a)
{
    return vmaxvq_u32(a) != 0;
}
VF_INLINE int vfm_all(vfm a)
{
    return vminvq_u32(a) != 0;
}
/* a where the mask is set, else +0; a where the mask is set, else b. */
VF_INLINE vf vf_where(vfm mask, vf a)
{
    return vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(a)));
}
VF_INLINE vf vf_select(vfm mask, vf a, vf b)
{
    return vbslq_f32(mask, a, b);
}

/* Lanes where lo[lane] <= j < hi[lane]. */
VF_INLINE vfm vf_between(const uint32_t *lo, uint32_t j, const uint32_t *hi)
{
    const uint32x4_t at = vdupq_n_u32(j);
    return vandq_u32(vcleq_u32(vld1q_u32(lo), at), vcgtq_u32(vld1q_u32(hi), at));
}

/* bits << 23; seed - bits, as binary32. */
VF_INLINE vf vf_shift23(vf a)
{
    return vreinterpretq_f32_u32(vshlq_n_u32(vreinterpretq_u32_f32(a), 23));
}
VF_INLINE vf vf_bits_from(uint32_t seed, vf a)
{
    return vreinterpretq_f32_u32(vsubq_u32(vdupq_n_u32(seed), vreinterpretq_u32_f32(a)));
}

/* To 12 significant bits, ties to even, for finite a. */
VF_INLINE vf vf_round12(vf a)
{
    const uint32x4_t bits = vreinterpretq_u32_f32(a);
    const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 12), vdupq_n_u32(1));
    const uint32x4_t up = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7ff)), odd);
    return vreinterpretq_f32_u32(vandq_u32(up, vdupq_n_u32(~UINT32_C(0xfff))));
}

/* Lane j of vector i becomes lane i of vector j. */
VF_INLINE void vf_transpose(vf x[VF_LANES])
{
    const float32x4x2_t low = vtrnq_f32(x[0], x[1]), high = vtrnq_f32(x[2], x[3]);
    x[0] = vcombine_f32(vget_low_f32(low.val[0]), vget_low_f32(high.val[0]));
    x[1] = vcombine_f32(vget_low_f32(low.val[1]), vget_low_f32(high.val[1]));
    x[2] = vcombine_f32(vget_high_f32(low.val[0]), vget_high_f32(high.val[0]));
    x[3] = vcombine_f32(vget_high_f32(low.val[1]), vget_high_f32(high.val[1]));
}

#endif
