/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/arm/neon.h"

#include "cpu/lanes_arrays.h"

const math_arrays neon_math = LANES_MATH_ARRAYS;
