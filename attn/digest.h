/* SPDX-License-Identifier: Apache-2.0
 *
 * The canonical digest: XXH3-128, seed 0, of little-endian binary32 values in canonical order
 * [batch][query head][query][dv], after folding -0 to +0 and every NaN to 0x7fc00000.
 */
#ifndef ATTN_DIGEST_H
#define ATTN_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attn/inputs.h"

typedef struct attn_digest {
    char hex[33]; /* 32 lower-case hex digits, high half first */
} attn_digest;

attn_digest attn_digest_floats(const float *values, size_t count);
/* Of raw bytes, nothing folded: for shader words. */
attn_digest attn_digest_bytes(const void *bytes, size_t count);
/* Of an input tensor's bytes in canonical order, whatever its layout, nothing folded. */
attn_digest attn_digest_input(const attn_workload *w, const attn_inputs *in, attn_tensor_id tensor);
bool attn_digest_equal(const attn_digest *a, const attn_digest *b);

/* The bits that the digest hashes for one value. */
uint32_t attn_canonical_bits(float value);

#endif
