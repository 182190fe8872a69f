/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/x86/avx2_math.h"

#include "cpu/x86/avx2.h"

#include "cpu/lanes_math.h"

#define OVER_ARRAY(name, function, mac)                                                            \
    void name(const float *x, float *y, size_t count)                                              \
    {                                                                                              \
        for (size_t i = 0; i < count; i += VF_LANES)                                               \
            vf_store(y + i, function(vf_load(x + i), mac));                                        \
    }

OVER_ARRAY(avx2_e2_f, vf_e2, vf_mac_f)
OVER_ARRAY(avx2_e2_m, vf_e2, vf_mac_m)
OVER_ARRAY(avx2_recip_f, vf_recip, vf_mac_f)
OVER_ARRAY(avx2_recip_m, vf_recip, vf_mac_m)
