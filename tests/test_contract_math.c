/* SPDX-License-Identifier: Apache-2.0
 *
 * E2 and RECIP over every binary32 of their ranges: scalar = AVX2 or NEON bit for bit, and the
 * error against binary64 (which MPFR vouches for). ATTNMARK_SWEEP_STRIDE (default 1: every float)
 * thins the sweep where a run is slow, under an emulator or a sanitizer.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_MPFR
#include <mpfr.h>
#endif

#include "cpu/isa.h"
#include "cpu/math_arrays.h"
#include "cpu/scalar/contract_math.h"
#include "cpu_config.h"

enum { CHUNK = 4096 };

/* Of the widest usable ISA; NULL where this build or this CPU has no vectors. */
static const math_arrays *usable_vectors(void)
{
#if CPU_BUILT_avx512
    if (!cpu_isa_unavailable(CPU_ISA_avx512))
        return &avx512_math;
#endif
#if CPU_BUILT_avx2
    if (!cpu_isa_unavailable(CPU_ISA_avx2))
        return &avx2_math;
#endif
#if CPU_BUILT_neon
    if (!cpu_isa_unavailable(CPU_ISA_neon))
        return &neon_math;
#endif
    return NULL;
}

typedef struct sweep {
    uint32_t first, last; /* bit patterns, inclusive */
    float (*scalar)(float x, contract_mac *mac);
    contract_mac *mac;
    math_over_array *vector; /* NULL: none to compare */
    double (*exact)(double x);
} sweep;

typedef struct outcome {
    uint64_t floats, different; /* scalar and vector results that differ */
    double ulps;                /* largest error in units of the result's last place */
} outcome;

static uint32_t stride(void)
{
    const char *text = getenv("ATTNMARK_SWEEP_STRIDE");
    const int value = text ? atoi(text) : 1;
    return value > 0 ? (uint32_t)value : 1;
}

static double ulps_off(float got, double want)
{
    int exponent;
    frexp(want, &exponent);
    return fabs(got - want) / ldexp(1.0, exponent - 24);
}

static void sweep_chunk(const sweep *s, uint64_t from, uint32_t step, outcome *o)
{
    float x[CHUNK], y[CHUNK];
    for (int i = 0; i < CHUNK; i++) {
        const uint64_t bits = from + (uint64_t)i * step;
        x[i] = attn_float_of(bits < s->last ? (uint32_t)bits : s->last);
    }
    if (s->vector)
        s->vector(x, y, CHUNK);
    for (int i = 0; i < CHUNK; i++) {
        const float got = s->scalar(x[i], s->mac);
        const double error = ulps_off(got, s->exact(x[i]));
        o->different += s->vector && attn_bits_of(got) != attn_bits_of(y[i]);
        o->ulps = error > o->ulps ? error : o->ulps;
        o->floats++;
    }
}

static outcome run_sweep(const sweep *s)
{
    const uint32_t step = stride();
    const uint64_t chunk = (uint64_t)CHUNK * step;
    const int64_t chunks = (int64_t)((s->last - s->first) / chunk + 1);
    uint64_t floats = 0, different = 0;
    double ulps = 0.0;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : floats, different)                    \
    reduction(max : ulps)
#endif
    for (int64_t i = 0; i < chunks; i++) {
        outcome o = {0, 0, 0.0};
        sweep_chunk(s, s->first + (uint64_t)i * chunk, step, &o);
        floats += o.floats;
        different += o.different;
        ulps = o.ulps > ulps ? o.ulps : ulps;
    }
    print_message("# %llu floats, worst error %.4f ulp%s\n", (unsigned long long)floats, ulps,
                  s->vector ? ", vectors compared" : ", no vectors here");
    return (outcome){floats, different, ulps};
}

static double reciprocal(double x)
{
    return 1.0 / x;
}

#define VECTOR(member) (usable_vectors() ? usable_vectors()->member : NULL)
#define E2_SWEEP(mac, member)                                                                      \
    {                                                                                              \
        0x80000000u, ATTN_E2_MIN_BITS, contract_e2, mac, VECTOR(member), exp2                      \
    }
#define RECIP_SWEEP(mac, member)                                                                   \
    {                                                                                              \
        0x3f800000u, 0x4c000000u, contract_recip, mac, VECTOR(member), reciprocal                  \
    }

static void e2_fused(void **state)
{
    (void)state;
    const sweep s = E2_SWEEP(contract_mac_f, e2_f);
    const outcome o = run_sweep(&s);
    assert_int_equal(o.different, 0);
    assert_true(o.ulps <= 0.83);
}

static void e2_split(void **state)
{
    (void)state;
    const sweep s = E2_SWEEP(contract_mac_m, e2_m);
    const outcome o = run_sweep(&s);
    assert_int_equal(o.different, 0);
    assert_true(o.ulps <= 1.11);
}

static void recip_fused(void **state)
{
    (void)state;
    const sweep s = RECIP_SWEEP(contract_mac_f, recip_f);
    const outcome o = run_sweep(&s);
    assert_int_equal(o.different, 0);
    assert_true(o.ulps <= 0.51);
}

static void recip_split(void **state)
{
    (void)state;
    const sweep s = RECIP_SWEEP(contract_mac_m, recip_m);
    const outcome o = run_sweep(&s);
    assert_int_equal(o.different, 0);
    assert_true(o.ulps <= 1.14);
}

static void special_values(void **state)
{
    (void)state;
    contract_mac *const macs[] = {contract_mac_f, contract_mac_m};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(attn_bits_of(contract_e2(0.0f, macs[i])), 0x3f800000);
        assert_int_equal(attn_bits_of(contract_e2(-0.0f, macs[i])), 0x3f800000);
        assert_int_equal(attn_bits_of(contract_e2(-1.0f, macs[i])), 0x3f000000);
        assert_int_equal(attn_bits_of(contract_e2(-60.0f, macs[i])), attn_bits_of(0x1p-60f));
        assert_int_equal(attn_bits_of(contract_e2(nextafterf(-60.0f, -61.0f), macs[i])), 0);
        assert_int_equal(attn_bits_of(contract_e2(-INFINITY, macs[i])), 0);
        for (uint32_t payload = 1; payload < 0x200; payload++) {
            assert_true(isnan(contract_e2(attn_float_of(0x7fc00000u | payload), macs[i])));
            assert_true(isnan(contract_e2(attn_float_of(0xffc00000u | payload), macs[i])));
        }
        assert_int_equal(attn_bits_of(contract_recip(1.0f, macs[i])), 0x3f800000);
        assert_int_equal(attn_bits_of(contract_recip(2.0f, macs[i])), 0x3f000000);
    }
}

static void twelve_bits(void **state)
{
    (void)state;
    assert_int_equal(attn_bits_of(contract_round12(1.0f)), 0x3f800000);
    assert_int_equal(attn_bits_of(contract_round12(0x1.0008p0f)), 0x3f800000); /* below the half */
    assert_int_equal(attn_bits_of(contract_round12(0x1.001p0f)), 0x3f800000);  /* tie, to even */
    assert_int_equal(attn_bits_of(contract_round12(0x1.003p0f)), 0x3f802000);  /* tie, to even */
    assert_int_equal(attn_bits_of(contract_round12(0x1.00101p0f)), 0x3f801000);
    assert_int_equal(attn_bits_of(contract_round12(0x1.ffffp-1f)), 0x3f800000);
    assert_int_equal(attn_bits_of(contract_round12(0.0f)), 0);
    assert_true(isnan(contract_round12(NAN)));
}

/* NaN, infinities and zeros of both signs in every pair: each ISA has its own instructions. */
static void vectors_compare_like_c(void **state)
{
    (void)state;
    static const float values[] = {NAN,   -NAN, -INFINITY, -60.0f,  -1.0f,
                                   -0.0f, 0.0f, 1.0f,      INFINITY};
    enum { VALUES = sizeof values / sizeof values[0], GROUP = 16 };
    const math_arrays *vectors = usable_vectors();
    if (!vectors)
        NOTHING_TO_TEST("no vectors here");
    for (int i = 0; i < VALUES; i++)
        for (int j = 0; j < VALUES; j++) {
            const float x = values[i], y = values[j];
            float a[GROUP], b[GROUP], max[GROUP], not_less[GROUP], not_equal[GROUP];
            for (int lane = 0; lane < GROUP; lane++) {
                a[lane] = x;
                b[lane] = y;
            }
            vectors->max(a, b, max, GROUP);
            vectors->not_less(a, b, not_less, GROUP);
            vectors->not_equal(a, b, not_equal, GROUP);
            for (int lane = 0; lane < GROUP; lane++) {
                assert_int_equal(attn_bits_of(max[lane]), attn_bits_of(x > y ? x : y));
                assert_int_equal(attn_bits_of(not_less[lane]), attn_bits_of(x < y ? 0.0f : 1.0f));
                assert_int_equal(attn_bits_of(not_equal[lane]), attn_bits_of(x == y ? 0.0f : 1.0f));
            }
        }
}

#ifdef HAVE_MPFR
/* The binary64 exp2 that judges E2 is itself good to a millionth of a binary32 ulp. */
static void judge_is_sound(void **state)
{
    (void)state;
    mpfr_t x, y;
    mpfr_inits2(120, x, y, (mpfr_ptr)0);
    for (uint32_t bits = 0x80000000u; bits <= ATTN_E2_MIN_BITS; bits += 100003) {
        mpfr_set_flt(x, attn_float_of(bits), MPFR_RNDN);
        mpfr_exp2(y, x, MPFR_RNDN);
        mpfr_sub_d(x, y, exp2(attn_float_of(bits)), MPFR_RNDN);
        mpfr_div(x, x, y, MPFR_RNDN);
        assert_true(fabs(mpfr_get_d(x, MPFR_RNDN)) < 1e-6 * 0x1p-24);
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef HAVE_MPFR
        cmocka_unit_test(judge_is_sound),
#endif
        cmocka_unit_test(vectors_compare_like_c),
        cmocka_unit_test(special_values),
        cmocka_unit_test(twelve_bits),
        cmocka_unit_test(e2_fused),
        cmocka_unit_test(e2_split),
        cmocka_unit_test(recip_fused),
        cmocka_unit_test(recip_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
