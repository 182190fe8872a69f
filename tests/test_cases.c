/* SPDX-License-Identifier: Apache-2.0
 *
 * Small inputs with their right values, on every kernel that can run here, CPU and Vulkan, and on
 * the oracle: the worked examples and the cases that broke real programs.
 */
#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "attn/digest.h"
#include "attn/oracle.h"
#include "attn/tensor.h"
#include "harness/job.h"
#include "harness/registry.h"

static registry kernels;

static int open_registry(void **state)
{
    attn_reason why;
    (void)state;
    return registry_open(&kernels, NULL, NULL, &why) == ATTN_OK ? 0 : -1;
}

static int close_registry(void **state)
{
    (void)state;
    registry_close(&kernels);
    return 0;
}

static bool same_bits(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (attn_canonical_bits(a[i]) != attn_canonical_bits(b[i]))
            return false;
    return true;
}

static void check_oracle(const attn_workload *w, const attn_inputs *in, const double *want,
                         double tolerance)
{
    double *out = attn_alloc(2 * w->dv * sizeof *out);
    attn_reason why;
    for (uint64_t row = 0; row < (uint64_t)w->b * w->h * w->n; row++) {
        const uint32_t query = (uint32_t)(row % w->n), head = row / w->n % w->h;
        assert_int_equal(attn_oracle_row(w, in, (uint32_t)(row / w->n / w->h), head, query, out,
                                         out + w->dv, &why),
                         ATTN_OK);
        for (uint32_t c = 0; c < w->dv; c++) {
            const double expect = want[row * w->dv + c];
            if (isnan(expect) ? !isnan(out[c]) : !(fabs(out[c] - expect) <= tolerance))
                fail_msg("oracle, row %d column %u: got %.9g, want %.9g", (int)row, c, out[c],
                         expect);
        }
    }
    attn_free(out);
}

/* Every kernel that supports the workload gives `want` within the tolerance (NaN: NaN). Returns
 * how many did. `contract` restricts to one contract, ATTN_CONTRACT_NONE to none. */
static int check_kernels(const char *text, const attn_inputs *in, const double *want,
                         double tolerance, attn_contract only)
{
    const attn_workload w = parse_workload(text);
    const size_t count = attn_out_elements(&w);
    float *out = attn_alloc(count * sizeof *out);
    int ran = 0;
    for (size_t k = 0; k < kernels.count; k++) {
        const attn_kernel *kernel = &kernels.kernels[k];
        attn_reason why;
        if (kernel->unavailable || (only != ATTN_CONTRACT_NONE && kernel->contract != only) ||
            kernel->ops->supports(kernel, &w, &why) != ATTN_OK)
            continue;
        if (job_output(kernel, &w, in, out, &why) != ATTN_OK)
            fail_msg("%s/%s %s: %s", kernel->device, kernel->name, text, why.text);
        for (size_t i = 0; i < count; i++)
            if (isnan(want[i]) ? !isnan(out[i]) : !(fabs(out[i] - want[i]) <= tolerance))
                fail_msg("%s/%s %s: index %d is %.9g, want %.9g", kernel->device, kernel->name,
                         text, (int)i, out[i], want[i]);
        ran++;
    }
    attn_free(out);
    return ran;
}

/* The tensors in 16 bits; false when that changes a value. */
static bool narrow(const attn_workload *w, const attn_inputs *from, attn_inputs *to)
{
    bool same = true;
    const uint64_t counts[] = {attn_q_elements(w), attn_k_elements(w), attn_v_elements(w)};
    const float *const tensors[] = {from->q, from->k, from->v};
    void **const narrowed[] = {&to->q, &to->k, &to->v};
    for (int t = 0; t < 3; t++) {
        *narrowed[t] = attn_alloc(counts[t] * sizeof(uint16_t));
        for (uint64_t i = 0; i < counts[t]; i++) {
            float back;
            store_value(*narrowed[t], w->dtype, i, tensors[t][i]);
            attn_widen((uint16_t *)*narrowed[t] + i, w->dtype, 1, &back);
            same = same && attn_canonical_bits(back) == attn_canonical_bits(tensors[t][i]);
        }
    }
    return same;
}

/* The same on 16-bit tensors, where they hold these values. Weights of 12 bits are off by 2^-12 at
 * most, and so is their sum. */
static void check_narrow(const char *text, const char *dtype, const attn_inputs *wide,
                         const double *want, double tolerance)
{
    char typed[ATTN_WORKLOAD_TEXT];
    snprintf(typed, sizeof typed, "%s,dtype=%s", text, dtype);
    const attn_workload w = parse_workload(typed);
    attn_inputs in = {0};
    if (narrow(&w, wide, &in)) {
        float largest = 0.0f;
        for (uint64_t i = 0; i < attn_v_elements(&w); i++)
            largest = fmaxf(largest, fabsf(((const float *)wide->v)[i]));
        check_oracle(&w, &in, want, tolerance);
        if (tolerance > 0)
            tolerance += 0x1p-11 * (double)largest;
        assert_true(check_kernels(typed, &in, want, tolerance, ATTN_CONTRACT_X) >= 1);
    }
    attn_inputs_free(&in);
}

static void check(const char *text, const float *q, const float *k, const float *v,
                  const double *want, double tolerance)
{
    const attn_workload w = parse_workload(text);
    const attn_inputs in = {
        .q = (void *)(uintptr_t)q, .k = (void *)(uintptr_t)k, .v = (void *)(uintptr_t)v};
    check_oracle(&w, &in, want, tolerance);
    assert_true(check_kernels(text, &in, want, tolerance, ATTN_CONTRACT_NONE) >= 3);
    check_narrow(text, "f16", &in, want, tolerance);
    check_narrow(text, "bf16", &in, want, tolerance);
}

static const float zeros[4096];

static void soft_dictionary_lookup(void **state)
{
    (void)state;
    const float q[] = {1, 0.05f}, k[] = {1, 0, 0.9f, 0.1f, 0, 1}, v[] = {10, 0, 9, 1, 0, 10};
    const double want[] = {7.919622782, 2.080377218};
    check("h=1,n=1,m=3,d=2,scale=1", q, k, v, want, 2e-6);
}

static void three_tokens(void **state)
{
    (void)state;
    const float x[] = {1, 0, 0, 1, 1, 1};
    const double want[] = {0.802224185, 0.598887907, 0.598887907,
                           0.802224185, 0.751744922, 0.751744922};
    check("h=1,n=3,d=2", x, x, x, want, 2e-7);
    /* The weights themselves: V = identity. */
    const float identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double weights[] = {0.401112093, 0.197775815, 0.401112093, 0.197775815, 0.401112093,
                              0.401112093, 0.248255078, 0.248255078, 0.503489843};
    check("h=1,n=3,d=2,dv=3", x, x, identity, weights, 2e-7);
}

static void one_weight(void **state)
{
    (void)state;
    /* Scaled score 0.067175144 from the dot product 0.19, others 0.5, -0.3, 0.1 by construction. */
    const float q[] = {0.5f, -0.2f, 0.1f, 0.3f, -0.4f, 0.2f, 0, 0.6f};
    const float s = 2 * 2.8284271247f;                                        /* q[0] = 0.5 */
    const float k[] = {0.8f,     0.1f, -0.3f, 0.2f, 0.5f,     -0.1f, 0.4f, 0, /* dot 0.19 */
                       0.5f * s, 0,    0,     0,    0,        0,     0,    0, -0.3f * s, 0, 0, 0,
                       0,        0,    0,     0,    0.1f * s, 0,     0,    0, 0,         0, 0, 0};
    const float v[] = {1, 0, 0, 0};
    const double want[] = {0.234320225};
    check("h=1,n=1,m=4,d=8,dv=1", q, k, v, want, 2e-7);
    const float ones[] = {4, 0, 0, 0};
    const double quarter[] = {1};
    check("h=1,n=1,m=4,d=8,dv=1", zeros, k, ones, quarter, 1e-7);
}

static void case_1_causal_alignment(void **state)
{
    (void)state;
    const float v[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const double a[] = {2.5, 3}, b[] = {0, 0, 0, 1, 1.5}, c[] = {4.5};
    check("h=1,n=2,m=5,d=1,mask=causal", zeros, zeros, v, a, 1e-6);
    check("h=1,n=5,m=2,d=1,mask=causal", zeros, zeros, v, b, 1e-6);
    check("h=1,n=1,m=8,d=1,mask=causal", zeros, zeros, v, c, 1e-6);
    const double a_tl[] = {1, 1.5}, b_tl[] = {1, 1.5, 1.5, 1.5, 1.5}, c_tl[] = {1};
    check("h=1,n=2,m=5,d=1,mask=causal-tl", zeros, zeros, v, a_tl, 1e-6);
    check("h=1,n=5,m=2,d=1,mask=causal-tl", zeros, zeros, v, b_tl, 1e-6);
    check("h=1,n=1,m=8,d=1,mask=causal-tl", zeros, zeros, v, c_tl, 1e-6);
}

static void case_2_few_visible_keys(void **state)
{
    (void)state;
    float v[300];
    for (int j = 0; j < 300; j++)
        v[j] = (float)j;
    const double none[] = {0}, last[] = {64}, first[] = {0};
    check("h=1,n=1,m=3,d=1,mask=len:0", zeros, zeros, v + 1, none, 0);
    check("h=1,n=1,m=65,d=1,mask=window:1", zeros, zeros, v, last, 0);
    check("h=1,n=1,m=65,d=1,mask=causal-tl", zeros, zeros, v, first, 0);
    /* Splits without a visible key: the last 70 of 300 keys lie in two splits of five. */
    const double mean[] = {264.5};
    check("h=1,n=1,m=300,d=1,mask=window:70", zeros, zeros, v, mean, 1e-4);
    check("h=1,n=1,m=300,d=1,mask=window:70,split=64", zeros, zeros, v, mean, 1e-4);
    check("h=1,n=1,m=300,d=1,mask=len:0,split=64", zeros, zeros, v, none, 0);
}

static void case_5_contract_decides(void **state)
{
    (void)state;
    const float q[] = {1, 1 + 0x1p-12f};
    const float k[] = {-(1 + 0x1p-11f), 1 + 0x1p-12f, 0, 0}, v[] = {1, 0};
    const attn_inputs in = {
        .q = (void *)(uintptr_t)q, .k = (void *)(uintptr_t)k, .v = (void *)(uintptr_t)v};
    const char *text = "h=1,n=1,m=2,d=2,dv=1,scale=16777216";
    const double split[] = {0.5}, fused[] = {0.7310586};
    assert_true(check_kernels(text, &in, split, 1e-6, ATTN_CONTRACT_M) >= 1);
    assert_true(check_kernels(text, &in, fused, 1e-6, ATTN_CONTRACT_F) >= 1);
}

static void case_6_last_lane(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  15,  16,
                                     17, 31, 33, 40, 63, 65, 72, 80, 96, 128, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t d = sizes[i];
        float q[256] = {0}, k[512] = {0}, v[] = {1, 0};
        char text[64];
        q[d - 1] = 1;
        k[d - 1] = sqrtf((float)d) * 1.0986123f;
        const double want[] = {0.75};
        snprintf(text, sizeof text, "h=1,n=1,m=2,d=%u,dv=1", d);
        check(text, q, k, v, want, 1e-6);
    }
}

/* The same bits whether NaN or zeros lie behind the keys and values. */
static void check_poison(const char *text, float *k, float *v, uint32_t m)
{
    const attn_workload w = parse_workload(text);
    const attn_inputs in = {.q = (void *)(uintptr_t)zeros, .k = k, .v = v};
    for (size_t i = 0; i < kernels.count; i++) {
        const attn_kernel *kernel = &kernels.kernels[i];
        float poisoned, clean;
        attn_reason why;
        if (kernel->unavailable || kernel->ops->supports(kernel, &w, &why) != ATTN_OK)
            continue;
        for (uint32_t j = m; j < m + 64; j++)
            k[j] = v[j] = NAN;
        assert_int_equal(job_output(kernel, &w, &in, &poisoned, &why), ATTN_OK);
        for (uint32_t j = m; j < m + 64; j++)
            k[j] = v[j] = 0.0f;
        assert_int_equal(job_output(kernel, &w, &in, &clean, &why), ATTN_OK);
        assert_true(same_bits(&poisoned, &clean, 1));
    }
}

static void case_7_tails_do_not_matter(void **state)
{
    (void)state;
    for (size_t t = 0; t < kernels.count; t++) {
        const uint32_t tile = kernels.kernels[t].tile_k;
        bool seen = false;
        for (size_t before = 0; before < t; before++)
            seen |= kernels.kernels[before].tile_k == tile;
        if (seen)
            continue;
        const uint32_t sizes[] = {1, tile > 1 ? tile - 1 : 1, tile, tile + 1, 2 * tile + 1};
        for (int i = 0; i < 5; i++) {
            const uint32_t m = sizes[i];
            float *k = attn_alloc((m + 64) * sizeof *k), *v = attn_alloc((m + 64) * sizeof *v);
            for (uint32_t j = 0; j < m + 64; j++) {
                k[j] = j < m ? 0.5f : NAN;
                v[j] = j < m ? (float)j : NAN;
            }
            const double want[] = {(m - 1) / 2.0};
            char text[64];
            snprintf(text, sizeof text, "h=1,n=1,m=%u,d=1", m);
            check(text, zeros, k, v, want, 1e-5 * m);
            check_poison(text, k, v, m);
            attn_free(k);
            attn_free(v);
        }
    }
}

static void case_8_large_magnitudes(void **state)
{
    (void)state;
    const float q[] = {1e5f}, k[] = {0, -1e5f}, v[] = {1, 1000};
    const double want[] = {1};
    check("h=1,n=1,m=2,d=1,scale=1", q, k, v, want, 0);
    const float hidden[] = {1, 3e38f};
    check("h=1,n=1,m=2,d=1,mask=len:1", zeros, zeros, hidden, want, 0);
}

static void case_9_extreme_scores(void **state)
{
    (void)state;
    const float q[] = {19.02629759f, 19.02629759f}, k[] = {19.02629759f, 19.02629759f};
    const float v[] = {1, 3}, negative[] = {-19.02629759f, -19.02629759f};
    const double want[] = {2, 2};
    check("h=1,n=2,m=2,d=1,scale=1", q, k, v, want, 1e-6);
    check("h=1,n=2,m=2,d=1,scale=1", q, negative, v, want, 1e-6);
}

static void case_19_grouped_heads(void **state)
{
    (void)state;
    const float v[] = {10, 20};
    const double six[] = {10, 10, 10, 20, 20, 20}, eight[] = {10, 10, 10, 10, 20, 20, 20, 20};
    check("h=6,hk=2,n=1,m=1,d=1", zeros, zeros, v, six, 0);
    check("h=8,hk=2,n=1,m=1,d=1", zeros, zeros, v, eight, 0);
}

/* Bit for bit; a bounded kernel may take another way around values that are not finite. */
static bool same_outcome(const attn_kernel *kernel, const float *a, const float *b, size_t count)
{
    for (size_t i = 0; kernel->tier == ATTN_TIER_BOUNDED && i < count; i++)
        if (!(fabsf(a[i] - b[i]) <= 1e-6f))
            return false;
    return kernel->tier == ATTN_TIER_BOUNDED || same_bits(a, b, count);
}

/* Hidden keys of a mixed block: the outcome equals the one without them. */
/* A dot product of 65,536 is past the range of f16: scores are not kept in the data type. */
static void case_22_dot_past_f16(void **state)
{
    (void)state;
    float q[64], k[2 * 64];
    const float v[] = {1, 3};
    const double want[] = {2};
    for (int i = 0; i < 64; i++)
        q[i] = k[i] = k[64 + i] = 32;
    check("h=1,n=1,m=2,d=64,dv=1", q, k, v, want, 0);
}

static void check_hidden_keys(const char *text, float poison)
{
    const attn_workload w = parse_workload(text);
    const size_t size = attn_dtype_size(w.dtype);
    attn_inputs clean;
    attn_reason why;
    assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 1, &clean, &why), ATTN_OK);
    float k[300], v[200], want[80], got[80];
    memcpy(k, clean.k, 300 * size);
    memcpy(v, clean.v, 200 * size);
    /* Key 80 is visible to rows 20 and later only. */
    for (size_t c = 0; c < 3; c++)
        store_value(k, w.dtype, 80 * 3 + c, poison);
    for (size_t c = 0; c < 2; c++)
        store_value(v, w.dtype, 80 * 2 + c, poison);
    const attn_inputs poisoned = {.q = clean.q, .k = k, .v = v};
    for (size_t i = 0; i < kernels.count; i++) {
        const attn_kernel *kernel = &kernels.kernels[i];
        if (kernel->unavailable || kernel->ops->supports(kernel, &w, &why) != ATTN_OK)
            continue;
        assert_int_equal(job_output(kernel, &w, &clean, want, &why), ATTN_OK);
        assert_int_equal(job_output(kernel, &w, &poisoned, got, &why), ATTN_OK);
        if (!same_outcome(kernel, got, want, 20 * 2))
            fail_msg("%s/%s %s: a hidden key of %g reaches rows that do not see it", kernel->device,
                     kernel->name, text, (double)poison);
        for (int c = 40; isnan(poison) && c < 80; c++)
            assert_true(isnan(got[c]));
    }
    attn_inputs_free(&clean);
}

static void case_20_hidden_keys(void **state)
{
    (void)state;
    static const float poisons[] = {NAN, INFINITY, -INFINITY, 3e38f};
    for (size_t p = 0; p < sizeof poisons / sizeof poisons[0]; p++) {
        check_hidden_keys("h=1,n=40,m=100,d=3,dv=2,mask=causal", poisons[p]);
        check_hidden_keys("h=1,n=40,m=100,d=3,dv=2,mask=causal,dtype=f16", poisons[p]);
        check_hidden_keys("h=1,n=40,m=100,d=3,dv=2,mask=causal,dtype=bf16", poisons[p]);
    }
}

/* Visible NaN and infinities, by the contract's edges; scores: 0, then what k says, times 1. */
static void visible_specials(void **state)
{
    (void)state;
    const float one[] = {1}, v[] = {1, 3}, v_nan[] = {NAN, 3};
    const double nan_row[] = {NAN}, first[] = {1}, zero[] = {0};
    const float k_nan[] = {0, NAN}, k_payload[] = {0, attn_float_of(0x7fc001ffu)};
    const float k_inf[] = {0, INFINITY}, k_ninf[] = {0, -INFINITY};
    const float k_all[] = {-INFINITY, -INFINITY}, k_nans[] = {NAN, NAN};
    check("h=1,n=1,m=2,d=1,scale=1", one, k_nan, v, nan_row, 0);
    check("h=1,n=1,m=2,d=1,scale=1", one, k_payload, v, nan_row, 0);
    check("h=1,n=1,m=2,d=1,scale=1", one, k_nans, v, nan_row, 0);
    check("h=1,n=1,m=2,d=1,scale=1", one, k_inf, v, nan_row, 0);
    check("h=1,n=1,m=2,d=1,scale=1", one, k_ninf, v, first, 0);
    check("h=1,n=1,m=2,d=1,scale=1", one, k_all, v, zero, 0);
    check("h=1,n=1,m=2,d=1,scale=1", one, zeros, v_nan, nan_row, 0);
    /* One key: V comes back bit for bit, whatever its size. */
    const float huge[] = {3.4028235e38f};
    const double same[] = {3.4028234663852886e38};
    check("h=1,n=1,m=1,d=1", one, one, huge, same, 0);
    /* Scale 0 is a number: uniform weights. */
    const double two[] = {2};
    check("h=1,n=1,m=2,d=1,scale=0", one, v, v, two, 0);
}

/* Every kernel of the contract of `reference` gives its bits where a block of -inf scores precedes
 * others. */
static void check_empty_blocks(const char *reference, attn_contract contract, const char *dtype)
{
    char text[ATTN_WORKLOAD_TEXT];
    snprintf(text, sizeof text, "h=1,n=30,m=200,d=1,dv=3,scale=1,mask=causal,dtype=%s", dtype);
    const attn_workload w = parse_workload(text);
    float q[30], k[200], v[600], want[90];
    for (int i = 0; i < 30; i++)
        store_value(q, w.dtype, (size_t)i, i % 7 == 0 ? 0.0f : 1.0f);
    for (int j = 0; j < 200; j++)
        store_value(k, w.dtype, (size_t)j, j < 70 || j > 190 ? -INFINITY : (float)(j % 5));
    for (int j = 0; j < 600; j++)
        store_value(v, w.dtype, (size_t)j, j < 192 ? INFINITY : (float)(j % 11) - 5);
    const attn_inputs in = {.q = q, .k = k, .v = v};
    bool found = false;
    for (size_t i = 0; i < kernels.count; i++) {
        const attn_kernel *kernel = &kernels.kernels[i];
        attn_reason why;
        float got[90];
        if (kernel->unavailable || kernel->contract != contract)
            continue;
        assert_int_equal(job_output(kernel, &w, &in, got, &why), ATTN_OK);
        if (strcmp(kernel->name, reference) == 0) {
            memcpy(want, got, sizeof want);
            found = true;
        }
        if (!found || !same_bits(got, want, 90))
            fail_msg("%s/%s %s differs from %s", kernel->device, kernel->name, text, reference);
    }
    assert_true(found);
}

static void blocks_that_do_not_count(void **state)
{
    (void)state;
    check_empty_blocks("scalar_f", ATTN_CONTRACT_F, "f32");
    check_empty_blocks("scalar_m", ATTN_CONTRACT_M, "f32");
    check_empty_blocks("scalar_x", ATTN_CONTRACT_X, "f16");
    check_empty_blocks("scalar_x", ATTN_CONTRACT_X, "bf16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_dictionary_lookup),
        cmocka_unit_test(three_tokens),
        cmocka_unit_test(one_weight),
        cmocka_unit_test(case_1_causal_alignment),
        cmocka_unit_test(case_2_few_visible_keys),
        cmocka_unit_test(case_5_contract_decides),
        cmocka_unit_test(case_6_last_lane),
        cmocka_unit_test(case_7_tails_do_not_matter),
        cmocka_unit_test(case_8_large_magnitudes),
        cmocka_unit_test(case_9_extreme_scores),
        cmocka_unit_test(case_19_grouped_heads),
        cmocka_unit_test(case_22_dot_past_f16),
        cmocka_unit_test(case_20_hidden_keys),
        cmocka_unit_test(visible_specials),
        cmocka_unit_test(blocks_that_do_not_count),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
