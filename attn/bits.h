/* SPDX-License-Identifier: Apache-2.0
 *
 * A binary32 value and its bit pattern.
 */
#ifndef ATTN_BITS_H
#define ATTN_BITS_H

#include <stdint.h>
#include <string.h>

static inline float attn_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t attn_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
