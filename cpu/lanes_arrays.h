/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of cpu/math_arrays.h in the operations of one ISA's header (which is included
 * first).
 */
#ifndef CPU_LANES_ARRAYS_H
#define CPU_LANES_ARRAYS_H

#include "cpu/lanes_math.h"
#include "cpu/math_arrays.h"

#define LANES_OVER_ARRAY(name, function, mac)                                                      \
    static void name(const float *x, float *y, size_t count)                                       \
    {                                                                                              \
        for (size_t i = 0; i < count; i += VF_LANES)                                               \
            vf_store(y + i, function(vf_load(x + i), mac));                                        \
    }

LANES_OVER_ARRAY(lanes_e2_f, vf_e2, vf_mac_f)
LANES_OVER_ARRAY(lanes_e2_m, vf_e2, vf_mac_m)
LANES_OVER_ARRAY(lanes_recip_f, vf_recip, vf_mac_f)
LANES_OVER_ARRAY(lanes_recip_m, vf_recip, vf_mac_m)

VF_INLINE vf lanes_not_less(vf a, vf b)
{
    return vf_where(vf_not_less(a, b), vf_all(1.0f));
}

VF_INLINE vf lanes_not_equal(vf a, vf b)
{
    return vf_where(vf_not_equal(a, b), vf_all(1.0f));
}

#define LANES_OVER_PAIRS(name, function)                                                           \
    static void name(const float *a, const float *b, float *y, size_t count)                       \
    {                                                                                              \
        for (size_t i = 0; i < count; i += VF_LANES)                                               \
            vf_store(y + i, function(vf_load(a + i), vf_load(b + i)));                             \
    }

LANES_OVER_PAIRS(lanes_max_pairs, vf_max)
LANES_OVER_PAIRS(lanes_not_less_pairs, lanes_not_less)
LANES_OVER_PAIRS(lanes_not_equal_pairs, lanes_not_equal)

#define LANES_MATH_ARRAYS                                                                          \
    {                                                                                              \
        lanes_e2_f, lanes_e2_m, lanes_recip_f, lanes_recip_m, lanes_max_pairs,                     \
            lanes_not_less_pairs, lanes_not_equal_pairs                                            \
    }

#endif
