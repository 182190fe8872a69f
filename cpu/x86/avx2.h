/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector operations that lane kernels are written in, on AVX2: 8 binary32 lanes.
 */
#ifndef CPU_X86_AVX2_H
#define CPU_X86_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "cpu/vector.h"

#define VF_LANES     8
#define VF_REGISTERS 16

typedef __m256 vf;  /* 8 floats */
typedef __m256 vfm; /* 8 lane masks, all ones or all zeros */

VF_INLINE vf vf_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
/* 8 elements of a 16-bit type, widened exactly. */
VF_INLINE vf vf_load_f16(const uint16_t *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}
VF_INLINE vf vf_load_bf16(const uint16_t *p)
{
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}
VF_INLINE void vf_store(float *p, vf a)
{
    _mm256_storeu_ps(p, a);
}
VF_INLINE vf vf_all(float x)
{
    return _mm256_set1_ps(x);
}
VF_INLINE vf vf_bits(uint32_t bits)
{
    return _mm256_castsi256_ps(_mm256_set1_epi32((int)bits));
}
VF_INLINE vf vf_add(vf a, vf b)
{
    return _mm256_add_ps(a, b);
}
VF_INLINE vf vf_sub(vf a, vf b)
{
    return _mm256_sub_ps(a, b);
}
VF_INLINE vf vf_mul(vf a, vf b)
{
    return _mm256_mul_ps(a, b);
}
VF_INLINE vf vf_fma(vf a, vf b, vf c)
{
    return _mm256_fmadd_ps(a, b, c);
}
VF_INLINE vf vf_neg(vf a)
{
    return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f));
}
VF_INLINE vf vf_abs(vf a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
/* The larger; b where either is NaN. */
VF_INLINE vf vf_max(vf a, vf b)
{
    return _mm256_max_ps(a, b);
}

/* Comparisons; a NaN operand gives "not less", "not equal". */
VF_INLINE vfm vf_not_less(vf a, vf b)
{
    return _mm256_cmp_ps(a, b, _CMP_NLT_UQ);
}
VF_INLINE vfm vf_not_equal(vf a, vf b)
{
    return _mm256_cmp_ps(a, b, _CMP_NEQ_UQ);
}
VF_INLINE vfm vfm_and(vfm a, vfm b)
{
    return _mm256_and_ps(a, b);
}
VF_INLINE vfm vfm_or(vfm a, vfm b)
{
    return _mm256_or_ps(a, b);
}
VF_INLINE vfm vfm_not(vfm a)
{
    return _mm256_xor_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(-1)));
}
VF_INLINE vfm vfm_none(void)
{
    return _mm256_setzero_ps();
}
VF_INLINE int vfm_any(vfm a)
{
    return _mm256_movemask_ps(a) != 0;
}
VF_INLINE int vfm_all(vfm a)
{
    return _mm256_movemask_ps(a) == 0xff;
}
/* a where the mask is set, else +0; a where the mask is set, else b. */
VF_INLINE vf vf_where(vfm mask, vf a)
{
    return _mm256_and_ps(mask, a);
}
VF_INLINE vf vf_select(vfm mask, vf a, vf b)
{
    return _mm256_blendv_ps(b, a, mask);
}

/* Lanes where lo[lane] <= j < hi[lane]; all values below 2^31. */
VF_INLINE vfm vf_between(const uint32_t *lo, uint32_t j, const uint32_t *hi)
{
    const __m256i at = _mm256_set1_epi32((int)j);
    const __m256i below = _mm256_cmpgt_epi32(_mm256_loadu_si256((const __m256i *)lo), at);
    const __m256i inside = _mm256_cmpgt_epi32(_mm256_loadu_si256((const __m256i *)hi), at);
    return _mm256_castsi256_ps(_mm256_andnot_si256(below, inside));
}

/* bits << 23; seed - bits, as binary32. */
VF_INLINE vf vf_shift23(vf a)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(a), 23));
}
VF_INLINE vf vf_bits_from(uint32_t seed, vf a)
{
    const __m256i bits = _mm256_sub_epi32(_mm256_set1_epi32((int)seed), _mm256_castps_si256(a));
    return _mm256_castsi256_ps(bits);
}

/* To 12 significant bits, ties to even, for finite a. */
VF_INLINE vf vf_round12(vf a)
{
    const __m256i bits = _mm256_castps_si256(a);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 12), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7ff)), odd);
    return _mm256_castsi256_ps(_mm256_and_si256(up, _mm256_set1_epi32(~0xfff)));
}

/* Lane j of vector i becomes lane i of vector j. */
VF_INLINE void vf_transpose(vf x[VF_LANES])
{
    vf pair[8], quad[8];
    VF_UNROLL
    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm256_unpacklo_ps(x[i], x[i + 1]);
        pair[i + 1] = _mm256_unpackhi_ps(x[i], x[i + 1]);
    }
    VF_UNROLL
    for (int i = 0; i < 8; i += 4) {
        quad[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
        quad[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xee);
        quad[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        quad[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xee);
    }
    VF_UNROLL
    for (int i = 0; i < 4; i++) {
        x[i] = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x20);
        x[i + 4] = _mm256_permute2f128_ps(quad[i], quad[i + 4], 0x31);
    }
}

#endif
