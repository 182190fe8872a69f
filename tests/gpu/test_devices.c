/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device tells about itself, and several devices at work together.
 */
#include "device_test.h"

#include <ctype.h>
#include <stdio.h>

#include "attn/tensor.h"

static void descriptions(void **state)
{
    (void)state;
    assert_null(gpu_unavailable(device_test_set));
    for (size_t i = 0; i < gpu_device_count(device_test_set); i++) {
        const gpu_device_info *info = gpu_device(device_test_set, i);
        char selector[16];
        snprintf(selector, sizeof selector, "vk%d", (int)i);
        assert_string_equal(info->selector, selector);
        print_message("# %s %s (%s): %s%s\n", selector, info->name, info->driver,
                      info->probe.verdict, info->unavailable);
        assert_true(info->name[0] != '\0');
        if (info->unavailable[0])
            continue;
        assert_int_equal(strlen(info->uuid), 32);
        for (int c = 0; c < 32; c++)
            assert_true(isxdigit((unsigned char)info->uuid[c]));
        assert_int_equal(info->software, strcmp(info->type, "cpu") == 0);
        assert_true(info->max_invocations >= 128 && info->max_shared_bytes >= 16384);
        assert_true(info->max_groups_x >= 65535 && info->max_buffer_range >= 134217728);
        assert_true(info->probe.verdict[0] != '\0');
        assert_true(info->probe.m || !info->probe.f);
    }
}

/* Each kernel belongs to one device and says why it cannot run there, or can. */
static void kernels_of_devices(void **state)
{
    (void)state;
    size_t count;
    const attn_kernel *kernels = gpu_kernels(device_test_set, &count);
    const size_t rows = count / gpu_device_count(device_test_set);
    for (size_t i = 0; i < count; i++) {
        const gpu_device_info *info = gpu_device(device_test_set, i / rows);
        const bool met = kernels[i].contract == ATTN_CONTRACT_F ? info->probe.f : info->probe.m;
        assert_string_equal(kernels[i].device, info->selector);
        assert_string_equal(kernels[i].device_name, info->name);
        assert_int_equal(kernels[i].software, info->software);
        assert_string_equal(kernels[i].name, kernels[i % rows].name);
        if (info->software || !met)
            assert_int_equal(kernels[i].unavailable == NULL, met);
    }
}

/* One job on each kernel of each device, all prepared before the first runs; and an empty
 * submission after each run. */
static void jobs_side_by_side(void **state)
{
    (void)state;
    const attn_workload w[] = {parse_workload("h=2,n=20,m=70,d=12"),
                               parse_workload("h=2,n=20,m=70,d=12,dtype=f16")};
    const size_t elements = attn_out_elements(&w[0]);
    attn_kernel kernels[DEVICE_TEST_KERNELS];
    const size_t count = device_test_kernels(device_test_set, kernels, DEVICE_TEST_KERNELS);
    attn_job *jobs[DEVICE_TEST_KERNELS];
    attn_digest digests[DEVICE_TEST_KERNELS];
    attn_inputs in[2];
    attn_reason why;
    attn_timing timing;
    attn_job_facts facts;
    float *out = attn_alloc(elements * sizeof *out);
    for (int i = 0; i < 2; i++)
        assert_int_equal(attn_inputs_make(&w[i], ATTN_GEN_NORMAL, 1, &in[i], &why), ATTN_OK);
    for (size_t i = 0; i < count; i++) {
        const int narrow = kernels[i].contract == ATTN_CONTRACT_X;
        assert_int_equal(
            kernels[i].ops->prepare(&kernels[i], &w[narrow], &in[narrow], 1, &jobs[i], &why),
            ATTN_OK);
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kernels[i].ops->run(jobs[i], &timing, &why), ATTN_OK);
        assert_int_equal(kernels[i].ops->run_empty(jobs[i], &timing, &why), ATTN_OK);
        assert_true(!(timing.device_s < 0)); /* NaN without timestamps */
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kernels[i].ops->fetch(jobs[i], out, &why), ATTN_OK);
        kernels[i].ops->facts(jobs[i], &facts);
        assert_true(facts.extra_bytes > 0 && facts.dispatches > 0 && facts.compile_s > 0);
        assert_true(facts.config[0] != '\0');
        digests[i] = attn_digest_floats(out, elements);
        for (size_t j = 0; j < i; j++)
            if (kernels[j].contract == kernels[i].contract)
                assert_true(attn_digest_equal(&digests[i], &digests[j]));
        kernels[i].ops->release(jobs[i]);
    }
    for (int i = 0; i < 2; i++)
        attn_inputs_free(&in[i]);
    attn_free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions),
        cmocka_unit_test(kernels_of_devices),
        cmocka_unit_test(jobs_side_by_side),
    };
    return cmocka_run_group_tests(tests, device_test_setup, device_test_teardown);
}
