/* SPDX-License-Identifier: Apache-2.0
 *
 * Malformed hooks; an injected loss of the device. Devices that there are stay usable.
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

static void malformed_limits_close_the_device(void **state)
{
    (void)state;
    setenv("ATTNMARK_GPU_LIMITS", "shared=big", 1);
    gpu_set *set = gpu_open();
    unsetenv("ATTNMARK_GPU_LIMITS");
    assert_string_equal(gpu_device(set, 0)->unavailable,
                        "ATTNMARK_GPU_LIMITS: cannot read 'shared=big'");
    size_t count;
    const attn_kernel *kernels = gpu_kernels(set, &count);
    assert_string_equal(kernels[0].unavailable, gpu_device(set, 0)->unavailable);
    device_test_close(set);
}

static void lost_devices_stay_lost(void **state)
{
    (void)state;
    setenv("ATTNMARK_GPU_FAULT", "submit:3", 1);
    gpu_set *set = gpu_open();
    unsetenv("ATTNMARK_GPU_FAULT");
    attn_kernel kernels[32];
    attn_reason why;
    attn_timing timing;
    attn_job *job;
    attn_status status = ATTN_OK;
    assert_true(device_test_kernels(set, kernels, 32) > 0);
    const attn_kernel *kernel = &kernels[0];

    /* Transfers of a device whose memory the host cannot map are submits, too. */
    status = kernel->ops->prepare(kernel, &workload[0], &inputs[0], 1, &job, &why);
    for (int i = 0; status == ATTN_OK && i < 3; i++)
        status = kernel->ops->run(job, &timing, &why);
    assert_int_equal(status, ATTN_DEVICE_LOST);
    assert_string_equal(why.text, "vkQueueSubmit: VK_ERROR_DEVICE_LOST");
    kernel->ops->release(job);
    status = kernel->ops->prepare(kernel, &workload[0], &inputs[0], 1, &job, &why);
    if (status == ATTN_OK)
        status = kernel->ops->run(job, &timing, &why);
    assert_int_equal(status, ATTN_DEVICE_LOST);
    kernel->ops->release(job);
    device_test_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_limits_close_the_device),
        cmocka_unit_test(lost_devices_stay_lost),
    };
    return cmocka_run_group_tests(tests, open_inputs, close_inputs);
}
