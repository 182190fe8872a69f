/* SPDX-License-Identifier: Apache-2.0
 *
 * The oracle against worked examples, and its edges.
 */
#include "unit.h"

#include <math.h>

#include "attn/oracle.h"

enum { MOST = 16 };

/* One head; d, dv and m up to MOST. */
static attn_workload small(uint32_t n, uint32_t m, uint32_t d, uint32_t dv, double scale)
{
    attn_workload w = attn_workload_default(n, d);

    w.h = w.hk = 1;
    w.m = m;
    w.dv = dv;
    w.scale = scale;
    assert_int_equal(attn_workload_check(&w, NULL), ATTN_OK);
    return w;
}

/* Row i of q, k, v; both flavours of the oracle agree in the value. */
static void row(const attn_workload *w, float *q, float *k, float *v, uint32_t i, double *out,
                double *bound)
{
    const attn_inputs in = {.q = q, .k = k, .v = v};
    double same[MOST], tight[MOST];

    assert_int_equal(attn_oracle_row(w, &in, 0, 0, i, out, bound, NULL), ATTN_OK);
    assert_int_equal(attn_oracle_row_contract(w, &in, 0, 0, i, same, tight, NULL), ATTN_OK);
    assert_memory_equal(out, same, w->dv * sizeof *out);
    for (uint32_t c = 0; c < w->dv; c++)
        assert_true(tight[c] >= 0.0 && tight[c] <= bound[c]);
}

static void assert_digits(const double *got, const double *want, size_t count)
{
    for (size_t c = 0; c < count; c++)
        if (!(fabs(got[c] - want[c]) < 6e-10))
            fail_msg("value %zu is %.10f, %.9f wanted", c, got[c], want[c]);
}

/* Worked examples. Decimals are given as integers with a scale, so that binary32 holds them. */

static void soft_dictionary_lookup(void **state)
{
    (void)state;
    float q[] = {20, 1}; /* [1, 0.05] */
    float k[] = {10, 0, 9, 1, 0, 10}, v[] = {10, 0, 9, 1, 0, 10};
    float identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double weights[] = {0.435518453, 0.396048694, 0.168432853};
    const double values[] = {7.919622782, 2.080377218};
    double out[MOST], bound[MOST];
    attn_workload w = small(1, 3, 2, 2, 1.0 / 200.0);

    row(&w, q, k, v, 0, out, bound);
    assert_digits(out, values, 2);
    w.dv = 3;
    row(&w, q, k, identity, 0, out, bound);
    assert_digits(out, weights, 3);
}

static void three_tokens_attend_to_themselves(void **state)
{
    (void)state;
    float x[] = {1, 0, 0, 1, 1, 1}, identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double weights[3][3] = {{0.401112093, 0.197775815, 0.401112093},
                                  {0.197775815, 0.401112093, 0.401112093},
                                  {0.248255078, 0.248255078, 0.503489843}};
    const double values[3][2] = {
        {0.802224185, 0.598887907}, {0.598887907, 0.802224185}, {0.751744922, 0.751744922}};
    double out[MOST], bound[MOST];

    for (uint32_t i = 0; i < 3; i++) {
        attn_workload w = small(3, 3, 2, 2, 1.0 / sqrt(2.0));
        row(&w, x, x, x, i, out, bound);
        assert_digits(out, values[i], 2);
        w.dv = 3;
        row(&w, x, x, identity, i, out, bound);
        assert_digits(out, weights[i], 3);
    }
}

/* Two more columns bring in the given scaled scores, each as the sum of two floats. */
static void one_weight(void **state)
{
    (void)state;
    const double scale = 1.0 / (100.0 * sqrt(8.0)), others[] = {0.5, -0.3, 0.1};
    float q[10] = {5, -2, 1, 3, -4, 2, 0, 6, 1, 1};
    float k[4][10] = {{8, 1, -3, 2, 5, -1, 4, 0, 0, 0}};
    float identity[16] = {0}, one[] = {1.0f};
    const double weight[] = {0.234320225}, score[] = {0.067175144};
    double out[MOST], bound[MOST];

    for (int j = 0; j < 3; j++) {
        k[j + 1][8] = (float)(others[j] / scale);
        k[j + 1][9] = (float)(others[j] / scale - k[j + 1][8]);
    }
    for (int j = 0; j < 4; j++)
        identity[5 * j] = 1.0f;
    attn_workload w = small(1, 4, 10, 4, scale);
    row(&w, q, k[0], identity, 0, out, bound);
    assert_digits(out, weight, 1);

    /* Against a zero key the weight is the sigmoid of the score. */
    float pair[2][10], values[] = {1, 0};
    memcpy(pair[0], k[0], sizeof pair[0]);
    memset(pair[1], 0, sizeof pair[1]);
    w = small(1, 2, 10, 1, scale);
    row(&w, q, pair[0], values, 0, out, bound);
    const double logit = log(out[0] / (1.0 - out[0]));
    assert_digits(&logit, score, 1);

    /* Four equal scores. */
    memset(q, 0, sizeof q);
    w = small(1, 4, 10, 4, scale);
    row(&w, q, k[0], identity, 0, out, bound);
    for (int c = 0; c < 4; c++)
        assert_true(out[c] == 0.25);
    w = small(1, 1, 10, 1, scale);
    row(&w, q, k[0], one, 0, out, bound);
    assert_true(out[0] == 1.0);
}

/* Properties */

static void fill(float *values, size_t count, attn_tensor_id tensor)
{
    for (size_t i = 0; i < count; i++)
        values[i] = attn_input(ATTN_GEN_NORMAL, 5, tensor, i);
}

static void weights_sum_to_one(void **state)
{
    (void)state;
    enum { M = 300, D = 7 };
    static float q[D], k[M * D], v[M];
    double out[MOST], bound[MOST];

    fill(q, D, ATTN_TENSOR_Q);
    fill(k, M * D, ATTN_TENSOR_K);
    for (int j = 0; j < M; j++)
        v[j] = 1.0f;
    attn_workload w = small(1, M, D, 1, 1.0);
    row(&w, q, k, v, 0, out, bound);
    assert_true(fabs(out[0] - 1.0) < 1e-15);
}

static void permuted_keys_give_the_same_output(void **state)
{
    (void)state;
    enum { M = 200, D = 5 };
    static float q[D], k[M * D], v[M * D], pk[M * D], pv[M * D];
    double out[MOST], again[MOST], bound[MOST];

    fill(q, D, ATTN_TENSOR_Q);
    fill(k, M * D, ATTN_TENSOR_K);
    fill(v, M * D, ATTN_TENSOR_V);
    for (int j = 0; j < M; j++) {
        const int to = j * 77 % M;
        memcpy(pk + to * D, k + j * D, D * sizeof *k);
        memcpy(pv + to * D, v + j * D, D * sizeof *v);
    }
    attn_workload w = small(1, M, D, D, 1.5);
    row(&w, q, k, v, 0, out, bound);
    row(&w, q, pk, pv, 0, again, bound);
    for (int c = 0; c < D; c++)
        assert_true(fabs(out[c] - again[c]) < 1e-14);
}

/* Cases 1, 2, 7, 8, 9 and 22 of the small cases. Zero queries: the mean of what is visible. */
static void means_of_visible_values(void **state)
{
    (void)state;
    static const struct {
        attn_mask_kind mask;
        uint32_t n, m;
        double want[5];
    } cases[] = {
        {ATTN_MASK_CAUSAL, 2, 5, {2.5, 3}}, {ATTN_MASK_CAUSAL, 5, 2, {0, 0, 0, 1, 1.5}},
        {ATTN_MASK_CAUSAL, 1, 8, {4.5}},    {ATTN_MASK_CAUSAL_TL, 2, 5, {1, 1.5}},
        {ATTN_MASK_CAUSAL_TL, 1, 8, {1}},   {ATTN_MASK_CAUSAL_TL, 5, 2, {1, 1.5, 1.5, 1.5, 1.5}},
    };
    float q[MOST] = {0}, k[MOST], v[MOST];
    double out[MOST], bound[MOST];

    for (int j = 0; j < MOST; j++) {
        k[j] = 3.0f;
        v[j] = (float)(j + 1);
    }
    for (size_t a = 0; a < sizeof cases / sizeof *cases; a++)
        for (uint32_t i = 0; i < cases[a].n; i++) {
            attn_workload w = small(cases[a].n, cases[a].m, 1, 1, 1.0);
            w.mask = cases[a].mask;
            row(&w, q, k, v, i, out, bound);
            assert_true(fabs(out[0] - cases[a].want[i]) < 1e-15);
            assert_true((bound[0] == 0.0) == (cases[a].want[i] == 0.0));
        }
}

static void scores_far_apart(void **state)
{
    (void)state;
    float q[] = {1e5f}, far[] = {0, -1e5f}, v[] = {1, 1000};
    float one[] = {1}, pairs[] = {362, 362, -362, -362}, three[] = {1, 3, 1, 3};
    uint16_t h[64], hk[128], hv[] = {0x3c00, 0x4200}; /* 1, 3 */
    double out[MOST], bound[MOST];

    attn_workload w = small(1, 2, 1, 1, 1.0);
    row(&w, q, far, v, 0, out, bound);
    assert_true(out[0] == 1.0);
    w = small(1, 4, 1, 1, 1.0);
    row(&w, one, pairs, three, 0, out, bound);
    assert_true(out[0] == 2.0);

    for (int c = 0; c < 128; c++)
        h[c % 64] = hk[c] = 0x5000; /* 32: the dot product is 65,536 */
    w = small(1, 2, 64, 1, 0.125);
    w.dtype = ATTN_F16;
    row(&w, (float *)h, (float *)hk, (float *)hv, 0, out, bound);
    assert_true(out[0] == 2.0);
}

/* Case 6: all weight in the last lane. */
static void the_last_component_counts(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 40, 63, 65, 80, 128, 256};
    double out[MOST], bound[MOST];

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t d = sizes[i];
        float q[256] = {0}, k[512] = {0}, v[] = {1, 0};
        q[d - 1] = 1.0f;
        k[d - 1] = (float)(sqrt(d) * log(3.0));
        attn_workload w = small(1, 2, d, 1, 1.0 / sqrt(d));
        row(&w, q, k, v, 0, out, bound);
        assert_true(fabs(out[0] - 0.75) < 1e-7);
    }
}

/* Case 19: query head h uses key head floor(h * hk / heads). */
static void heads_share_keys(void **state)
{
    (void)state;
    float q[16] = {0}, k[] = {1, 1}, v[] = {10, 20};
    const attn_inputs in = {.q = q, .k = k, .v = v};
    double out, bound;

    for (uint32_t heads = 2; heads <= 8; heads += 2)
        for (uint32_t h = 0; h < heads; h++) {
            attn_workload w = small(1, 1, 1, 1, 1.0);
            w.h = heads;
            w.hk = 2;
            assert_int_equal(attn_oracle_row(&w, &in, 0, h, 0, &out, &bound, NULL), ATTN_OK);
            assert_true(out == (h < heads / 2 ? 10.0 : 20.0));
        }
}

/* Edges */

/* Cases 2, 8b and 20: poison in hidden keys changes no bit of value or bound. */
static void hidden_keys_never_matter(void **state)
{
    (void)state;
    enum { M = 200, D = 3 };
    const float poison[] = {NAN, INFINITY, -INFINITY, 3e38f};
    static float q[D], k[M * D], v[M * D];
    double out[MOST], bound[MOST], again[MOST], same[MOST];

    fill(q, D, ATTN_TENSOR_Q);
    for (int a = 0; a < 4; a++) {
        fill(k, M * D, ATTN_TENSOR_K);
        fill(v, M * D, ATTN_TENSOR_V);
        attn_workload w = small(1, M, D, D, 1.0);
        w.mask = ATTN_MASK_WINDOW;
        w.mask_size = 70;
        w.split = 64;
        row(&w, q, k, v, 0, out, bound);
        for (int j = 0; j < (M - 70) * D; j++)
            k[j] = v[j] = poison[a];
        row(&w, q, k, v, 0, again, same);
        assert_memory_equal(out, again, D * sizeof *out);
        assert_memory_equal(bound, same, D * sizeof *bound);
    }
    attn_workload w = small(1, 3, 1, 1, 1.0);
    w.mask = ATTN_MASK_LEN;
    w.lens = 1;
    row(&w, q, k, v, 0, out, bound);
    assert_true(out[0] == 0.0 && bound[0] == 0.0);
}

static void visible_specials(void **state)
{
    (void)state;
    enum { M = 130, LAST = M - 1 };
    static float k[M], v[M];
    float q[] = {1};
    double out[MOST], bound[MOST];
    attn_workload w = small(1, M, 1, 1, 1.0);

    for (int j = 0; j < M; j++)
        v[j] = 5.0f;
    k[LAST] = NAN;
    row(&w, q, k, v, 0, out, bound);
    assert_true(isnan(out[0]) && bound[0] == 0.0);
    k[LAST] = INFINITY;
    row(&w, q, k, v, 0, out, bound);
    assert_true(isnan(out[0]));
    k[LAST] = 3e38f; /* a score in binary32; times log2(e) it is not */
    row(&w, q, k, v, 0, out, bound);
    assert_true(isnan(out[0]));

    k[LAST] = -INFINITY;
    v[LAST] = 1e30f;
    row(&w, q, k, v, 0, out, bound);
    assert_true(fabs(out[0] - 5.0) < 1e-14);
    v[LAST] = NAN; /* weight 0, in a block that counts */
    row(&w, q, k, v, 0, out, bound);
    assert_true(isnan(out[0]) && bound[0] == 0.0);
    k[LAST - 1] = -INFINITY; /* now its block has nothing to count */
    row(&w, q, k, v, 0, out, bound);
    assert_true(fabs(out[0] - 5.0) < 1e-14);
    for (int j = 0; j < M; j++)
        k[j] = -INFINITY;
    row(&w, q, k, v, 0, out, bound);
    assert_true(out[0] == 0.0 && bound[0] == 0.0);
}

static void infinite_values(void **state)
{
    (void)state;
    float q[] = {1}, k[] = {0, 0, 0}, v[] = {1, INFINITY, 1};
    double out[MOST], bound[MOST];
    attn_workload w = small(1, 3, 1, 1, 1.0);

    row(&w, q, k, v, 0, out, bound);
    assert_true(out[0] == INFINITY && bound[0] == 0.0);
    v[2] = -INFINITY;
    row(&w, q, k, v, 0, out, bound);
    assert_true(isnan(out[0]));
    v[2] = 1.0f;
    k[1] = -50.0f; /* below 2^-60: the contract has 0 * inf */
    row(&w, q, k, v, 0, out, bound);
    assert_true(isnan(out[0]));
}

static void one_key_returns_its_value(void **state)
{
    (void)state;
    float q[] = {3, 4}, k[] = {5, 6}, v[] = {0.1f, -1e-38f, 3e38f};
    double out[MOST], bound[MOST];
    attn_workload w = small(1, 1, 2, 3, -7.0);

    row(&w, q, k, v, 0, out, bound);
    for (int c = 0; c < 3; c++)
        assert_true(out[c] == (double)v[c]);
}

static void any_scale_is_a_number(void **state)
{
    (void)state;
    float q[] = {1}, k[] = {0, 1}, v[] = {1, 0};
    double out[MOST], bound[MOST];

    attn_workload w = small(1, 2, 1, 1, 0.0);
    row(&w, q, k, v, 0, out, bound);
    assert_true(out[0] == 0.5);
    w.scale = -log(3.0);
    row(&w, q, k, v, 0, out, bound);
    assert_true(fabs(out[0] - 0.75) < 1e-15);
}

/* E2 gives 0 below 2^-60: with a value of 1e20 that shows. */
static void cut_weights_are_in_the_bound(void **state)
{
    (void)state;
    float q[] = {1}, k[] = {0, -43}, v[] = {0, 1e20f};
    double out[MOST], bound[MOST];
    attn_workload w = small(1, 2, 1, 1, 1.0);

    row(&w, q, k, v, 0, out, bound);
    assert_true(fabs(out[0] - 1e20 * exp(-43.0)) < 1e-5);
    assert_true(bound[0] >= out[0] && bound[0] < 1.001 * out[0]);
    k[1] = -41.0f;
    row(&w, q, k, v, 0, out, bound);
    assert_true(bound[0] < 1e-4 * out[0]);
}

/* Case 5: the contract decides; binary32 cannot, and the bound says so. */
static void an_amplified_rounding_widens_the_bound(void **state)
{
    (void)state;
    const float a = 1.0f + 0x1p-12f;
    float q[] = {1, a}, k[] = {-(1.0f + 0x1p-11f), a, 0, 0}, v[] = {1, 0};
    double out[MOST], bound[MOST];
    attn_workload w = small(1, 2, 2, 1, 0x1p24);

    row(&w, q, k, v, 0, out, bound);
    assert_true(fabs(out[0] - 0.7310586) < 1e-7);
    assert_true(bound[0] > 0.23 && bound[0] < 0.74);
    w.scale = 1.0; /* without the amplification the bound is tight again */
    row(&w, q, k, v, 0, out, bound);
    assert_true(bound[0] < 2e-5);
}

/* Cases 4a and 4b. */
static void the_bound_follows_the_values(void **state)
{
    (void)state;
    float q[] = {0}, k[] = {1, 1}, large[] = {1e6f, 1e6f}, little[] = {1e-6f, 1e-6f};
    double out[MOST], bound[MOST];
    attn_workload w = small(1, 2, 1, 1, 1.0);

    row(&w, q, k, large, 0, out, bound);
    const float next = nextafterf(1e6f, INFINITY);
    assert_true(attn_compare(&next, out, bound, 1).pass);
    row(&w, q, k, little, 0, out, bound);
    const float zero = 0.0f;
    assert_false(attn_compare(&zero, out, bound, 1).pass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_dictionary_lookup),
        cmocka_unit_test(three_tokens_attend_to_themselves),
        cmocka_unit_test(one_weight),
        cmocka_unit_test(weights_sum_to_one),
        cmocka_unit_test(permuted_keys_give_the_same_output),
        cmocka_unit_test(means_of_visible_values),
        cmocka_unit_test(scores_far_apart),
        cmocka_unit_test(the_last_component_counts),
        cmocka_unit_test(heads_share_keys),
        cmocka_unit_test(hidden_keys_never_matter),
        cmocka_unit_test(visible_specials),
        cmocka_unit_test(infinite_values),
        cmocka_unit_test(one_key_returns_its_value),
        cmocka_unit_test(any_scale_is_a_number),
        cmocka_unit_test(cut_weights_are_in_the_bound),
        cmocka_unit_test(an_amplified_rounding_widens_the_bound),
        cmocka_unit_test(the_bound_follows_the_values),
    };

    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
