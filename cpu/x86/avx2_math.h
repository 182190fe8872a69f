/* SPDX-License-Identifier: Apache-2.0
 *
 * E2 and RECIP as the AVX2 kernels compute them, over arrays: for exhaustive tests.
 */
#ifndef CPU_X86_AVX2_MATH_H
#define CPU_X86_AVX2_MATH_H

#include <stddef.h>

/* count is a multiple of 8; y may be x. */
void avx2_e2_f(const float *x, float *y, size_t count);
void avx2_e2_m(const float *x, float *y, size_t count);
void avx2_recip_f(const float *x, float *y, size_t count);
void avx2_recip_m(const float *x, float *y, size_t count);

#endif
