/* SPDX-License-Identifier: Apache-2.0
 *
 * Verdicts of the probe, and equal devices (case 23); no device is opened.
 */
#include "tests/unit.h"

#include "gpu/device.h"
#include "gpu/probe.h"

static void verdicts(void **state)
{
    (void)state;
    gpu_probe good = {.fused = true, .rounds_to_even = true, .keeps_order = true, .sweep = true};
    gpu_probe probe = good;
    gpu_probe_judge(&probe, true);
    assert_true(probe.f && probe.m);
    assert_string_equal(probe.verdict, "F, M and X");

    gpu_probe_judge(&probe, false);
    assert_true(!probe.f && probe.m);
    assert_string_equal(probe.verdict, "M and X only: fma() differs from the host's");

    probe.fused = false;
    gpu_probe_judge(&probe, false);
    assert_true(!probe.f && probe.m);
    assert_string_equal(probe.verdict, "M and X only: fma() is split");

    probe = good;
    probe.rounds_to_even = false;
    gpu_probe_judge(&probe, true);
    assert_true(!probe.f && !probe.m);
    assert_string_equal(probe.verdict, "none: addition does not round to nearest even");

    probe = good;
    probe.keeps_order = false;
    gpu_probe_judge(&probe, true);
    assert_string_equal(probe.verdict, "none: precise sums are reassociated");

    probe = good;
    probe.sweep = false;
    gpu_probe_judge(&probe, true);
    assert_true(!probe.f && !probe.m);
}

static void equal_devices(void **state)
{
    (void)state;
    gpu_device_info infos[] = {{.selector = "vk0", .uuid = "aa"}, {.selector = "vk1", .uuid = "bb"},
                               {.selector = "vk2", .uuid = "aa"}, {.selector = "vk3", .uuid = "aa"},
                               {.selector = "vk4", .uuid = ""},   {.selector = "vk5", .uuid = ""}};
    gpu_device_info *list[] = {&infos[0], &infos[1], &infos[2], &infos[3], &infos[4], &infos[5]};
    gpu_mark_duplicates(list, 6);
    assert_string_equal(infos[0].duplicate_of, "");
    assert_string_equal(infos[1].duplicate_of, "");
    assert_string_equal(infos[2].duplicate_of, "vk0");
    assert_string_equal(infos[3].duplicate_of, "vk0");
    assert_string_equal(infos[4].duplicate_of, "");
    assert_string_equal(infos[5].duplicate_of, ""); /* an unknown UUID equals nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(equal_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
