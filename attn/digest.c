/* SPDX-License-Identifier: Apache-2.0
 *
 * XXH3-128 of folded floats. The header-only form of xxHash keeps the hash state on the stack:
 * a digest cannot fail.
 */
#include "attn/digest.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "attn/contract.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "digests are defined over little-endian values: swap the words here first"
#endif

enum { CHUNK = 1024 };

static attn_digest to_hex(XXH128_hash_t hash)
{
    attn_digest digest;

    snprintf(digest.hex, sizeof digest.hex, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return digest;
}

uint32_t attn_canonical_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (bits == 0x80000000u)
        return 0;
    return (bits & 0x7fffffffu) > 0x7f800000u ? ATTN_NAN_BITS : bits;
}

attn_digest attn_digest_floats(const float *values, size_t count)
{
    uint32_t folded[CHUNK];
    XXH3_state_t state;

    XXH3_128bits_reset(&state);
    while (count) {
        const size_t chunk = count < CHUNK ? count : CHUNK;
        for (size_t i = 0; i < chunk; i++)
            folded[i] = attn_canonical_bits(values[i]);
        XXH3_128bits_update(&state, folded, chunk * sizeof *folded);
        values += chunk;
        count -= chunk;
    }
    return to_hex(XXH3_128bits_digest(&state));
}

attn_digest attn_digest_bytes(const void *bytes, size_t count)
{
    return to_hex(XXH3_128bits(bytes, count));
}

attn_digest attn_digest_input(const attn_workload *w, const attn_inputs *in, attn_tensor_id tensor)
{
    const attn_shape s = attn_inputs_shape(w, tensor);
    const uint32_t group = w->h / s.heads; /* query heads for one of the tensor's */
    const size_t size = attn_dtype_size(w->dtype);
    XXH3_state_t state;

    XXH3_128bits_reset(&state);
    for (uint32_t b = 0; b < s.batch; b++)
        for (uint32_t h = 0; h < s.heads; h++) {
            const attn_rows rows = attn_inputs_rows(w, in, tensor, b, h * group, 0);
            for (uint32_t i = 0; i < s.rows; i++)
                XXH3_128bits_update(&state, (const char *)rows.first + i * rows.stride * size,
                                    s.width * size);
        }
    return to_hex(XXH3_128bits_digest(&state));
}

bool attn_digest_equal(const attn_digest *a, const attn_digest *b)
{
    return strcmp(a->hex, b->hex) == 0;
}
