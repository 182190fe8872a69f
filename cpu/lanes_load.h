/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of elements of a storage type, widened, or of the last `count` of a row: what lies past
 * them is not read, and the other lanes are 0. In the operations of one ISA's header (which is
 * included first).
 */
#ifndef CPU_LANES_LOAD_H
#define CPU_LANES_LOAD_H

#include <string.h>

#include "attn/tensor.h"

VF_INLINE vf vf_load_first(const float *p, uint32_t count)
{
    float part[VF_LANES] = {0};
    if (count < VF_LANES)
        p = memcpy(part, p, count * sizeof *p);
    return vf_load(p);
}

VF_INLINE void vf_store_first(float *p, vf a, uint32_t count)
{
    float part[VF_LANES];
    if (count >= VF_LANES) {
        vf_store(p, a);
        return;
    }
    vf_store(part, a);
    memcpy(p, part, count * sizeof *p);
}

/* Element number `at` of a tensor and those behind it. */
VF_INLINE vf vf_load_elements(const void *tensor, size_t at, attn_dtype dtype, uint32_t count)
{
    uint16_t part[VF_LANES] = {0};
    if (dtype == ATTN_F32)
        return vf_load_first((const float *)tensor + at, count);
    const uint16_t *p = (const uint16_t *)tensor + at;
    if (count < VF_LANES)
        p = memcpy(part, p, count * sizeof *p);
    return dtype == ATTN_F16 ? vf_load_f16(p) : vf_load_bf16(p);
}

#endif
