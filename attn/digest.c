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

bool attn_digest_equal(const attn_digest *a, const attn_digest *b)
{
    return strcmp(a->hex, b->hex) == 0;
}
