/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers that end all loops of an invocation after a number of iterations, in silence: long rows
 * of keys fill that number in every dispatch but the last, for head sizes whose loops the driver
 * unrolls in different ways.
 */
#include "device_test.h"

#include "gpu/set.h"

static void rows_longer_than_the_limit(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "h=1,n=1,m=30000,d=1,dv=1",
        "h=1,n=1,m=30000,d=3,dv=16",
        "h=1,n=1,m=20000,d=8,dv=4",
        "h=1,n=1,m=20000,d=65,dv=9",
        "h=1,n=1,m=30000,d=3,dv=16,dtype=f16",
        "h=1,n=1,m=20000,d=65,dv=9,dtype=bf16",
    };
    gpu_set *set = device_test_open();
    attn_kernel kernels[DEVICE_TEST_KERNELS];
    const size_t count = device_test_kernels(set, kernels, DEVICE_TEST_KERNELS);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const attn_workload w = parse_workload(texts[i]);
        attn_inputs in;
        attn_reason why;
        assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 5, &in, &why), ATTN_OK);
        for (size_t k = 0; k < count; k++) {
            const gpu_context *device = kernels[k].context;
            if (device->limits.loops < UINT64_MAX)
                device_test_check(&kernels[k], &w, &in);
        }
        attn_inputs_free(&in);
    }
    device_test_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_longer_than_the_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
