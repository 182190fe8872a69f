/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices that are lost, do not answer or refuse (case 15): whichever submission, allocation or
 * pipeline of a job it is, the job says so, everything is given back, and the next job gives the
 * right bits, if need be on the device opened again. Under the validation layer, which tells what
 * was destroyed too early or never, and on tensors that the host cannot map, too.
 */
#include "device_test.h"

#include <stdlib.h>

#include "attn/tensor.h"
#include "gpu/set.h"

static size_t usable; /* index of the first device that is */
static attn_workload workload;
static attn_inputs inputs;
static float *output;

static int open_inputs(void **state)
{
    attn_reason why;
    (void)state;
    gpu_set *set = device_test_open(); /* skips where there is none */
    while (gpu_device(set, usable)->unavailable[0])
        usable++;
    gpu_close(set);
    workload = parse_workload("h=2,n=70,m=150,d=24,mask=causal");
    output = attn_alloc(attn_out_elements(&workload) * sizeof *output);
    if (!output || attn_inputs_make(&workload, ATTN_GEN_NORMAL, 3, &inputs, &why) != ATTN_OK)
        return -1;
    return 0;
}

static int close_inputs(void **state)
{
    (void)state;
    attn_inputs_free(&inputs);
    attn_free(output);
    return 0;
}

static gpu_set *open_with(const char *faults)
{
    setenv("ATTNMARK_GPU_FAULT", faults, 1);
    gpu_set *set = gpu_open(NULL);
    unsetenv("ATTNMARK_GPU_FAULT");
    assert_non_null(set);
    return set;
}

static gpu_context *device_of(const gpu_set *set)
{
    return &set->devices[usable];
}

static const attn_kernel *find_kernel(const gpu_set *set, const char *name)
{
    size_t count;
    const attn_kernel *kernels = gpu_kernels(set, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kernels[i].name, name) == 0 && kernels[i].context == device_of(set))
            return &kernels[i];
    fail_msg("no %s", name);
    return NULL;
}

static attn_status prepare(const attn_kernel *kernel, attn_job **job, attn_reason *why)
{
    return kernel->ops->prepare(kernel, &workload, &inputs, 1, job, why);
}

/* What became of a job: the first step that failed. */
static attn_status attempt(const attn_kernel *kernel, attn_reason *why)
{
    attn_timing timing;
    attn_job *job;
    attn_status status = prepare(kernel, &job, why);
    if (status == ATTN_OK)
        status = kernel->ops->run(job, &timing, why);
    if (status == ATTN_OK)
        status = kernel->ops->fetch(job, output, why);
    kernel->ops->release(job);
    return status;
}

static void expect_right(const attn_kernel *kernel)
{
    assert_true(device_test_check(kernel, &workload, &inputs));
}

/* A fault, and what a job says that meets it. */
typedef struct injection {
    const char *kind;
    attn_status status;
    const char *reason;
    bool loses; /* the device */
} injection;

static const injection injections[] = {
    {"submit", ATTN_DEVICE_LOST, "vkQueueSubmit: VK_ERROR_DEVICE_LOST", true},
    {"timeout", ATTN_TIMEOUT, "vkWaitForFences: VK_TIMEOUT", true},
    {"memory", ATTN_OUT_OF_MEMORY, "vkAllocateMemory: VK_ERROR_OUT_OF_DEVICE_MEMORY", false},
    {"pipeline", ATTN_ERROR, "vkCreateComputePipelines: VK_ERROR_INITIALIZATION_FAILED", false},
};
enum { INJECTIONS = sizeof injections / sizeof injections[0] };

/* Does the K-th chance of this kind come up in a job? Then the job fails, and the next is right. */
static bool meets(const injection *fault, int k, const char *kernel_name)
{
    char text[64];
    attn_reason why;
    snprintf(text, sizeof text, "%s:%d", fault->kind, k);
    gpu_set *set = open_with(text);
    const attn_kernel *kernel = find_kernel(set, kernel_name);
    const attn_status status = attempt(kernel, &why);
    if (status != ATTN_OK) {
        assert_int_equal(status, fault->status);
        assert_string_equal(why.text, fault->reason);
        assert_int_equal(device_of(set)->lost, fault->loses);
        expect_right(kernel);
        assert_int_equal(device_of(set)->again != NULL, fault->loses);
    }
    device_test_close(set);
    return status != ATTN_OK;
}

/* Every chance of every kind in a job of this kernel; `least` of each there must be. */
static void meet_all(const char *kernel, const int least[INJECTIONS])
{
    for (int i = 0; i < INJECTIONS; i++) {
        int k = 1;
        while (meets(&injections[i], k, kernel))
            k++;
        print_message("# %s: %d x %s\n", kernel, k - 1, injections[i].kind);
        assert_true(k - 1 >= least[i]);
    }
}

static void every_chance(void **state)
{
    (void)state;
    meet_all("vk_naive_m", (int[]){1, 1, 6, 3});
    meet_all("vk_tile_64_m", (int[]){1, 1, 6, 1});
}

/* Each input is filled and written, the output filled and, in two parts, read. */
static void every_chance_of_staged_transfers(void **state)
{
    (void)state;
    setenv("ATTNMARK_GPU_STAGING", "1", 1);
    meet_all("vk_naive_m", (int[]){11, 11, 12, 3});
    unsetenv("ATTNMARK_GPU_STAGING");
}

static void lost_for_good(void **state)
{
    (void)state;
    attn_reason why;
    gpu_set *set = open_with("submit:1+");
    const attn_kernel *kernel = find_kernel(set, "vk_tile_64_m");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(attempt(kernel, &why), ATTN_DEVICE_LOST);
        assert_string_equal(why.text, "vkQueueSubmit: VK_ERROR_DEVICE_LOST");
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(attempt(kernel, &why), ATTN_DEVICE_LOST);
        assert_string_equal(why.text, "the device was lost twice");
    }
    assert_null(device_of(set)->again->again);
    device_test_close(set);
}

static void refused_for_good(void **state)
{
    (void)state;
    attn_reason why;
    gpu_set *set = open_with("memory:1+");
    for (int i = 0; i < 3; i++)
        assert_int_equal(attempt(find_kernel(set, "vk_naive_m"), &why), ATTN_OUT_OF_MEMORY);
    assert_false(device_of(set)->lost);
    device_test_close(set);
}

static void another_device_is_lost(void **state)
{
    (void)state;
    char text[64];
    attn_reason why;
    gpu_set *set = open_with("vk99:submit:1+,vk99:memory:1+");
    expect_right(find_kernel(set, "vk_tile_64_m"));
    snprintf(text, sizeof text, "%s:submit:1", gpu_device(set, usable)->selector);
    device_test_close(set);
    set = open_with(text);
    assert_int_equal(attempt(find_kernel(set, "vk_tile_64_m"), &why), ATTN_DEVICE_LOST);
    device_test_close(set);
}

/* Jobs of the lost device say so, in whatever state they are, and go after their successor. */
static void jobs_side_by_side(void **state)
{
    (void)state;
    attn_reason why;
    attn_timing timing;
    attn_job *jobs[3];
    gpu_set *set = open_with("submit:1");
    const attn_kernel *kernel = find_kernel(set, "vk_tile_64_m");
    const attn_kernel_ops *ops = kernel->ops;
    device_of(set)->faults.armed = false;
    for (int i = 0; i < 3; i++)
        assert_int_equal(prepare(kernel, &jobs[i], &why), ATTN_OK);
    assert_int_equal(ops->run(jobs[0], &timing, &why), ATTN_OK);
    device_of(set)->faults.armed = true;
    assert_int_equal(ops->run(jobs[1], &timing, &why), ATTN_DEVICE_LOST);
    assert_int_equal(ops->run(jobs[2], &timing, &why), ATTN_DEVICE_LOST);
    assert_string_equal(why.text, "the device was lost before");
    assert_int_equal(ops->fetch(jobs[0], output, &why), ATTN_DEVICE_LOST);
    assert_string_equal(why.text, "the device was lost before");
    expect_right(kernel);
    for (int i = 0; i < 3; i++)
        ops->release(jobs[i]);
    device_test_close(set);
}

/* How often the roof ran before it failed, and how that was. */
static int runs_of(const attn_roof *roof, attn_status *status, attn_reason *why)
{
    uint64_t done;
    attn_timing timing;
    int runs = -1;
    do {
        runs++;
        *status = roof->run(roof, 1, 1, &done, &timing, why);
    } while (*status == ATTN_OK);
    return runs;
}

static void roofs_come_back(void **state)
{
    (void)state;
    size_t count;
    attn_reason why;
    attn_status status;
    gpu_set *set = open_with("submit:2,timeout:40");
    const attn_roof *roof = gpu_roofs(set, &count);
    assert_true(count > 0);
    runs_of(roof, &status, &why);
    assert_int_equal(status, ATTN_DEVICE_LOST);
    assert_true(runs_of(roof, &status, &why) > 0);
    assert_int_equal(status, ATTN_TIMEOUT);
    assert_int_equal(runs_of(roof, &status, &why), 0);
    assert_int_equal(status, ATTN_DEVICE_LOST);
    assert_string_equal(why.text, "the device was lost twice");
    device_test_close(set);
}

/* What comes back from a loss must be the same device. */
static void successors_are_judged(void **state)
{
    (void)state;
    attn_reason why;
    gpu_set *set = open_with("submit:1");
    gpu_device_info *info = &device_of(set)->info;
    const attn_kernel *kernel = find_kernel(set, "vk_tile_64_m");
    assert_int_equal(attempt(kernel, &why), ATTN_DEVICE_LOST);
    const char first = info->probe.verdict[0];
    info->probe.verdict[0] = '?';
    assert_int_equal(attempt(kernel, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, info->probe.verdict));
    info->probe.verdict[0] = first;
    expect_right(kernel);
    device_test_close(set);

    set = open_with("submit:1");
    kernel = find_kernel(set, "vk_tile_64_m");
    assert_int_equal(attempt(kernel, &why), ATTN_DEVICE_LOST);
    strcpy(device_of(set)->info.unavailable, "it burns");
    assert_int_equal(attempt(kernel, &why), ATTN_DEVICE_LOST);
    assert_string_equal(why.text, "lost, and cannot be opened again: it burns");
    device_test_close(set);
}

/* Work that never ends keeps what it uses: neither its job nor the set destroys that. Here it never
 * began, so its fence stays without a signal. */
static void stuck_work_keeps_its_objects(void **state)
{
    (void)state;
    attn_reason why;
    gpu_set *set = open_with("submit:1");
    const attn_kernel *kernel = find_kernel(set, "vk_tile_64_m");
    gpu_context *device = device_of(set);
    attn_timing timing;
    attn_job *job;
    device->faults.armed = false;
    assert_int_equal(prepare(kernel, &job, &why), ATTN_OK);
    device->faults.armed = true;
    assert_int_equal(kernel->ops->run(job, &timing, &why), ATTN_DEVICE_LOST);
    device->work = GPU_AT_WORK;
    device->grace_ns = 0;
    kernel->ops->release(job);
    assert_int_equal(device->work, GPU_STUCK);
    expect_right(kernel);

    const gpu_context left = *device;
    device_test_close(set);
    assert_int_equal(left.vk.vkGetFenceStatus(left.handle, left.fence), VK_NOT_READY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chance),
        cmocka_unit_test(every_chance_of_staged_transfers),
        cmocka_unit_test(lost_for_good),
        cmocka_unit_test(refused_for_good),
        cmocka_unit_test(another_device_is_lost),
        cmocka_unit_test(jobs_side_by_side),
        cmocka_unit_test(roofs_come_back),
        cmocka_unit_test(successors_are_judged),
        cmocka_unit_test(stuck_work_keeps_its_objects),
    };
    return cmocka_run_group_tests(tests, open_inputs, close_inputs);
}
