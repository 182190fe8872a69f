/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests on Vulkan devices share.
 */
#ifndef TESTS_GPU_DEVICE_TEST_H
#define TESTS_GPU_DEVICE_TEST_H

#include "tests/unit.h"

#include <stdbool.h>

#include "gpu/gpu.h"

/* The set of all devices; ends the test program with status 77 (skipped) and the reason where
 * there is none that works. */
gpu_set *device_test_open(void);
/* Fails when the validation layer said anything. */
void device_test_close(gpu_set *set);

/* The same as cmocka's group fixture, for tests that share one set. */
extern gpu_set *device_test_set;
int device_test_setup(void **state);
int device_test_teardown(void **state);

/* Prepares, runs twice and fetches; fails with the reason of any step but supports. Returns the
 * status of supports. out has attn_out_elements(w) floats. */
attn_status device_test_run(const attn_kernel *kernel, const attn_workload *w,
                            const attn_inputs *in, float *out, attn_reason *why);

/* Runs and compares with the scalar reference, bit for bit. False when it is not supported. */
bool device_test_check(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in);

/* Kernels of several devices, contracts and variants. */
#define DEVICE_TEST_KERNELS 96

/* The kernels to test, at most `capacity`: those that can run, and those of contract F whose
 * device splits fma(), with contract M: there they must give M's bits. */
size_t device_test_kernels(const gpu_set *set, attn_kernel *kernels, size_t capacity);

#endif
