/* SPDX-License-Identifier: Apache-2.0
 *
 * What is dispatched for a workload, without a device: ranges of keys, folded grids, and the
 * numbers of a refusal (case 14).
 */
#include "tests/unit.h"

#include <stdbool.h>

#include "gpu/rows.h"

static const gpu_limits device = {.shared = 32768,
                                  .invocations = 1024,
                                  .group_x = 1024,
                                  .group_y = 1024,
                                  .groups = 65535,
                                  .range = 134217728,
                                  .texels = 134217728,
                                  .width = 8,
                                  .loops = UINT64_MAX};

static const gpu_row *find(const char *kernel)
{
    for (size_t i = 0; i < gpu_row_count; i++)
        if (strcmp(gpu_rows[i].kernel, kernel) == 0)
            return &gpu_rows[i];
    fail_msg("no row %s", kernel);
    return NULL;
}

static gpu_plan plan_of(const char *kernel, const gpu_limits *limits, const char *text)
{
    const gpu_row *row = find(kernel);
    const attn_workload w = parse_workload(text);
    attn_reason why;
    gpu_plan plan;
    if (row->plan(row, limits, &w, &plan, &why) != ATTN_OK)
        fail_msg("%s %s: %s", kernel, text, why.text);
    return plan;
}

static void refused(const char *kernel, const gpu_limits *limits, const char *text,
                    const char *reason)
{
    const gpu_row *row = find(kernel);
    const attn_workload w = parse_workload(text);
    attn_reason why;
    gpu_plan plan;
    assert_int_equal(row->plan(row, limits, &w, &plan, &why), ATTN_UNSUPPORTED);
    assert_string_equal(why.text, reason);
}

/* The steps cover [0, m) once, in order, in whole blocks, within `keys` keys each. */
static void check_ranges(const gpu_plan *plan, uint32_t m, uint32_t keys, uint32_t split)
{
    uint32_t at = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const shader_push *push = &plan->steps[i].push;
        const bool split_begins = at % split == 0, first = at < split;
        assert_int_equal(push->key_begin, at);
        assert_true(push->key_end > at && push->key_end - at <= keys && push->key_end <= m);
        at = push->key_end;
        const bool last = at == m, split_ends = last || at % split == 0;
        assert_true(last || at % ATTN_BK == 0);
        assert_int_equal(!!(push->flags & STATE_RESUME), !split_begins);
        assert_int_equal(!!(push->flags & STATE_MERGE), split_ends && split < m);
        assert_int_equal(!!(push->flags & STATE_FIRST), first);
        assert_int_equal(!!(push->flags & STATE_FINISH), last);
    }
    assert_int_equal(at, m);
}

static void one_dispatch_without_need(void **state)
{
    (void)state;
    static const char *const kernels[] = {"vk_tile_64_m", "vk_lanes_m"};
    for (int i = 0; i < 2; i++) {
        gpu_plan plan = plan_of(kernels[i], &device, "h=3,n=1000,m=7000,d=40");
        assert_int_equal(plan.count, 1);
        assert_int_equal(plan.scratch, 0);
        check_ranges(&plan, 7000, 7000, 7040);
        gpu_plan_free(&plan);
    }
}

static void splits_are_merged_in_order(void **state)
{
    (void)state;
    gpu_plan plan = plan_of("vk_tile_64_m", &device, "h=3,n=10,m=1000,d=40,dv=6,split=192");
    assert_int_equal(plan.count, 6);
    assert_int_equal(plan.scratch, 2 * 3 * 10 * 4 * (6 + 2));
    check_ranges(&plan, 1000, 192, 192);
    gpu_plan_free(&plan);
}

/* A driver that counts loop iterations gets ranges that stay below its limit; splits keep theirs.
 */
static void loop_limits_cut_the_keys(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"vk_tile_64_m", "h=1,n=10,m=3001,d=40,dv=6", "h=1,n=10,m=3001,d=40,dv=6,split=1024"},
        {"vk_lanes_m", "h=1,n=10,m=3001,d=40,dv=6", "h=1,n=10,m=3001,d=40,dv=6,split=1024"},
        {"vk_tile_64_x", "h=1,n=10,m=3001,d=40,dv=6,dtype=f16",
         "h=1,n=10,m=3001,d=40,dv=6,split=1024,dtype=bf16"},
    };
    gpu_limits limits = device;
    limits.loops = 500;
    for (int i = 0; i < 3; i++) {
        gpu_plan plan = plan_of(rows[i][0], &limits, rows[i][1]);
        assert_true(plan.count > 3);
        assert_int_equal(plan.scratch, 10 * 4 * (6 + 2));
        check_ranges(&plan, 3001, plan.steps[0].push.key_end, 3008);
        gpu_plan_free(&plan);
        plan = plan_of(rows[i][0], &limits, rows[i][2]);
        check_ranges(&plan, 3001, plan.steps[0].push.key_end, 1024);
        gpu_plan_free(&plan);
    }
    limits.loops = 200;
    refused("vk_tile_64_m", &limits, "h=1,n=1,d=16",
            "needs 206 loop iterations of one invocation, on this driver at most 200");
}

static void naive_takes_the_heads_that_fit(void **state)
{
    (void)state;
    gpu_limits limits = device;
    limits.range = 1048576;
    gpu_plan plan = plan_of("vk_naive_m", &limits, "b=2,h=5,n=256,m=200,d=8");
    const uint64_t head = 256 * 4 * (200 + NAIVE_FACTORS(4, 1));
    assert_int_equal(plan.scratch, 4 * head);
    assert_int_equal(plan.count, 3 * NAIVE_PASSES);
    assert_int_equal(plan.steps[plan.count - 1].push.head_begin, 8);
    assert_int_equal(plan.steps[plan.count - 1].push.head_end, 10);
    assert_int_equal(plan.steps[plan.count - 1].push.groups, 2 * 256 * 8 / 64);
    gpu_plan_free(&plan);
}

static void smaller_devices_get_smaller_tiles(void **state)
{
    (void)state;
    gpu_limits limits = device;
    assert_int_equal(gpu_plan_tile_q(find("vk_tile_64_m"), &limits), 64);
    limits.shared = 16384;
    assert_int_equal(gpu_plan_tile_q(find("vk_tile_64_m"), &limits), 16);
    limits.shared = device.shared;
    limits.invocations = 128;
    gpu_plan plan = plan_of("vk_tile_64_m", &limits, "h=2,n=100,d=16");
    assert_int_equal(plan.specs[SPEC_LOCAL_X] * plan.specs[SPEC_LOCAL_Y], 128);
    assert_int_equal(plan.steps[0].push.groups, 2 * 4);
    gpu_plan_free(&plan);
    assert_int_equal(gpu_plan_tile_q(find("vk_lanes_m"), &limits), 32);
    assert_int_equal(gpu_plan_tile_q(find("vk_naive_m"), &limits), 1);
}

static void refusals_name_both_numbers(void **state)
{
    (void)state;
    gpu_limits limits = device;
    refused("vk_tile_64_m", &limits, "h=8,n=65536,d=128",
            "needs a buffer of 268435456 bytes, the device binds 134217728");
    refused("vk_naive_m", &limits, "h=1,n=8192,d=8",
            "needs a buffer of 272760832 bytes, the device binds 134217728");
    refused("vk_tile_64_m", &limits, "h=1,n=8,d=257", "needs head size 257, at most 256");
    refused("vk_tile_64_m", &limits, "h=1,n=8,d=8,dtype=f16", "contract M takes f32, not f16");
    refused("vk_tile_64_x", &limits, "h=1,n=8,d=8", "contract X takes f16 or bf16, not f32");
    limits.shared = 4096;
    refused("vk_tile_64_m", &limits, "h=1,n=8,d=8",
            "needs 5712 bytes of shared memory and 16 invocations, the device has 4096 and 1024");
    limits.groups = 2;
    refused("vk_lanes_m", &limits, "h=5,n=8,d=8", "needs 5 workgroups, the device takes 4");
    limits = device;
    limits.texels = 65536;
    refused("vk_lanes_m", &limits, "h=1,n=8,m=32769,d=8",
            "needs a texel buffer of 65538 elements, the device binds 65536");
    refused("vk_lanes_m", &limits, "h=1,n=8,m=9363,d=7",
            "needs a texel buffer of 65541 elements, the device binds 65536");
    refused("vk_lanes_x", &limits, "h=1,n=8,m=32769,d=4,dtype=f16",
            "needs a texel buffer of 65538 elements, the device binds 65536");
    limits.width = 0;
    refused("vk_lanes_m", &limits, "h=1,n=8,d=8", "needs subgroup shuffles");
}

/* lanes: texels of four words where all rows of K and V are whole ones, masks where some row does
 * not see all keys. */
static void lanes_specializes(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *text;
        uint32_t texel_words, masked;
    } cases[] = {
        {"vk_lanes_m", "h=1,n=8,d=12", 4, 0},
        {"vk_lanes_m", "h=1,n=8,d=12,dv=10", 1, 0},
        {"vk_lanes_m", "h=1,n=8,d=6,dv=8,mask=causal", 1, 1},
        {"vk_lanes_x", "h=1,n=8,d=16,dtype=bf16,mask=len:3", 4, 1},
        {"vk_lanes_x", "h=1,n=8,d=12,dtype=f16", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpu_plan plan = plan_of(cases[i].kernel, &device, cases[i].text);
        assert_int_equal(plan.texel_words, cases[i].texel_words);
        assert_int_equal(plan.specs[SPEC_TEXEL_WORDS], cases[i].texel_words);
        assert_int_equal(plan.specs[SPEC_MASKED], cases[i].masked);
        gpu_plan_free(&plan);
    }
}

/* Half the bytes of f32, in whole words; the specialization tells f16 from bf16. */
static void narrow_tensors_are_words(void **state)
{
    (void)state;
    static const char *const kernels[] = {"vk_naive_x", "vk_tile_64_x", "vk_lanes_x"};
    for (int i = 0; i < 3; i++) {
        gpu_plan plan = plan_of(kernels[i], &device, "h=1,n=8,d=8,dtype=f16");
        assert_int_equal(plan.specs[SPEC_BF16], 0);
        gpu_plan_free(&plan);
        plan = plan_of(kernels[i], &device, "h=1,n=8,d=8,dtype=bf16");
        assert_int_equal(plan.specs[SPEC_BF16], 1);
        gpu_plan_free(&plan);
    }
    gpu_limits limits = device;
    limits.range = 196608;
    gpu_plan plan = plan_of("vk_tile_64_x", &limits, "h=1,n=1,m=1024,d=96,dtype=bf16");
    gpu_plan_free(&plan);
    limits.range = 8;
    refused("vk_tile_64_x", &limits, "h=1,n=1,m=5,d=1,dtype=f16",
            "needs a buffer of 12 bytes, the device binds 8");
}

static void absent_kernels_say_why(void **state)
{
    (void)state;
    attn_kernel kernels[16];
    attn_job *job;
    attn_reason why;
    const attn_workload w = parse_workload("n=8");
    assert_true(gpu_row_count <= 16);
    gpu_rows_absent("no Vulkan loader", kernels);
    for (size_t i = 0; i < gpu_row_count; i++) {
        assert_string_equal(kernels[i].device, "vk");
        assert_string_equal(kernels[i].unavailable, "no Vulkan loader");
        assert_int_equal(kernels[i].ops->supports(&kernels[i], &w, &why), ATTN_UNAVAILABLE);
        assert_string_equal(why.text, "no Vulkan loader");
        assert_int_equal(kernels[i].ops->prepare(&kernels[i], &w, NULL, 1, &job, &why),
                         ATTN_UNAVAILABLE);
        assert_null(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_dispatch_without_need),
        cmocka_unit_test(splits_are_merged_in_order),
        cmocka_unit_test(loop_limits_cut_the_keys),
        cmocka_unit_test(naive_takes_the_heads_that_fit),
        cmocka_unit_test(smaller_devices_get_smaller_tiles),
        cmocka_unit_test(refusals_name_both_numbers),
        cmocka_unit_test(lanes_specializes),
        cmocka_unit_test(narrow_tensors_are_words),
        cmocka_unit_test(absent_kernels_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
