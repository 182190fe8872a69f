/* SPDX-License-Identifier: Apache-2.0
 *
 * Random workloads with hostile numbers: every exact CPU kernel must give the bits of the scalar
 * reference. ATTNMARK_RANDOM_SEED and ATTNMARK_RANDOM_COUNT look elsewhere and longer; a failure
 * prints the seed that repeats it.
 */
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "attn/digest.h"
#include "attn/tensor.h"
#include "cpu/cpu.h"

static uint32_t below(uint64_t *state, uint32_t n)
{
    return next_random(state) % n;
}

/* A size at or beside a tile edge, or any up to max. */
static uint32_t pick_size(uint64_t *state, uint32_t max)
{
    static const uint32_t edges[] = {1,  2,  3,  4,  5,  7,  8,  9,  15,  16,  17,  23,  24,  25,
                                     31, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 191, 192, 193};
    uint32_t size;
    do
        size = below(state, 2) ? edges[below(state, sizeof edges / sizeof edges[0])]
                               : 1 + below(state, max);
    while (size > max);
    return size;
}

static attn_workload pick_workload(uint64_t *state, attn_dtype dtype)
{
    static const double scales[] = {0, -0.3, 2.35e38, -2.35e38, 1e-40, 1e-320, 64};
    attn_workload w = attn_workload_default(pick_size(state, 80), pick_size(state, 70));
    w.m = below(state, 3) ? pick_size(state, 300) : w.n;
    w.dv = below(state, 2) ? w.d : pick_size(state, 70);
    w.hk = 1 + below(state, 2);
    w.h = w.hk * (1 + below(state, 3));
    w.b = 1 + below(state, 2);
    w.split = below(state, 3) ? 0 : 64 * (1 + below(state, 4));
    w.dtype = dtype;
    w.mask = (attn_mask_kind)below(state, ATTN_MASK_LEN + 1);
    if (w.mask == ATTN_MASK_WINDOW || w.mask == ATTN_MASK_CHUNK)
        w.mask_size = pick_size(state, 200);
    if (w.mask == ATTN_MASK_LEN) {
        w.lens = w.b;
        for (uint32_t i = 0; i < w.b; i++)
            w.len[i] = below(state, w.m + 1);
    }
    if (below(state, 2))
        w.scale = scales[below(state, sizeof scales / sizeof scales[0])];
    return w;
}

static float hostile(uint64_t *state)
{
    static const uint32_t bits[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc12345u, 0x7f800001u,
                                    0xff812345u, 0x80000000u, 0x00000001u, 0x80400000u, 0x7f7fffffu,
                                    0xff7fffffu, 0x7f61b1e6u, 0x7fc001ffu, 0x00000000u};
    return attn_float_of(bits[below(state, sizeof bits / sizeof bits[0])]);
}

/* Ordinary numbers of one magnitude, one in `density` hostile (0: none). Rows of K (row > 0) may
 * be poisoned whole, so that blocks of -inf scores arise. */
static void fill(uint64_t *state, void *tensor, attn_dtype dtype, uint64_t count, uint32_t row)
{
    static const float magnitudes[] = {1, 1, 1, 1e-3f, 30, 1e4f, 1e18f, 1e38f, 1e-20f};
    const float magnitude = magnitudes[below(state, 9)];
    const uint32_t density = below(state, 3) ? 4u << below(state, 10) : 0;
    const bool whole_rows = row && below(state, 4) == 0;
    for (uint64_t i = 0; i < count; i++) {
        float value = ((float)next_random(state) * 0x1p-30f - 1.0f) * magnitude;
        if (density && below(state, density) == 0)
            value = hostile(state);
        if (whole_rows && i % row == 0 && (i / row / 64 % 2 == 0 || below(state, 2)))
            value = -INFINITY;
        if (dtype == ATTN_F32)
            ((float *)tensor)[i] = value;
        else
            ((uint16_t *)tensor)[i] =
                dtype == ATTN_F16 ? attn_f32_to_f16(value) : attn_f32_to_bf16(value);
    }
}

static void compare(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                    unsigned threads, uint64_t seed)
{
    const size_t count = attn_out_elements(w);
    float *got = attn_alloc(count * sizeof *got), *want = attn_alloc(count * sizeof *want);
    char text[ATTN_WORKLOAD_TEXT];
    attn_job *job;
    attn_timing timing;
    attn_reason why;
    for (uint32_t head = 0; head < w->b * w->h; head++)
        assert_int_equal(cpu_reference_rows(kernel->contract, w, in, head / w->h, head % w->h, 0,
                                            w->n, want + (size_t)head * w->n * w->dv, &why),
                         ATTN_OK);
    if (kernel->ops->prepare(kernel, w, in, threads, &job, &why) != ATTN_OK)
        assert_int_equal(kernel->ops->prepare(kernel, w, in, 1, &job, &why), ATTN_OK);
    assert_int_equal(kernel->ops->run(job, &timing, &why), ATTN_OK);
    assert_int_equal(kernel->ops->fetch(job, got, &why), ATTN_OK);
    for (size_t i = 0; i < count; i++)
        if (attn_canonical_bits(got[i]) != attn_canonical_bits(want[i]))
            fail_msg("ATTNMARK_RANDOM_SEED=%llu: %s %s: index %llu is %a, want %a",
                     (unsigned long long)seed, kernel->name, attn_workload_format(w, text),
                     (unsigned long long)i, got[i], want[i]);
    kernel->ops->release(job);
    attn_free(got);
    attn_free(want);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void exact_kernels_equal_the_reference(void **unused)
{
    (void)unused;
    const uint64_t first = setting("ATTNMARK_RANDOM_SEED", 1);
    const uint64_t count = setting("ATTNMARK_RANDOM_COUNT", 250);
    size_t kernels;
    const attn_kernel *kernel = cpu_kernels(&kernels);
    for (uint64_t seed = first; seed < first + count; seed++) {
        for (size_t k = 0; k < kernels; k++) {
            uint64_t state = seed * 7919;
            attn_reason why;
            if (kernel[k].unavailable || kernel[k].tier != ATTN_TIER_EXACT)
                continue;
            const attn_dtype dtype = kernel[k].contract != ATTN_CONTRACT_X ? ATTN_F32
                                     : seed % 2                            ? ATTN_F16
                                                                           : ATTN_BF16;
            const attn_workload w = pick_workload(&state, dtype);
            attn_inputs in;
            assert_int_equal(attn_workload_check(&w, &why), ATTN_OK);
            assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 1, &in, &why), ATTN_OK);
            fill(&state, in.q, dtype, attn_q_elements(&w), 0);
            fill(&state, in.k, dtype, attn_k_elements(&w), w.d);
            fill(&state, in.v, dtype, attn_v_elements(&w), 0);
            compare(&kernel[k], &w, &in, 1 + (unsigned)seed % 3, seed);
            attn_inputs_free(&in);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_kernels_equal_the_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
