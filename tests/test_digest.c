/* SPDX-License-Identifier: Apache-2.0
 *
 * The digest against xxHash called directly, known answers, and folding.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <xxhash.h>

#include "attn/digest.h"

static void known_answers(void **state)
{
    (void)state;
    assert_string_equal(attn_digest_bytes(NULL, 0).hex, "99aa06d3014798d86001c324468d497f");
    assert_string_equal(attn_digest_floats(NULL, 0).hex, "99aa06d3014798d86001c324468d497f");
    assert_string_equal(attn_digest_bytes("abc", 3).hex, "06b05ab6733a618578af5f94892f3950");
}

/* Lengths around the chunk that is folded at a time, and around xxHash's own limits. */
static void chunks_hash_like_the_whole(void **state)
{
    (void)state;
    static const size_t counts[] = {1,    2,    4,    5,    32,   60,   61,   256,
                                    1023, 1024, 1025, 2048, 2049, 5000, 65536};
    enum { MOST = 65536 };
    float *values = malloc(MOST * sizeof *values);

    assert_non_null(values);
    for (size_t i = 0; i < MOST; i++)
        values[i] = (float)i - 0.5f;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t bytes = counts[i] * sizeof *values;
        const XXH128_hash_t hash = XXH3_128bits(values, bytes);
        char hex[33];
        snprintf(hex, sizeof hex, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
        assert_string_equal(attn_digest_floats(values, counts[i]).hex, hex);
        assert_string_equal(attn_digest_bytes(values, bytes).hex, hex);
    }
    free(values);
}

static void canonical_bits(void **state)
{
    (void)state;
    assert_int_equal(attn_canonical_bits(0.0f), 0);
    assert_int_equal(attn_canonical_bits(-0.0f), 0);
    assert_int_equal(attn_canonical_bits(1.0f), 0x3f800000);
    assert_int_equal(attn_canonical_bits(-INFINITY), 0xff800000);
    assert_int_equal(attn_canonical_bits(attn_float_of(0x80000001)), 0x80000001);
    assert_int_equal(attn_canonical_bits(attn_float_of(0x7fc00000)), 0x7fc00000);
    assert_int_equal(attn_canonical_bits(attn_float_of(0xffc00000)), 0x7fc00000);
    assert_int_equal(attn_canonical_bits(attn_float_of(0x7fc12345)), 0x7fc00000);
    assert_int_equal(attn_canonical_bits(attn_float_of(0xffffffff)), 0x7fc00000);
}

static void zeros_and_nans_fold(void **state)
{
    (void)state;
    const float one[] = {0.0f, attn_float_of(0x7fc00000), 2.0f};
    const float same[] = {-0.0f, attn_float_of(0xffd00001), 2.0f};
    const float other[] = {0.0f, attn_float_of(0x7fc00000), -2.0f};
    const attn_digest a = attn_digest_floats(one, 3), b = attn_digest_floats(same, 3);
    const attn_digest c = attn_digest_floats(other, 3), d = attn_digest_floats(one, 2);
    const attn_digest raw = attn_digest_bytes(same, sizeof same);

    assert_true(attn_digest_equal(&a, &b));
    assert_false(attn_digest_equal(&a, &c));
    assert_false(attn_digest_equal(&a, &d));
    assert_false(attn_digest_equal(&a, &raw));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(chunks_hash_like_the_whole),
        cmocka_unit_test(canonical_bits),
        cmocka_unit_test(zeros_and_nans_fold),
    };

    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
