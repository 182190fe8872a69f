/* SPDX-License-Identifier: Apache-2.0
 *
 * Malformed hooks. Devices that there are stay usable.
 */
#include "device_test.h"

#include <stdlib.h>

static int needs_device(void **state)
{
    (void)state;
    device_test_close(device_test_open()); /* skips where there is none */
    return 0;
}

static void malformed_limits_close_the_device(void **state)
{
    (void)state;
    setenv("ATTNMARK_GPU_LIMITS", "shared=big", 1);
    gpu_set *set = gpu_open(NULL);
    unsetenv("ATTNMARK_GPU_LIMITS");
    const char *wanted = "ATTNMARK_GPU_LIMITS: cannot read 'shared=big' (want KEY=N,...";
    assert_memory_equal(gpu_device(set, 0)->unavailable, wanted, strlen(wanted));
    size_t count;
    const attn_kernel *kernels = gpu_kernels(set, &count);
    assert_string_equal(kernels[0].unavailable, gpu_device(set, 0)->unavailable);
    device_test_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_limits_close_the_device),
    };
    return cmocka_run_group_tests(tests, needs_device, NULL);
}
