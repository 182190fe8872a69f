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
                                  .allocation = 2147483647,
                                  .align = 16,
                                  .texels = 134217728,
                                  .width = 8,
                                  .loops = UINT64_MAX,
                                  .work = GPU_ANY_WORK,
                                  .fill = 64};

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

static void one_dispatch_without_need(void **state)
{
    (void)state;
    static const char *const kernels[] = {"vk_rows_m", "vk_tile_64_m", "vk_lanes_m", "vk_decode_m"};
    for (int i = 0; i < 4; i++) {
        gpu_plan plan = plan_of(kernels[i], &device, "h=3,n=1000,m=7000,d=40");
        assert_int_equal(plan.count, 1);
        assert_int_equal(plan.piece_count, 1);
        assert_int_equal(plan.scratch, 0);
        assert_false(plan.merges);
        assert_int_equal(plan.steps[0].push.key_begin, 0);
        assert_int_equal(plan.steps[0].push.key_end, 7040);
        assert_int_equal(plan.steps[0].push.flags, STATE_FINISH);
        gpu_plan_free(&plan);
    }
}

/* All splits side by side, then one merge. */
static void splits_take_two_dispatches(void **state)
{
    (void)state;
    gpu_plan plan = plan_of("vk_tile_64_m", &device, "h=3,n=10,m=1000,d=40,dv=6,split=192");
    assert_int_equal(plan.count, 2);
    assert_true(plan.merges);
    assert_int_equal(plan.scratch, 6 * 3 * 10 * 4 * (6 + 2));
    assert_int_equal(plan.steps[0].push.group_end, 6 * 3);
    assert_int_equal(plan.steps[1].pass, GPU_PASS_MERGE);
    assert_true(plan.steps[1].waits);
    assert_int_equal(plan.steps[1].push.count, 6);
    gpu_plan_free(&plan);
}

/* ... or as many as scratch holds beside two merged states. */
static void splits_take_turns(void **state)
{
    (void)state;
    gpu_limits limits = device;
    limits.range = 5 * 1000 * 4 * (4 + 2);
    gpu_plan plan = plan_of("vk_tile_64_m", &limits, "h=1,n=1000,m=500,d=1,dv=4,split=64");
    assert_int_equal(plan.count, 6); /* of 8 splits: 3, 3, 2 */
    assert_int_equal(plan.scratch, limits.range);
    assert_int_equal(plan.steps[4].push.key_begin, 6 * 64);
    assert_int_equal(plan.steps[4].push.group_end, 2 * 16);
    assert_int_equal(plan.steps[5].push.slots, 3);
    assert_int_equal(plan.steps[5].push.count, 2);
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
        gpu_plan_free(&plan);
        plan = plan_of(rows[i][0], &limits, rows[i][2]);
        assert_true(plan.count >= 3);
        assert_int_equal(plan.scratch, 3 * 10 * 4 * (6 + 2));
        gpu_plan_free(&plan);
    }
    limits.loops = 180;
    refused("vk_tile_64_m", &limits, "h=1,n=1,d=16",
            "needs 199 loop iterations of one invocation, on this driver at most 180");
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
    assert_int_equal(plan.pieces[2].head, 8);
    assert_int_equal(plan.pieces[2].heads, 2);
    assert_int_equal(plan.steps[plan.count - 1].piece, 2);
    assert_int_equal(plan.steps[plan.count - 1].push.group_end, 2 * 256 * 8 / 64);
    gpu_plan_free(&plan);
}

/* Tensors larger than what a device binds at once are bound in pieces. */
static void large_tensors_are_bound_in_pieces(void **state)
{
    (void)state;
    gpu_plan plan = plan_of("vk_tile_64_m", &device, "h=8,n=65536,d=128");
    assert_int_equal(plan.piece_count, 3);
    assert_int_equal(plan.pieces[1].head, 3);
    assert_int_equal(plan.pieces[1].bound[BIND_K].offset, 3 * UINT64_C(65536) * 128 * 4);
    gpu_plan_free(&plan);
}

/* A grid that is too long even when folded takes several dispatches. */
static void long_grids_are_cut(void **state)
{
    (void)state;
    gpu_limits limits = device;
    limits.groups = 2;
    gpu_plan plan = plan_of("vk_lanes_m", &limits, "h=9,n=8,d=8");
    assert_int_equal(plan.count, 3);
    assert_int_equal(plan.steps[1].push.group_begin, 3);
    assert_false(plan.steps[1].waits);
    gpu_plan_free(&plan);
}

/* Few rows of heads that share a key head make one tile. */
static void few_rows_share_keys(void **state)
{
    (void)state;
    gpu_plan plan = plan_of("vk_decode_m", &device, "h=32,hk=8,n=1,m=4096,d=64,split=512");
    assert_int_equal(plan.specs[SPEC_ROWS], 4);
    assert_int_equal(plan.steps[0].push.stack, 4);
    assert_int_equal(plan.steps[0].push.group_end, 8 * 8);
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
    assert_int_equal(plan.steps[0].push.group_end, 2 * 4);
    gpu_plan_free(&plan);
    assert_int_equal(gpu_plan_tile_q(find("vk_lanes_m"), &limits), 32);
    assert_int_equal(gpu_plan_tile_q(find("vk_naive_m"), &limits), 1);
}

static void refusals_name_both_numbers(void **state)
{
    (void)state;
    gpu_limits limits = device;
    refused("vk_tile_64_m", &limits, "h=2,n=262145,m=9,d=128",
            "needs to bind 134218240 bytes for a head, the device binds 134217728");
    refused("vk_tile_64_m", &limits, "h=64,n=65536,d=128",
            "needs a buffer of 2147483648 bytes, the device allocates 2147483647");
    refused("vk_tile_64_m", &limits, "h=1,n=100000,m=128,d=128,split=64",
            "needs 156000000 bytes of scratch for a head, the device binds 134217728");
    refused("vk_tile_64_m", &limits, "b=65536,h=65536,n=1,m=1,d=1",
            "needs 4294967296 query heads in all, at most 4294967295");
    refused("vk_rows_m", &limits, "b=2,h=1,n=9000000,m=1,d=1,mask=len:1:0",
            "needs to bind 144000000 bytes for the mask, the device binds 134217728");
    refused("vk_naive_m", &limits, "h=1,n=8192,d=8",
            "needs 272760832 bytes for the scores of a head, the device binds 134217728");
    refused("vk_tile_64_m", &limits, "h=1,n=8,d=257", "needs head size 257, at most 256");
    refused("vk_tile_64_m", &limits, "h=1,n=8,d=8,dtype=f16", "contract M takes f32, not f16");
    refused("vk_tile_64_x", &limits, "h=1,n=8,d=8", "contract X takes f16 or bf16, not f32");
    limits.shared = 4096;
    refused("vk_tile_64_m", &limits, "h=1,n=8,d=8",
            "needs 5696 bytes of shared memory and 16 invocations, the device has 4096 and 1024");
    limits.invocations = 32;
    refused("vk_decode_m", &limits, "h=1,n=8,d=8",
            "needs 4528 bytes of shared memory and 64 invocations, the device has 4096 and 32");
    limits = device;
    limits.texels = 65536;
    refused("vk_lanes_m", &limits, "h=1,n=8,m=32776,d=8",
            "needs to bind 1048832 bytes for a head, the device binds 1048576");
    refused("vk_lanes_m", &limits, "h=1,n=8,m=9363,d=7",
            "needs to bind 262164 bytes for a head, the device binds 262144");
    refused("vk_lanes_x", &limits, "h=1,n=8,m=32769,d=4,dtype=f16",
            "needs to bind 262152 bytes for a head, the device binds 262144");
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
    static const char *const kernels[] = {"vk_naive_x", "vk_rows_x", "vk_tile_64_x", "vk_lanes_x",
                                          "vk_decode_x"};
    for (int i = 0; i < 5; i++) {
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
            "needs to bind 12 bytes for a head, the device binds 8");
}

static void absent_kernels_say_why(void **state)
{
    (void)state;
    attn_kernel kernels[96];
    attn_job *job;
    attn_reason why;
    const attn_workload w = parse_workload("n=8");
    assert_true(gpu_row_count <= 32);
    gpu_rows_absent("no Vulkan loader", NULL, kernels);
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
        cmocka_unit_test(splits_take_two_dispatches),
        cmocka_unit_test(splits_take_turns),
        cmocka_unit_test(loop_limits_cut_the_keys),
        cmocka_unit_test(naive_takes_the_heads_that_fit),
        cmocka_unit_test(large_tensors_are_bound_in_pieces),
        cmocka_unit_test(long_grids_are_cut),
        cmocka_unit_test(few_rows_share_keys),
        cmocka_unit_test(smaller_devices_get_smaller_tiles),
        cmocka_unit_test(refusals_name_both_numbers),
        cmocka_unit_test(lanes_specializes),
        cmocka_unit_test(narrow_tensors_are_words),
        cmocka_unit_test(absent_kernels_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
