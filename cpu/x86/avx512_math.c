/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/x86/avx512.h"

#include "cpu/lanes_arrays.h"

const math_arrays avx512_math = LANES_MATH_ARRAYS;
