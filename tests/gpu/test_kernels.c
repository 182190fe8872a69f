/* SPDX-License-Identifier: Apache-2.0
 *
 * Every Vulkan kernel on every device gives the bits of the scalar reference: sizes around the
 * tiles, odd head sizes, heads that share keys, masks, splits (cases 7, 13, 20). Behind every
 * input the device holds NaN and behind the output a sentinel, so that a read or a write past the
 * end shows.
 */
#include "device_test.h"

#include <math.h>
#include <stdlib.h>

#include "attn/tensor.h"

#define KERNELS 32

static gpu_set *set;
static attn_kernel kernels[KERNELS];
static size_t count;

static int open_all(void **state)
{
    (void)state;
    set = device_test_open();
    count = device_test_kernels(set, kernels, KERNELS);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    device_test_close(set);
    return 0;
}

/* Returns how many kernels support it. */
static size_t check_inputs(const attn_workload *w, const attn_inputs *in)
{
    size_t supported = 0;
    for (size_t i = 0; i < count; i++)
        supported += device_test_check(&kernels[i], w, in);
    return supported;
}

static void check_text(const char *text, attn_generator generator)
{
    const attn_workload w = parse_workload(text);
    attn_inputs in;
    attn_reason why;
    if (attn_inputs_make(&w, generator, 7, &in, &why) != ATTN_OK)
        fail_msg("%s: %s", text, why.text);
    if (check_inputs(&w, &in) < count)
        fail_msg("%s: not supported by every kernel", text);
    attn_inputs_free(&in);
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
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_text(texts[i], ATTN_GEN_NORMAL);
}

static void splits(void **state)
{
    (void)state;
    check_text("h=2,n=70,m=200,d=8,mask=causal,split=64", ATTN_GEN_NORMAL);
    check_text("h=1,n=7,m=500,d=16,mask=window:100,split=128", ATTN_GEN_NORMAL);
    check_text("h=1,n=7,m=130,d=16,split=192", ATTN_GEN_NORMAL);
}

static void generators(void **state)
{
    (void)state;
    static const attn_generator all[] = {ATTN_GEN_PEAKED, ATTN_GEN_EQUAL, ATTN_GEN_LARGE,
                                         ATTN_GEN_CANCEL};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_text("h=1,n=40,m=140,d=24,mask=causal", all[i]);
}

/* More workgroups than one dimension of a grid holds; one key, so every row is V[0]. */
static void long_grid(void **state)
{
    (void)state;
    check_text("h=1,n=65537,m=1,d=1", ATTN_GEN_NORMAL);
}

/* Values that are not finite, where row 0 must not see them and the others may. */
static void not_finite(void **state)
{
    (void)state;
    static const float values[] = {NAN, INFINITY, -INFINITY, 3e38f};
    static const char text[] = "h=1,n=4,m=70,d=3,mask=causal-tl";
    const attn_workload w = parse_workload(text);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (int where = 0; where < 3; where++) {
            attn_inputs in;
            attn_reason why;
            assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 7, &in, &why), ATTN_OK);
            float *tensor = where == 0 ? in.k : where == 1 ? in.v : in.q;
            tensor[2 * 3 + 1] = values[i];
            if (where < 2)
                tensor[69 * 3] = values[i]; /* hidden from all, in another block */
            assert_int_equal(check_inputs(&w, &in), count);
            attn_inputs_free(&in);
        }
}

/* All scores of a block -inf: the block does not count, even though V holds NaN there. */
static void blocks_that_do_not_count(void **state)
{
    (void)state;
    const attn_workload w = parse_workload("h=1,n=2,m=130,d=1,scale=1");
    static float q[2] = {1, 0}, k[130], v[130];
    const attn_inputs in = {q, k, v};
    for (int j = 0; j < 130; j++) {
        k[j] = j < 64 ? -INFINITY : 0.01f * j;
        v[j] = j < 64 ? NAN : 0.5f * j;
    }
    q[1] = 2;
    assert_int_equal(check_inputs(&w, &in), count);
    k[3] = 1; /* now it counts, and the NaN is visible */
    assert_int_equal(check_inputs(&w, &in), count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),     cmocka_unit_test(splits),
        cmocka_unit_test(generators), cmocka_unit_test(long_grid),
        cmocka_unit_test(not_finite), cmocka_unit_test(blocks_that_do_not_count),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
