/* SPDX-License-Identifier: Apache-2.0
 *
 * Every size that tuning may choose gives the right bits, and is what runs.
 */
#include "device_test.h"

#include <stdlib.h>

#include "gpu/tuning.h"
#include "harness/tuning.h"

/* Choices of the size of this number, for all kernels and devices, and the class of w. */
static void choose(const gpu_set *set, size_t number, const attn_workload *w, gpu_tuning *tuning)
{
    for (size_t d = 0; d < gpu_device_count(set); d++) {
        gpu_tuned *tuned = tuning_entry(tuning, gpu_device(set, d));
        assert_non_null(tuned);
        for (size_t i = 0; i < gpu_row_count; i++) {
            gpu_choice choice = {.class = gpu_class_of(w), .median_ns = 1, .gflops = 1};
            choice.size = gpu_plan_kind_of(gpu_rows[i].plan)->sizes[number];
            snprintf(choice.kernel, sizeof choice.kernel, "%s", gpu_rows[i].kernel);
            if (choice.size.local_x > 0)
                assert_true(tuning_set(tuned, &choice));
        }
    }
}

/* Limits may halve a workgroup of tile in y; decode has no more rows than there are. */
static void check_kernel(const attn_kernel *kernel, size_t number, const attn_workload *w,
                         const attn_inputs *in)
{
    const gpu_row *row = kernel->impl;
    const gpu_size asked = gpu_plan_kind_of(row->plan)->sizes[number];
    gpu_size real;
    attn_reason why = {""};
    if (asked.local_x == 0 || !device_test_check(kernel, w, in))
        return;
    assert_int_equal(gpu_kernel_size(kernel, w, &real, &why), ATTN_OK);
    if (real.local_x != asked.local_x || real.local_y > asked.local_y ||
        (row->plan == gpu_plan_decode ? real.rows > asked.rows : real.rows != asked.rows))
        fail_msg("%s: not the size that was chosen", kernel->name);
}

static void check_all(size_t number, const char *text, attn_dtype dtype)
{
    attn_workload w = parse_workload(text);
    gpu_tuning tuning = {NULL, 0};
    attn_kernel kernels[64];
    attn_inputs in;
    attn_reason why = {""};
    w.dtype = dtype;
    gpu_set *set = device_test_open();
    choose(set, number, &w, &tuning);
    device_test_close(set);
    const gpu_options options = {.tuning = &tuning};
    set = gpu_open(&options);
    assert_non_null(set);
    assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 7, &in, &why), ATTN_OK);
    const size_t count = device_test_kernels(set, kernels, sizeof kernels / sizeof kernels[0]);
    for (size_t i = 0; i < count; i++)
        if (attn_contract_takes(kernels[i].contract, dtype, &why) == ATTN_OK)
            check_kernel(&kernels[i], number, &w, &in);
    attn_inputs_free(&in);
    device_test_close(set);
    tuning_free(&tuning);
}

static void every_size_is_exact(void **state)
{
    (void)state;
    for (size_t number = 0; number < GPU_PLAN_SIZES; number++) {
        bool any = false;
        for (size_t i = 0; i < gpu_plan_kind_count; i++)
            any = any || gpu_plan_kinds[i].sizes[number].local_x > 0;
        if (!any)
            return;
        check_all(number, "h=1,n=69,m=130,d=20,mask=causal", ATTN_F32);
        check_all(number, "h=4,hk=1,n=3,m=200,d=5,dv=9,split=64", ATTN_F16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_size_is_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
