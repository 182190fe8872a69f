/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/x86/avx2.h"

#include "cpu/lanes_arrays.h"

const math_arrays avx2_math = LANES_MATH_ARRAYS;
