/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowered limits (case 14): a smaller tile or a refusal with both numbers, the same bits, never an
 * abort.
 */
#include "device_test.h"

#include <stdlib.h>

#include "attn/tensor.h"

/* For contracts F and M, and for X */
static const char *const texts[] = {"h=2,n=70,m=150,d=24,mask=causal",
                                    "h=2,n=70,m=150,d=24,mask=causal,dtype=f16"};
static attn_workload workload[2];
static attn_inputs inputs[2];

static int open_inputs(void **state)
{
    attn_reason why;
    (void)state;
    gpu_close(device_test_open()); /* skips where there is no device */
    for (int i = 0; i < 2; i++) {
        workload[i] = parse_workload(texts[i]);
        if (attn_inputs_make(&workload[i], ATTN_GEN_NORMAL, 3, &inputs[i], &why) != ATTN_OK)
            return -1;
    }
    return 0;
}

static int close_inputs(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        attn_inputs_free(&inputs[i]);
    return 0;
}

/* Every kernel on devices with these limits: right, or refused with `needs`. Returns how many
 * were right on the first device. */
static size_t check_limits(const char *limits, const char *needs)
{
    setenv("ATTNMARK_GPU_LIMITS", limits, 1);
    gpu_set *set = gpu_open(NULL);
    unsetenv("ATTNMARK_GPU_LIMITS");
    attn_kernel kernels[96];
    const size_t count = device_test_kernels(set, kernels, 96);
    size_t right = 0;
    for (size_t i = 0; i < count; i++) {
        attn_reason why;
        const int narrow = kernels[i].contract == ATTN_CONTRACT_X;
        if (device_test_check(&kernels[i], &workload[narrow], &inputs[narrow])) {
            right += strcmp(kernels[i].device, "vk0") == 0;
            continue;
        }
        assert_int_equal(kernels[i].ops->supports(&kernels[i], &workload[narrow], &why),
                         ATTN_UNSUPPORTED);
        const bool both = strstr(why.text, "the device ") || strstr(why.text, "this driver ");
        if (!both || !strstr(why.text, needs))
            fail_msg("%s/%s: %s", kernels[i].device, kernels[i].name, why.text);
    }
    device_test_close(set);
    return right;
}

static void small_devices(void **state)
{
    (void)state;
    assert_true(check_limits("shared=16384", "needs") >= 6);
    assert_true(check_limits("invocations=128", "needs") >= 6);
    assert_true(check_limits("shared=16384,invocations=128,range=134217728", "needs") >= 6);
    assert_true(check_limits("invocations=8", "invocations") >= 3);
    assert_true(check_limits("groups=1", "needs") >= 10);
    assert_true(check_limits("range=512", "needs") == 0);
}

/* Loops, work and tensors in parts: the bits stay. */
static void long_dispatches_are_cut(void **state)
{
    (void)state;
    assert_true(check_limits("loops=1500", "needs") >= 3);
    assert_true(check_limits("work=50000", "needs") >= 10);
    assert_true(check_limits("work=300000,range=40000,groups=3", "needs") >= 8);
}

static void malformed_limits_close_the_device(void **state)
{
    (void)state;
    setenv("ATTNMARK_GPU_LIMITS", "shared=big", 1);
    gpu_set *set = gpu_open(NULL);
    unsetenv("ATTNMARK_GPU_LIMITS");
    assert_string_equal(gpu_device(set, 0)->unavailable,
                        "ATTNMARK_GPU_LIMITS: cannot read 'shared=big'");
    size_t count;
    const attn_kernel *kernels = gpu_kernels(set, &count);
    assert_string_equal(kernels[0].unavailable, gpu_device(set, 0)->unavailable);
    device_test_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_devices),
        cmocka_unit_test(long_dispatches_are_cut),
        cmocka_unit_test(malformed_limits_close_the_device),
    };
    return cmocka_run_group_tests(tests, open_inputs, close_inputs);
}
