/* SPDX-License-Identifier: Apache-2.0
 *
 * What the lane kernels of an ISA compute with, over arrays: for exhaustive tests.
 */
#ifndef CPU_MATH_ARRAYS_H
#define CPU_MATH_ARRAYS_H

#include <stddef.h>

/* count is a multiple of 16; y may be x. */
typedef void math_over_array(const float *x, float *y, size_t count);
typedef void math_over_pairs(const float *a, const float *b, float *y, size_t count);

typedef struct math_arrays {
    math_over_array *e2_f, *e2_m, *recip_f, *recip_m; /* by contract */
    math_over_pairs *max;                             /* a > b ? a : b */
    math_over_pairs *not_less, *not_equal;            /* 1 where !(a < b), a != b; else +0 */
} math_arrays;

extern const math_arrays avx2_math, avx512_math, neon_math;

#endif
