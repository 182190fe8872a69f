/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of gpu/ that need no device: timestamps (case 16), the test hooks, driver quirks,
 * duplicates (case 23), and the verdict of the probe.
 */
#include "tests/unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "gpu/device_limits.h"
#include "gpu/hooks.h"
#include "gpu/timer.h"
#include "gpu/validation.h"

static void ticks_wrap_at_the_valid_bits(void **state)
{
    (void)state;
    assert_true(gpu_timer_ticks(UINT64_C(0xFFFFFFFFF), 0, 36) == 1);
    assert_true(gpu_timer_ticks(UINT64_C(0xABC0000000000005), UINT64_C(0x1230000000000009), 36) ==
                4);
    assert_true(gpu_timer_ticks(UINT64_MAX, 1, 64) == 2);
    assert_true(gpu_timer_ticks(7, 7, 64) == 0);
}

static void ticks_have_a_period(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%.3f ms", 1e3 * gpu_timer_seconds(100, 19300, 64, 52.083));
    assert_string_equal(text, "1.000 ms");
    assert_true(isnan(gpu_timer_seconds(0, 19200, 0, 52.083)));
}

static const gpu_limits large = {.shared = 65536,
                                 .invocations = 1024,
                                 .group_x = 1024,
                                 .group_y = 1024,
                                 .groups = 65535,
                                 .subgroup = 32,
                                 .timestamps = 64,
                                 .range = UINT64_C(1) << 32,
                                 .loops = UINT64_MAX};

static void limits_are_lowered_only(void **state)
{
    (void)state;
    attn_reason why;
    gpu_limits limits = large;
    assert_int_equal(gpu_hook_limits(NULL, &limits, &why), ATTN_OK);
    assert_memory_equal(&limits, &large, sizeof limits);
    assert_int_equal(gpu_hook_limits("shared=16384,invocations=128,range=134217728,groups=9,"
                                     "loops=65535,subgroup=4,timestamps=0",
                                     &limits, &why),
                     ATTN_OK);
    assert_int_equal(limits.shared, 16384);
    assert_int_equal(limits.invocations, 128);
    assert_int_equal(limits.range, 134217728);
    assert_int_equal(limits.groups, 9);
    assert_int_equal(limits.loops, 65535);
    assert_int_equal(limits.subgroup, 4);
    assert_int_equal(limits.timestamps, 0);
    assert_int_equal(gpu_hook_limits("shared=99999999999", &limits, &why), ATTN_OK);
    assert_int_equal(limits.shared, 16384);
}

static void malformed_hooks_are_named(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "shared",     "shared=",    "shared=0",    "shared=-1",
        "shared=1x",  "cores=4",    "=5",          "shared=1;range=2",
        ",",          "share=1",    "shared= 1",   "range=99999999999999999999",
        "subgroup=0", "timestamps", "timestamps=", "timestamps=99999999999999999999"};
    attn_reason why;
    gpu_limits limits = large;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(gpu_hook_limits(bad[i], &limits, &why), ATTN_ERROR);
        assert_non_null(strstr(why.text, bad[i]));
    }
}

static void no_faults(void **state)
{
    (void)state;
    gpu_faults faults;
    attn_reason why;
    assert_int_equal(gpu_hook_faults(NULL, "vk0", &faults, &why), ATTN_OK);
    assert_int_equal(faults.count, 0);
    assert_int_equal(gpu_hook_faults("", "vk0", &faults, &why), ATTN_OK);
    assert_int_equal(faults.count, 0);
    faults.armed = true;
    for (int i = 0; i < 10; i++)
        assert_false(gpu_hook_fails(&faults, GPU_FAULT_SUBMIT));
}

static void malformed_faults_are_named(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "submit",    "submit:",  "submit:0",   "submit:-1",    "submit:1x",
        "submit:+",  "wait:3",   ",",          "submit:3,",    "submit:3;",
        "vk:memory", "vk0:",     "vk0memory",  "vk0:vk0:1",    "submit:1++",
        "submit: 1", "Submit:1", "vk9:wait:1", "cpu:submit:1", "memory:99999999999999999999"};
    gpu_faults faults;
    attn_reason why;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (gpu_hook_faults(bad[i], "vk0", &faults, &why) != ATTN_ERROR)
            fail_msg("'%s' is taken", bad[i]);
    assert_int_equal(gpu_hook_faults("memory:1,vk0:wait:2,pipeline:3", "vk0", &faults, &why),
                     ATTN_ERROR);
    assert_non_null(strstr(why.text, "ATTNMARK_GPU_FAULT: cannot read 'vk0:wait:2' "));
}

/* Which of the next 8 chances of a kind fail: bit i for chance i + 1. */
static unsigned failing(gpu_faults *faults, gpu_fault_kind kind)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < 8; i++)
        bits |= (unsigned)gpu_hook_fails(faults, kind) << i;
    return bits;
}

static void faults_hit_their_chances(void **state)
{
    (void)state;
    static const char text[] = "submit:3,vk0:memory:2+,vk1:pipeline:1,submit:5,vk12:timeout:1";
    gpu_faults faults;
    attn_reason why;
    assert_int_equal(gpu_hook_faults(text, "vk0", &faults, &why), ATTN_OK);
    assert_int_equal(failing(&faults, GPU_FAULT_SUBMIT), 0); /* not armed: not counted either */
    faults.armed = true;
    assert_int_equal(failing(&faults, GPU_FAULT_SUBMIT), 0x14);
    assert_int_equal(failing(&faults, GPU_FAULT_MEMORY), 0xfe);
    assert_int_equal(failing(&faults, GPU_FAULT_MEMORY), 0xff);
    assert_int_equal(failing(&faults, GPU_FAULT_PIPELINE), 0);
    assert_int_equal(failing(&faults, GPU_FAULT_TIMEOUT), 0);

    assert_int_equal(gpu_hook_faults(text, "vk1", &faults, &why), ATTN_OK);
    faults.armed = true;
    assert_int_equal(failing(&faults, GPU_FAULT_SUBMIT), 0x14);
    assert_int_equal(failing(&faults, GPU_FAULT_SUBMIT), 0);
    assert_int_equal(failing(&faults, GPU_FAULT_PIPELINE), 0x01);
    assert_int_equal(failing(&faults, GPU_FAULT_MEMORY), 0);

    assert_int_equal(gpu_hook_faults(text, "vk12", &faults, &why), ATTN_OK);
    faults.armed = true;
    assert_int_equal(failing(&faults, GPU_FAULT_TIMEOUT), 0x01);
}

static void faults_have_a_limit(void **state)
{
    (void)state;
    char text[16 * (GPU_MAX_FAULTS + 1)] = "";
    gpu_faults faults;
    attn_reason why;
    for (int i = 0; i < GPU_MAX_FAULTS; i++)
        strcat(text, i ? ",vk3:submit:1" : "vk3:submit:1");
    assert_int_equal(gpu_hook_faults(text, "vk3", &faults, &why), ATTN_OK);
    strcat(text, ",submit:9");
    assert_int_equal(gpu_hook_faults(text, "vk2", &faults, &why), ATTN_OK);
    assert_int_equal(faults.count, 1);
    assert_int_equal(gpu_hook_faults(text, "vk3", &faults, &why), ATTN_ERROR);
    assert_string_equal(why.text, "ATTNMARK_GPU_FAULT: more than 16 for one device");
}

static void checks_of_the_validation_layer(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned checks;
    } good[] = {{NULL, 0},
                {"", 0},
                {"0", 0},
                {"1", GPU_VALIDATION_CORE | GPU_VALIDATION_SYNC},
                {"sync", GPU_VALIDATION_SYNC},
                {"gpu,core", GPU_VALIDATION_CORE | GPU_VALIDATION_GPU}};
    static const char *const bad[] = {"2",     "01",     "1,gpu", "yes",       "Core",
                                      "core,", ",core",  "cor",   "core,,gpu", "core gpu",
                                      "cores", "core;1", ","};
    attn_reason why;
    unsigned checks;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(gpu_validation_parse(good[i].text, &checks, &why), ATTN_OK);
        assert_int_equal(checks, good[i].checks);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(gpu_validation_parse(bad[i], &checks, &why), ATTN_ERROR);
        assert_non_null(strstr(why.text, bad[i]));
        assert_non_null(strstr(why.text, "allowed: 0, 1, or a list of core, sync, gpu"));
    }
}

static void old_llvmpipe_counts_loops(void **state)
{
    (void)state;
    const uint32_t llvmpipe = 13, radv = 3;
    assert_true(gpu_limits_loops(llvmpipe, "Mesa 22.3.6 (LLVM 15.0.6)") == 49149);
    assert_true(gpu_limits_loops(llvmpipe, "") == 49149);
    assert_true(gpu_limits_loops(llvmpipe, "Mesa 25.0.7-2~bpo12+1 (LLVM 19.1.4)") == UINT64_MAX);
    assert_true(gpu_limits_loops(radv, "Mesa 22.3.6") == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_wrap_at_the_valid_bits),
        cmocka_unit_test(ticks_have_a_period),
        cmocka_unit_test(limits_are_lowered_only),
        cmocka_unit_test(malformed_hooks_are_named),
        cmocka_unit_test(no_faults),
        cmocka_unit_test(malformed_faults_are_named),
        cmocka_unit_test(faults_hit_their_chances),
        cmocka_unit_test(faults_have_a_limit),
        cmocka_unit_test(checks_of_the_validation_layer),
        cmocka_unit_test(old_llvmpipe_counts_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
