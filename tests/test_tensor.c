/* SPDX-License-Identifier: Apache-2.0
 *
 * Guarded buffers, and 16-bit conversion against rounding done in binary64.
 */
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "attn/tensor.h"

static void buffers_are_aligned(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 300; bytes += 7) {
        char *p = attn_alloc(bytes);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        memset(p, 1, bytes);
        attn_free(p);
    }
    assert_null(attn_alloc(SIZE_MAX - 4096));
    attn_free(NULL);
}

/* Is the byte out of reach? The kernel answers without a signal: it reads or writes the byte
 * for a pipe. */
static bool faults(const char *byte, bool writing)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    if (writing)
        assert_int_equal(write(ends[1], "x", 1), 1);
    errno = 0;
    const ssize_t moved =
        writing ? read(ends[0], (void *)(uintptr_t)byte, 1) : write(ends[1], byte, 1);
    const bool fault = moved == -1 && errno == EFAULT;
    close(ends[0]);
    close(ends[1]);
    return fault;
}

static void guarded_buffers_fault_past_both_ends(void **state)
{
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t sizes[] = {0, 1, 4, page - 1, page, page + 4, 3 * page};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        attn_guarded g;
        assert_int_equal(attn_guarded_alloc(sizes[i], &g, NULL), ATTN_OK);
        char *data = g.data;
        memset(data, 1, sizes[i]);
        assert_true(faults(data + sizes[i], false));
        assert_true(faults(data + sizes[i], true));
        assert_true(faults((char *)g.base + page - 1, false));
        if (sizes[i] % page == 0)
            assert_true(faults(data - 1, true));
        if (sizes[i])
            assert_false(faults(data + sizes[i] - 1, true));
        attn_guarded_free(&g);
        assert_null(g.data);
        attn_guarded_free(&g);
    }
    attn_guarded g;
    assert_int_equal(attn_guarded_alloc(SIZE_MAX - 1, &g, NULL), ATTN_OUT_OF_MEMORY);
    assert_null(g.data);
}

/* A binary format by its numbers, with one sign bit and values up to 16 bits. */
typedef struct format {
    int fraction_bits, min_exponent; /* of normal numbers */
    double overflow;                 /* magnitudes from here on round to inf */
} format;

static const format f16 = {10, -14, 65520.0};
static const format bf16 = {7, -126, 0x1.ffp127};

static double value_of(const format *fmt, uint16_t bits)
{
    const int magnitude = bits & 0x7fff, fraction = magnitude & ((1 << fmt->fraction_bits) - 1);
    const int exponent = magnitude >> fmt->fraction_bits;
    const double sign = bits >> 15 ? -1.0 : 1.0;

    if (exponent == 0)
        return sign * ldexp(fraction, fmt->min_exponent - fmt->fraction_bits);
    return sign * ldexp((1 << fmt->fraction_bits) + fraction,
                        exponent - 1 + fmt->min_exponent - fmt->fraction_bits);
}

/* nearbyint of the value in units of its last place, exact in binary64. */
static double rounded(const format *fmt, float f)
{
    int exponent;

    if (fabs((double)f) >= fmt->overflow)
        return f > 0.0f ? INFINITY : -INFINITY;
    frexp(f, &exponent);
    exponent = exponent - 1 > fmt->min_exponent ? exponent - 1 : fmt->min_exponent;
    const double unit = ldexp(1.0, exponent - fmt->fraction_bits);
    return nearbyint(f / unit) * unit;
}

static uint16_t narrow(const format *fmt, float f)
{
    return fmt == &f16 ? attn_f32_to_f16(f) : attn_f32_to_bf16(f);
}

static float widen(const format *fmt, uint16_t bits)
{
    return fmt == &f16 ? attn_f16_to_f32(bits) : attn_bf16_to_f32(bits);
}

static bool is_nan_or_inf(const format *fmt, uint16_t bits)
{
    const int field = 0x7fff >> fmt->fraction_bits << fmt->fraction_bits;

    return (bits & field) == field;
}

static void check_narrowing(const format *fmt, float f)
{
    const uint16_t bits = narrow(fmt, f);
    const double want = rounded(fmt, f);
    const double got = is_nan_or_inf(fmt, bits) ? widen(fmt, bits) : value_of(fmt, bits);

    if (got != want || !signbit(f) != !(bits >> 15))
        fail_msg("%a became 0x%04x = %a, %a wanted", f, bits, got, want);
}

static void check_format(const format *fmt)
{
    for (uint32_t bits = 0; bits < 65536; bits++) {
        const uint16_t h = (uint16_t)bits;
        const float f = widen(fmt, h);
        if (isnan(f)) {
            assert_true(is_nan_or_inf(fmt, h));
            assert_true(isnan(widen(fmt, narrow(fmt, f))));
            continue;
        }
        assert_int_equal(narrow(fmt, f), h);
        if (isinf(f)) {
            assert_int_equal(h & 0x7fff, 0x7fff >> fmt->fraction_bits << fmt->fraction_bits);
            continue;
        }
        assert_true((double)f == value_of(fmt, h));
        assert_int_equal(!signbit(f), !(h >> 15));
        /* The midpoint to the next magnitude, exact in binary32, and both its neighbours. */
        if (is_nan_or_inf(fmt, h + 1))
            continue;
        const float tie = (float)((value_of(fmt, h) + value_of(fmt, h + 1)) / 2.0);
        check_narrowing(fmt, tie);
        check_narrowing(fmt, nextafterf(tie, INFINITY));
        check_narrowing(fmt, nextafterf(tie, -INFINITY));
    }
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 4093) {
        const float f = attn_float_of((uint32_t)bits);
        if (isnan(f))
            assert_true(isnan(widen(fmt, narrow(fmt, f))));
        else
            check_narrowing(fmt, f);
    }
}

static void f16_every_value_every_tie(void **state)
{
    (void)state;
    check_format(&f16);
    assert_int_equal(attn_f32_to_f16(65519.996f), 0x7bff);
    assert_int_equal(attn_f32_to_f16(65520.0f), 0x7c00);
    assert_int_equal(attn_f32_to_f16(-INFINITY), 0xfc00);
    assert_int_equal(attn_f32_to_f16(0x1p-25f), 0x0000);
    assert_int_equal(attn_f32_to_f16(0x1.000002p-25f), 0x0001);
    assert_int_equal(attn_f32_to_f16(0x1.8p-24f), 0x0002);
    assert_int_equal(attn_f32_to_f16(attn_float_of(0x7f800001)) & 0x7e00, 0x7e00);
}

static void bf16_every_value_every_tie(void **state)
{
    (void)state;
    check_format(&bf16);
    assert_int_equal(attn_f32_to_bf16(attn_float_of(0x7f7fffff)), 0x7f80);
    assert_int_equal(attn_f32_to_bf16(attn_float_of(0x3f808000)), 0x3f80);
    assert_int_equal(attn_f32_to_bf16(attn_float_of(0x3f818000)), 0x3f82);
    assert_int_equal(attn_f32_to_bf16(attn_float_of(0x7f800001)) & 0x7fc0, 0x7fc0);
}

static void widening_arrays(void **state)
{
    (void)state;
    const uint16_t halves[] = {0x3c00, 0xc000, 0x0001}, brains[] = {0x3f80, 0xc000, 0x0001};
    const float floats[] = {1.0f, -0.0f, 3e38f};
    float out[3];

    attn_widen(halves, ATTN_F16, 3, out);
    assert_true(out[0] == 1.0f && out[1] == -2.0f && out[2] == 0x1p-24f);
    attn_widen(brains, ATTN_BF16, 3, out);
    assert_true(out[0] == 1.0f && out[1] == -2.0f && out[2] == 0x1p-133f);
    attn_widen(floats, ATTN_F32, 3, out);
    assert_memory_equal(out, floats, sizeof floats);
    attn_widen(NULL, ATTN_F32, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_aligned),
        cmocka_unit_test(guarded_buffers_fault_past_both_ends),
        cmocka_unit_test(f16_every_value_every_tie),
        cmocka_unit_test(bf16_every_value_every_tie),
        cmocka_unit_test(widening_arrays),
    };

    return cmocka_run_group_tests_name("tensor", tests, NULL, NULL);
}
