/* SPDX-License-Identifier: Apache-2.0
 *
 * Which size `tune` chooses, of kernels whose times and outputs are made up.
 */
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

#include "gpu/device.h"
#include "harness/tune.h"

/* What becomes of the sizes of tile, by workgroup and rows. */
typedef struct made_up {
    gpu_size size;
    double device_s;
    bool wrong;            /* its output */
    attn_status run_fails; /* from the second run on */
} made_up;

static const made_up *plan; /* of the test at hand */
static size_t plan_count;
static size_t released, prepared;
static float value; /* of the only key: the output */

struct attn_job {
    const made_up *how;
    gpu_size size;
    unsigned runs;
};

static const made_up otherwise = {.device_s = 0.5};

static attn_status prepare(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                           unsigned threads, attn_job **job, attn_reason *why)
{
    const gpu_row *row = kernel->impl;
    (void)threads, (void)w, (void)in, (void)why;
    *job = calloc(1, sizeof **job);
    (*job)->how = &otherwise;
    (*job)->size = (gpu_size){row->local_x, row->local_y, row->rows};
    for (size_t i = 0; i < plan_count; i++)
        if (memcmp(&plan[i].size, &(*job)->size, sizeof plan[i].size) == 0)
            (*job)->how = &plan[i];
    prepared++;
    return ATTN_OK;
}

static attn_status run(attn_job *job, attn_timing *timing, attn_reason *why)
{
    timing->device_s = job->how->device_s;
    if (job->runs++ > 0 && job->how->run_fails)
        return attn_because(why, job->how->run_fails, "made up");
    return ATTN_OK;
}

static attn_status fetch(attn_job *job, float *out, attn_reason *why)
{
    (void)why;
    out[0] = job->how->wrong ? value + 1 : value;
    return ATTN_OK;
}

static void facts(const attn_job *job, attn_job_facts *known)
{
    *known = (attn_job_facts){.compile_s = NAN};
    snprintf(known->config, sizeof known->config, "%u", (unsigned)job->size.local_x);
}

static void release(attn_job *job)
{
    released++;
    free(job);
}

static const attn_kernel_ops ops = {
    .prepare = prepare, .run = run, .fetch = fetch, .facts = facts, .release = release};

static const gpu_row *find_row(const char *kernel)
{
    size_t i = 0;
    while (strcmp(gpu_rows[i].kernel, kernel) != 0)
        i++;
    return &gpu_rows[i];
}

/* Tunes vk_tile_64_m on a device with room for everything. */
static void tune(tune_group *group, const made_up *how, size_t count, double budget_s)
{
    gpu_context device = {.limits = {.shared = 65536,
                                     .invocations = 1024,
                                     .group_x = 1024,
                                     .group_y = 1024,
                                     .groups = 65535,
                                     .range = 1 << 30,
                                     .allocation = 1 << 30,
                                     .align = 256,
                                     .texels = 1 << 27,
                                     .subgroup = 32,
                                     .loops = UINT64_MAX,
                                     .work = GPU_ANY_WORK,
                                     .fill = 64}};
    attn_kernel kernel = gpu_row_kernel(find_row("vk_tile_64_m"), &device.limits, NULL);
    kernel.device = "vk0";
    kernel.ops = &ops;
    kernel.context = &device;
    const attn_workload w = parse_workload("h=1,n=1,m=1,d=1");
    attn_reason why = {""};
    tune_case c;
    assert_int_equal(tune_case_open(&c, &w, &why), ATTN_OK);
    value = *(const float *)c.inputs.v;
    plan = how;
    plan_count = count;
    released = prepared = 0;
    tune_group_run(group, &kernel, &c, &budget_s, 0);
    assert_true(prepared > 0);
    assert_int_equal(prepared, released);
    tune_case_close(&c);
}

static const tune_candidate *candidate(const tune_group *group, gpu_size size)
{
    for (size_t i = 0; i < group->count; i++)
        if (memcmp(&group->list[i].size, &size, sizeof size) == 0)
            return &group->list[i];
    fail_msg("no such candidate");
    return NULL;
}

static const gpu_size own = {16, 16, 4}, wide = {16, 8, 4}, small = {8, 8, 8};

static void check_chosen(const tune_group *group, gpu_size size)
{
    gpu_choice choice;
    assert_true(tune_group_choice(group, &choice));
    assert_memory_equal(&choice.size, &size, sizeof size);
    assert_string_equal(choice.kernel, "vk_tile_64_m");
}

static void the_fastest_is_chosen(void **state)
{
    (void)state;
    static const made_up how[] = {
        {{16, 16, 4}, 3e-3, false, 0}, {{16, 8, 4}, 2e-3, false, 0}, {{8, 8, 8}, 2.5e-3, false, 0}};
    static tune_group group;
    tune(&group, how, 3, 60);
    check_chosen(&group, wide);
    assert_true(group.own == candidate(&group, own) && !tune_group_alarming(&group));
    assert_true(candidate(&group, small)->samples >= TUNE_LEAST_ROUNDS);
    /* Others take 0.5 s: they are not tried for long. */
    assert_int_equal(candidate(&group, (gpu_size){16, 4, 4})->samples, 2);
}

static void ours_is_kept_within_the_noise(void **state)
{
    (void)state;
    static const made_up how[] = {{{16, 16, 4}, 2.02e-3, false, 0}, {{16, 8, 4}, 2e-3, false, 0}};
    static tune_group group;
    tune(&group, how, 2, 60);
    check_chosen(&group, own);
}

static void wrong_outputs_are_never_chosen(void **state)
{
    (void)state;
    static const made_up how[] = {
        {{16, 16, 4}, 3e-3, true, 0}, {{16, 8, 4}, 1e-3, true, 0}, {{8, 8, 8}, 2e-3, false, 0}};
    static tune_group group;
    tune(&group, how, 3, 60);
    check_chosen(&group, small);
    assert_true(tune_group_alarming(&group));
    assert_int_equal(candidate(&group, own)->status, ATTN_FAILED);
    assert_int_equal(candidate(&group, wide)->status, ATTN_FAILED);
    assert_non_null(strstr(candidate(&group, wide)->why.text, "first bad index 0"));
    assert_int_equal(candidate(&group, wide)->samples, 0);
}

static void failures_leave_the_others(void **state)
{
    (void)state;
    static const made_up how[] = {{{16, 16, 4}, 3e-3, false, ATTN_DEVICE_LOST},
                                  {{16, 8, 4}, 2e-3, false, 0}};
    static tune_group group;
    tune(&group, how, 2, 60);
    check_chosen(&group, wide);
    assert_true(tune_group_alarming(&group));
    assert_int_equal(candidate(&group, own)->status, ATTN_DEVICE_LOST);
}

static void without_time_nothing_is_chosen(void **state)
{
    (void)state;
    gpu_choice choice;
    static tune_group group;
    tune(&group, NULL, 0, 1e-9);
    assert_int_equal(group.status, ATTN_SKIPPED);
    assert_false(tune_group_choice(&group, &choice));
    assert_false(tune_group_alarming(&group));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_chosen),
        cmocka_unit_test(ours_is_kept_within_the_noise),
        cmocka_unit_test(wrong_outputs_are_never_chosen),
        cmocka_unit_test(failures_leave_the_others),
        cmocka_unit_test(without_time_nothing_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
