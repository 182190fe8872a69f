/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector operations that lane kernels are written in, on AVX-512: 16 binary32 lanes, of the
 * foundation (F) alone. Meanings are those of cpu/x86/avx2.h.
 */
#ifndef CPU_X86_AVX512_H
#define CPU_X86_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#include "cpu/vector.h"

#define VF_LANES     16
#define VF_REGISTERS 32

typedef __m512 vf;     /* 16 floats */
typedef __mmask16 vfm; /* 16 lane masks */

VF_INLINE vf vf_load(const float *p)
{
    return _mm512_loadu_ps(p);
}
/* 16 elements of a 16-bit type, widened exactly. */
VF_INLINE vf vf_load_f16(const uint16_t *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}
VF_INLINE vf vf_load_bf16(const uint16_t *p)
{
    const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}
VF_INLINE void vf_store(float *p, vf a)
{
    _mm512_storeu_ps(p, a);
}
VF_INLINE vf vf_all(float x)
{
    return _mm512_set1_ps(x);
}
VF_INLINE vf vf_bits(uint32_t bits)
{
    return _mm512_castsi512_ps(_mm512_set1_epi32((int)bits));
}
VF_INLINE vf vf_add(vf a, vf b)
{
    return _mm512_add_ps(a, b);
}
VF_INLINE vf vf_sub(vf a, vf b)
{
    return _mm512_sub_ps(a, b);
}
VF_INLINE vf vf_mul(vf a, vf b)
{
    return _mm512_mul_ps(a, b);
}
VF_INLINE vf vf_fma(vf a, vf b, vf c)
{
    return _mm512_fmadd_ps(a, b, c);
}
VF_INLINE vf vf_neg(vf a)
{
    return _mm512_castsi512_ps(
        _mm512_xor_si512(_mm512_castps_si512(a), _mm512_set1_epi32((int)0x80000000u)));
}
VF_INLINE vf vf_abs(vf a)
{
    return _mm512_abs_ps(a);
}
/* The larger; b where either is NaN. */
VF_INLINE vf vf_max(vf a, vf b)
{
    return _mm512_max_ps(a, b);
}

/* Comparisons; a NaN operand gives "not less", "not equal". */
VF_INLINE vfm vf_not_less(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ);
}
VF_INLINE vfm vf_not_equal(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ);
}
VF_INLINE vfm vfm_and(vfm a, vfm b)
{
    return a & b;
}
VF_INLINE vfm vfm_or(vfm a, vfm b)
{
    return a | b;
}
VF_INLINE vfm vfm_not(vfm a)
{
    return (vfm)~a;
}
VF_INLINE vfm vfm_none(void)
{
    return 0;
}
VF_INLINE int vfm_any(vfm a)
{
    return a != 0;
}
VF_INLINE int vfm_all(vfm a)
{
    return a == 0xffff;
}
/* a where the mask is set, else +0; a where the mask is set, else b. */
VF_INLINE vf vf_where(vfm mask, vf a)
{
    return _mm512_maskz_mov_ps(mask, a);
}
VF_INLINE vf vf_select(vfm mask, vf a, vf b)
{
    return _mm512_mask_blend_ps(mask, b, a);
}

/* Lanes where lo[lane] <= j < hi[lane]. */
VF_INLINE vfm vf_between(const uint32_t *lo, uint32_t j, const uint32_t *hi)
{
    const __m512i at = _mm512_set1_epi32((int)j);
    const vfm from = _mm512_cmple_epu32_mask(_mm512_loadu_si512(lo), at);
    return _mm512_mask_cmpgt_epu32_mask(from, _mm512_loadu_si512(hi), at);
}

/* bits << 23; seed - bits, as binary32. */
VF_INLINE vf vf_shift23(vf a)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(a), 23));
}
VF_INLINE vf vf_bits_from(uint32_t seed, vf a)
{
    const __m512i bits = _mm512_sub_epi32(_mm512_set1_epi32((int)seed), _mm512_castps_si512(a));
    return _mm512_castsi512_ps(bits);
}

/* To 12 significant bits, ties to even, for finite a. */
VF_INLINE vf vf_round12(vf a)
{
    const __m512i bits = _mm512_castps_si512(a);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 12), _mm512_set1_epi32(1));
    const __m512i up = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7ff)), odd);
    return _mm512_castsi512_ps(_mm512_and_si512(up, _mm512_set1_epi32(~0xfff)));
}

/* Lane j of vector i becomes lane i of vector j. */
VF_INLINE void vf_transpose(vf x[VF_LANES])
{
    __m512d quad[16]; /* quad[4 i + k]: columns k, k + 4, k + 8, k + 12 of rows 4 i..4 i + 3 */
    VF_UNROLL
    for (int i = 0; i < 16; i += 4) {
        const __m512d low = _mm512_castps_pd(_mm512_unpacklo_ps(x[i], x[i + 1]));
        const __m512d high = _mm512_castps_pd(_mm512_unpackhi_ps(x[i], x[i + 1]));
        const __m512d next_low = _mm512_castps_pd(_mm512_unpacklo_ps(x[i + 2], x[i + 3]));
        const __m512d next_high = _mm512_castps_pd(_mm512_unpackhi_ps(x[i + 2], x[i + 3]));
        quad[i] = _mm512_unpacklo_pd(low, next_low);
        quad[i + 1] = _mm512_unpackhi_pd(low, next_low);
        quad[i + 2] = _mm512_unpacklo_pd(high, next_high);
        quad[i + 3] = _mm512_unpackhi_pd(high, next_high);
    }
    VF_UNROLL
    for (int k = 0; k < 4; k++) {
        const vf a = _mm512_castpd_ps(quad[k]), b = _mm512_castpd_ps(quad[4 + k]);
        const vf c = _mm512_castpd_ps(quad[8 + k]), d = _mm512_castpd_ps(quad[12 + k]);
        const vf ab = _mm512_shuffle_f32x4(a, b, 0x44), cd = _mm512_shuffle_f32x4(c, d, 0x44);
        const vf ab_high = _mm512_shuffle_f32x4(a, b, 0xee);
        const vf cd_high = _mm512_shuffle_f32x4(c, d, 0xee);
        x[k] = _mm512_shuffle_f32x4(ab, cd, 0x88);
        x[k + 4] = _mm512_shuffle_f32x4(ab, cd, 0xdd);
        x[k + 8] = _mm512_shuffle_f32x4(ab_high, cd_high, 0x88);
        x[k + 12] = _mm512_shuffle_f32x4(ab_high, cd_high, 0xdd);
    }
}

#endif
