/* SPDX-License-Identifier: Apache-2.0
 *
 * Philox against Random123's published answers, and the generators.
 */
#include "unit.h"

#include <math.h>

#include "attn/inputs.h"
#include "attn/tensor.h"

/* Random123, examples/kat_vectors: philox4x32 10. */
static void philox_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t out[4];
        attn_philox(cases[i].counter, cases[i].key, out);
        assert_memory_equal(out, cases[i].out, sizeof out);
    }
}

/* Counter 0, key 0 gives words 6627e8d5 e169c58d ...: halves -5931, 26151, -14963. */
static void an_element_by_hand(void **state)
{
    (void)state;
    const float x = (-5931 + 26151 - 14963) / 32768.0f;

    assert_true(attn_input(ATTN_GEN_NORMAL, 0, ATTN_TENSOR_Q, 0) == x);
    assert_true(attn_input(ATTN_GEN_PEAKED, 0, ATTN_TENSOR_Q, 0) == 8.0f * x);
    assert_true(attn_input(ATTN_GEN_LARGE, 0, ATTN_TENSOR_Q, 0) == 16.0f * x);
    assert_true(attn_input(ATTN_GEN_EQUAL, 0, ATTN_TENSOR_Q, 0) == 0.0f);
}

static void elements_depend_on_all_of_their_counter(void **state)
{
    (void)state;
    const uint64_t far = UINT64_C(1) << 32;
    const float x = attn_input(ATTN_GEN_NORMAL, 1, ATTN_TENSOR_V, 5);

    assert_true(x != attn_input(ATTN_GEN_NORMAL, 2, ATTN_TENSOR_V, 5));
    assert_true(x != attn_input(ATTN_GEN_NORMAL, 1, ATTN_TENSOR_K, 5));
    assert_true(x != attn_input(ATTN_GEN_NORMAL, 1, ATTN_TENSOR_V, 5 + far));
}

static void normal_values_have_zero_mean_and_unit_variance(void **state)
{
    (void)state;
    enum { COUNT = 1 << 20 };

    for (int tensor = ATTN_TENSOR_Q; tensor <= ATTN_TENSOR_V; tensor++) {
        double sum = 0.0, squares = 0.0, largest = 0.0;
        bool on_grid = true;
        for (uint64_t i = 0; i < COUNT; i++) {
            const double x = attn_input(ATTN_GEN_NORMAL, 7, (attn_tensor_id)tensor, i);
            on_grid &= x * 32768.0 == floor(x * 32768.0);
            sum += x;
            squares += x * x;
            largest = fmax(largest, fabs(x));
        }
        assert_true(on_grid);
        assert_true(fabs(sum / COUNT) < 5e-3);
        assert_true(fabs(squares / COUNT - 1.0) < 7e-3);
        assert_true(largest > 2.5 && largest <= 3.0);
    }
}

static void other_generators_keep_their_promises(void **state)
{
    (void)state;
    double cancel = 0.0;
    uint64_t zero = 0;

    while (attn_input(ATTN_GEN_NORMAL, 3, ATTN_TENSOR_V, zero) != 0.0f)
        zero++;
    assert_true(attn_input(ATTN_GEN_LARGE, 3, ATTN_TENSOR_V, zero) == 0.5f);
    for (uint64_t i = 0; i < 100000; i++) {
        const float large = attn_input(ATTN_GEN_LARGE, 3, ATTN_TENSOR_V, i);
        assert_true(large != 0.0f && fabsf(large) <= 49152.0f);
        const float term = attn_input(ATTN_GEN_CANCEL, 3, ATTN_TENSOR_V, i);
        assert_true(fabsf(term) >= 61.0f && fabsf(term) <= 67.0f);
        cancel += term;
        assert_true(attn_input(ATTN_GEN_EQUAL, 3, ATTN_TENSOR_Q, i) == 0.0f);
    }
    assert_true(fabs(cancel) < 0.02 * 64.0 * 100000);
}

static void check_tensor(const attn_workload *w, attn_generator gen, attn_tensor_id tensor,
                         uint64_t count, const void *data)
{
    for (uint64_t i = 0; i < count; i++) {
        const float x = attn_input(gen, 11, tensor, i);
        float want = x, got;
        if (w->dtype == ATTN_F16)
            want = attn_f16_to_f32(attn_f32_to_f16(x));
        if (w->dtype == ATTN_BF16)
            want = attn_bf16_to_f32(attn_f32_to_bf16(x));
        attn_widen((const char *)data + i * attn_dtype_size(w->dtype), w->dtype, 1, &got);
        assert_true(isfinite(got));
        assert_int_equal(attn_bits_of(got), attn_bits_of(want));
    }
}

/* q is large enough to be made in parallel. */
static void tensors_hold_their_elements(void **state)
{
    (void)state;
    attn_workload w = attn_workload_default(419, 5);

    w.b = 2;
    w.hk = 2;
    w.m = 41;
    w.dv = 3;
    for (int dtype = ATTN_F32; dtype <= ATTN_BF16; dtype++)
        for (int gen = ATTN_GEN_NORMAL; gen <= ATTN_GEN_CANCEL; gen++) {
            attn_inputs in;
            w.dtype = (attn_dtype)dtype;
            assert_int_equal(attn_inputs_make(&w, (attn_generator)gen, 11, &in, NULL), ATTN_OK);
            check_tensor(&w, (attn_generator)gen, ATTN_TENSOR_Q, 2 * 8 * 419 * 5, in.q);
            check_tensor(&w, (attn_generator)gen, ATTN_TENSOR_K, 2 * 2 * 41 * 5, in.k);
            check_tensor(&w, (attn_generator)gen, ATTN_TENSOR_V, 2 * 2 * 41 * 3, in.v);
            attn_inputs_free(&in);
            assert_null(in.q);
        }
}

static void too_large_leaves_nothing_allocated(void **state)
{
    (void)state;
    attn_workload w = attn_workload_default(1, 1024);
    attn_inputs in;
    attn_reason why = {""};

    w.b = w.h = 65536;
    w.hk = 1;
    w.n = 65536;
    w.m = 1;
    w.d = w.dv = 1024; /* 2^58 elements of q */
    assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 0, &in, &why), ATTN_OUT_OF_MEMORY);
    assert_null(in.q);
    assert_null(in.k);
    assert_null(in.v);
    assert_non_null(strstr(why.text, "bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_known_answers),
        cmocka_unit_test(an_element_by_hand),
        cmocka_unit_test(elements_depend_on_all_of_their_counter),
        cmocka_unit_test(normal_values_have_zero_mean_and_unit_variance),
        cmocka_unit_test(other_generators_keep_their_promises),
        cmocka_unit_test(tensors_hold_their_elements),
        cmocka_unit_test(too_large_leaves_nothing_allocated),
    };

    return cmocka_run_group_tests_name("inputs", tests, NULL, NULL);
}
