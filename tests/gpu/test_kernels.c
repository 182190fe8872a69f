/* SPDX-License-Identifier: Apache-2.0
 *
 * Every Vulkan kernel on every device gives the bits of the scalar reference, in every data type:
 * sizes around the tiles, odd head sizes, heads that share keys, masks, splits (cases 7, 13, 20,
 * 22). Behind every input the device holds NaN and behind the output a sentinel, so that a read or
 * a write past the end shows.
 */
#include "device_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "attn/tensor.h"

static const char *const dtypes[] = {"f32", "f16", "bf16"}; /* by attn_dtype */
#define DTYPES (int)(sizeof dtypes / sizeof dtypes[0])

static attn_kernel kernels[DEVICE_TEST_KERNELS];
static size_t count;

static int open_all(void **state)
{
    const int opened = device_test_setup(state);
    count = device_test_kernels(device_test_set, kernels, DEVICE_TEST_KERNELS);
    return opened;
}

static attn_workload workload_of(const char *text, int dtype)
{
    char typed[ATTN_WORKLOAD_TEXT];
    snprintf(typed, sizeof typed, "%s,dtype=%s", text, dtypes[dtype]);
    return parse_workload(typed);
}

/* On every kernel that stores the data type. */
static void check_inputs(const attn_workload *w, const attn_inputs *in)
{
    size_t checked = 0;
    for (size_t i = 0; i < count; i++) {
        if (attn_contract_takes(kernels[i].contract, w->dtype, NULL) != ATTN_OK)
            continue;
        if (!device_test_check(&kernels[i], w, in))
            fail_msg("%s/%s supports less than all", kernels[i].device, kernels[i].name);
        checked++;
    }
    assert_true(checked > 0);
}

static attn_inputs make_inputs(const attn_workload *w, attn_generator generator)
{
    attn_inputs in;
    attn_reason why;
    if (attn_inputs_make(w, generator, 7, &in, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    return in;
}

static void check_text(const char *text, int dtype, attn_generator generator)
{
    const attn_workload w = workload_of(text, dtype);
    attn_inputs in = make_inputs(&w, generator);
    check_inputs(&w, &in);
    attn_inputs_free(&in);
}

/* Only every so many of the shapes, where a driver takes minutes to compile them all. */
static size_t stride(void)
{
    const char *text = getenv("ATTNMARK_SHAPE_STRIDE");
    const int wanted = text != NULL ? atoi(text) : 1;
    return wanted > 0 ? (size_t)wanted : 1;
}

static void shapes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "h=1,n=1,m=1,d=1",
        "h=1,n=63,m=129,d=40",
        "h=1,n=65,m=64,d=64",
        "h=2,n=129,m=65,d=3,dv=80",
        "h=1,n=5,m=129,d=65,dv=7",
        "h=6,hk=2,n=33,m=70,d=16,mask=causal",
        "b=2,h=4,hk=4,n=40,m=100,d=9,mask=window:50",
        "b=2,h=2,hk=1,n=67,m=40,d=5,mask=causal",
        "b=3,h=1,n=9,m=80,d=8,mask=len:0:65:80",
        "h=1,n=150,m=150,d=8,mask=chunk:70",
        "h=1,n=20,m=200,d=4,mask=causal-tl",
        "h=1,n=3,m=70,d=256",
        "h=1,n=10,m=80,d=16,scale=0",
        "h=1,n=10,m=80,d=16,scale=-1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i += stride()) {
        check_text(texts[i], ATTN_F32, ATTN_GEN_NORMAL);
        check_text(texts[i], i % 2 ? ATTN_F16 : ATTN_BF16, ATTN_GEN_NORMAL);
    }
}

static void splits(void **state)
{
    (void)state;
    for (int t = 0; t < DTYPES; t++) {
        check_text("h=2,n=70,m=200,d=8,mask=causal,split=64", t, ATTN_GEN_NORMAL);
        check_text("h=1,n=7,m=500,d=16,mask=window:100,split=128", t, ATTN_GEN_NORMAL);
        check_text("h=1,n=7,m=130,d=16,split=192", t, ATTN_GEN_NORMAL);
    }
}

static void generators(void **state)
{
    (void)state;
    static const attn_generator all[] = {ATTN_GEN_PEAKED, ATTN_GEN_EQUAL, ATTN_GEN_LARGE,
                                         ATTN_GEN_CANCEL};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i += stride())
        for (int t = 0; t < DTYPES; t++)
            check_text("h=1,n=40,m=140,d=24,mask=causal", t, all[i]);
}

/* More workgroups than one dimension of a grid holds; one key, so every row is V[0]. */
static void long_grid(void **state)
{
    (void)state;
    check_text("h=1,n=65537,m=1,d=1", ATTN_F32, ATTN_GEN_NORMAL);
}

/* Values that are not finite, where row 0 must not see them and the others may. */
static void not_finite(void **state)
{
    (void)state;
    static const float values[] = {NAN, INFINITY, -INFINITY, 3e38f};
    enum { VALUES = sizeof values / sizeof values[0], TENSORS = 3 };
    for (int i = 0; i < DTYPES * VALUES * TENSORS; i++) {
        const attn_workload w = workload_of("h=1,n=4,m=70,d=3,mask=causal-tl", i % DTYPES);
        const float value = values[i / DTYPES % VALUES];
        const int where = i / DTYPES / VALUES;
        attn_inputs in = make_inputs(&w, ATTN_GEN_NORMAL);
        void *tensor = where == 0 ? in.k : where == 1 ? in.v : in.q;
        store_value(tensor, w.dtype, 2 * 3 + 1, value);
        if (where < 2)
            store_value(tensor, w.dtype, 69 * 3, value); /* hidden from all, in another block */
        check_inputs(&w, &in);
        attn_inputs_free(&in);
    }
}

/* Dot products of 65,536, past the range of f16 (case 22). */
static void dots_past_f16(void **state)
{
    (void)state;
    for (int t = 0; t < DTYPES; t++) {
        const attn_workload w = workload_of("h=1,n=1,m=2,d=64,dv=1", t);
        attn_inputs in = make_inputs(&w, ATTN_GEN_NORMAL);
        for (uint32_t i = 0; i < 2 * 64; i++) {
            if (i < 64)
                store_value(in.q, w.dtype, i, 32);
            store_value(in.k, w.dtype, i, 32);
        }
        check_inputs(&w, &in);
        attn_inputs_free(&in);
    }
}

/* All scores of a block -inf: the block does not count, even though V holds NaN there. */
static void blocks_that_do_not_count(void **state)
{
    (void)state;
    for (int t = 0; t < DTYPES; t++) {
        const attn_workload w = workload_of("h=1,n=2,m=130,d=1,scale=1", t);
        attn_inputs in = make_inputs(&w, ATTN_GEN_NORMAL);
        store_value(in.q, w.dtype, 0, 1);
        store_value(in.q, w.dtype, 1, 2);
        for (uint32_t j = 0; j < 130; j++) {
            store_value(in.k, w.dtype, j, j < 64 ? -INFINITY : 0.01f * (float)j);
            store_value(in.v, w.dtype, j, j < 64 ? NAN : 0.5f * (float)j);
        }
        check_inputs(&w, &in);
        store_value(in.k, w.dtype, 3, 1); /* now it counts, and the NaN is visible */
        check_inputs(&w, &in);
        attn_inputs_free(&in);
    }
}

/* One key gives V bit for bit: all 65536 values of a 16-bit type, but for those of bf16 that are
 * subnormal in binary32, too. */
static void every_16_bit_value(void **state)
{
    (void)state;
    for (int t = ATTN_F16; t <= ATTN_BF16; t++) {
        const attn_workload w = workload_of("h=256,n=1,m=1,d=1,dv=256", t);
        attn_inputs in = make_inputs(&w, ATTN_GEN_NORMAL);
        assert_int_equal(attn_v_elements(&w), 65536);
        for (uint32_t i = 0; i < 65536; i++)
            ((uint16_t *)in.v)[i] = t == ATTN_BF16 && (i & 0x7f80) == 0 ? 0 : (uint16_t)i;
        check_inputs(&w, &in);
        attn_inputs_free(&in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(splits),
        cmocka_unit_test(generators),
        cmocka_unit_test(long_grid),
        cmocka_unit_test(not_finite),
        cmocka_unit_test(dots_past_f16),
        cmocka_unit_test(blocks_that_do_not_count),
        cmocka_unit_test(every_16_bit_value),
    };
    return cmocka_run_group_tests(tests, open_all, device_test_teardown);
}
