/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/gpu/device_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "gpu/kernels.h"

gpu_set *device_test_open(void)
{
    gpu_set *set = gpu_open(NULL);
    assert_non_null(set);
    for (size_t i = 0; i < gpu_device_count(set); i++)
        if (!gpu_device(set, i)->unavailable[0])
            return set;
    printf("1..0 # SKIP %s\n", gpu_unavailable(set) ? gpu_unavailable(set) : "no usable device");
    gpu_close(set);
    exit(77);
}

void device_test_close(gpu_set *set)
{
    assert_int_equal(gpu_close(set), 0);
}

gpu_set *device_test_set;

int device_test_setup(void **state)
{
    (void)state;
    device_test_set = device_test_open();
    return 0;
}

int device_test_teardown(void **state)
{
    (void)state;
    device_test_close(device_test_set);
    return 0;
}

attn_status device_test_run(const attn_kernel *kernel, const attn_workload *w,
                            const attn_inputs *in, float *out, attn_reason *why)
{
    attn_timing timing;
    attn_job *job;
    attn_status status = kernel->ops->supports(kernel, w, why);
    if (status != ATTN_OK)
        return status;
    if (kernel->ops->prepare(kernel, w, in, 1, &job, why) != ATTN_OK ||
        kernel->ops->run(job, &timing, why) != ATTN_OK ||
        kernel->ops->run(job, &timing, why) != ATTN_OK ||
        kernel->ops->fetch(job, out, why) != ATTN_OK)
        fail_msg("%s/%s: %s", kernel->device, kernel->name, why->text);
    assert_true(!(timing.device_s < 0)); /* NaN without timestamps */
    kernel->ops->release(job);
    return ATTN_OK;
}

static void reference(attn_contract contract, const attn_workload *w, const attn_inputs *in,
                      float *out)
{
    attn_reason why;
    for (uint32_t b = 0; b < w->b; b++)
        for (uint32_t h = 0; h < w->h; h++)
            if (cpu_reference_rows(contract, w, in, b, h, 0, w->n,
                                   out + ((size_t)b * w->h + h) * w->n * w->dv, &why) != ATTN_OK)
                fail_msg("reference: %s", why.text);
}

bool device_test_check(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in)
{
    const size_t count = attn_out_elements(w);
    float *out = attn_alloc(count * sizeof *out), *want = attn_alloc(count * sizeof *want);
    char text[ATTN_WORKLOAD_TEXT];
    attn_reason why;

    const bool supported = device_test_run(kernel, w, in, out, &why) == ATTN_OK;
    if (supported)
        reference(kernel->contract, w, in, want);
    for (size_t i = 0; supported && i < count; i++)
        if (attn_bits_of(out[i]) == GPU_SENTINEL ||
            attn_canonical_bits(out[i]) != attn_canonical_bits(want[i]))
            fail_msg("%s/%s %s: index %d is %.9g, want %.9g", kernel->device, kernel->name,
                     attn_workload_format(w, text), (int)i, out[i], want[i]);
    attn_free(out);
    attn_free(want);
    return supported;
}

size_t device_test_kernels(const gpu_set *set, attn_kernel *kernels, size_t capacity)
{
    size_t all, count = 0;
    const attn_kernel *list = gpu_kernels(set, &all);
    for (size_t i = 0; i < all; i++) {
        attn_kernel kernel = list[i];
        if (kernel.unavailable &&
            strcmp(kernel.unavailable, "fma() is split on this device") == 0) {
            kernel.unavailable = NULL;
            kernel.contract = ATTN_CONTRACT_M;
        }
        if (kernel.unavailable)
            continue;
        assert_true(count < capacity);
        kernels[count++] = kernel;
    }
    return count;
}
