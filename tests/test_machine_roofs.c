/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofs that judge no row, over roofs that are made up: which are measured, how often, and what
 * becomes of those that cannot be. One kernel is there, and never run.
 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/bench.h"
#include "harness/row.h"

typedef enum { GOOD, ABSENT, BROKEN, ENORMOUS } behaviour;

typedef struct fake {
    behaviour kind;
    int runs, warm, released;
} fake;

static fake fakes[8];

/* 1 GFLOP/s or 1 GB/s by its own clock. */
static attn_status run(const attn_roof *roof, unsigned threads, uint64_t wanted, uint64_t *done,
                       attn_timing *timing, attn_reason *why)
{
    fake *f = roof->context;
    (void)threads;
    if (f->kind == ABSENT)
        return attn_because(why, ATTN_UNAVAILABLE, "no such cache");
    if (f->kind == BROKEN && f->runs > 3)
        return attn_because(why, ATTN_DEVICE_LOST, "gone");
    f->runs++;
    f->warm += wanted == 1;
    *done = wanted + 10;
    timing->device_s = 1e-9 * (double)*done;
    return ATTN_OK;
}

static uint64_t bytes(const attn_roof *roof, unsigned threads)
{
    (void)threads;
    return ((fake *)roof->context)->kind == ENORMOUS ? UINT64_C(1) << 60 : 4096;
}

static void release(const attn_roof *roof)
{
    ((fake *)roof->context)->released++;
}

static attn_status supports(const attn_kernel *kernel, const attn_workload *w, attn_reason *why)
{
    (void)kernel;
    (void)w;
    (void)why;
    return ATTN_OK;
}

static const attn_kernel_ops ops = {.supports = supports};
static attn_kernel kernel = {.name = "right",
                             .contract = ATTN_CONTRACT_M,
                             .device = "vk0",
                             .device_name = "Fake",
                             .ops = &ops};

#define ROOF(index, of_name, of_kind, of_level, of_contract)                                       \
    {                                                                                              \
        .name = of_name, .kind = ATTN_ROOF_##of_kind, .level = of_level,                           \
        .contract = ATTN_CONTRACT_##of_contract, .device = "vk0", .run = run, .bytes = bytes,      \
        .release = release, .context = &fakes[index]                                               \
    }

static attn_roof roofs[] = {
    ROOF(0, "m", MAC, 0, M),           ROOF(1, "m_narrow", MAC, 0, M),
    ROOF(2, "x", MAC, 0, X),           ROOF(3, "read", READ, 4, NONE),
    ROOF(4, "read_l1", READ, 1, NONE), ROOF(5, "copy_l2", COPY, 2, NONE),
    ROOF(6, "copy", COPY, 4, NONE),    ROOF(7, "triad", TRIAD, 4, NONE),
};
enum { ROOFS = sizeof roofs / sizeof roofs[0] };
static registry fake_registry = {
    .kernels = &kernel, .count = 1, .roofs = roofs, .roof_count = ROOFS};

static bench measured(const char *workload, double budget, bool open)
{
    static char directory[] = "machine-roofs-test";
    static turns alone = {.from = -1, .to = -1};
    bench b = {.turns = &alone};
    char *text = strdup(workload);
    const bench_options options = {.workloads = {&text, 1}, .seed = 99, .budget_s = budget};
    attn_reason why = {""};
    json_t *header = json_object();
    kernel.unavailable = open ? NULL : "no driver";
    remove("machine-roofs-test/run.jsonl");
    attn_status status = bench_plan(&b, &fake_registry, &options, &why);
    if (status == ATTN_OK)
        status = gbench_open(0, NULL, &b.engine, &why);
    if (status == ATTN_OK)
        status = store_open(directory, header, &b.file, &why);
    if (status == ATTN_OK)
        status = bench_machine(&b, &why);
    if (status != ATTN_OK)
        fail_msg("%s", why.text);
    json_decref(header);
    free(text);
    return b;
}

static void clean_up(bench *b)
{
    store_close(b->file);
    gbench_close(b->engine);
    bench_free(b);
    remove("machine-roofs-test/run.jsonl");
    rmdir("machine-roofs-test");
    memset(fakes, 0, sizeof fakes);
}

static const result_row *row_of(const bench *b, const char *roof)
{
    for (size_t i = 0; i < b->done_count; i++)
        if (strcmp(b->done[i].kernel, roof) == 0)
            return &b->done[i];
    return NULL;
}

static void assert_fate(const bench *b, const char *roof, attn_status status, const char *reason)
{
    const result_row *row = row_of(b, roof);
    if (row == NULL || row->status != status || strstr(row->why.text, reason) == NULL)
        fail_msg("%s: %s", roof, row ? row->why.text : "no row");
    assert_true(row->roof);
    assert_int_equal(row->samples, status == ATTN_OK ? BENCH_SAMPLES : 0);
}

static void those_that_judge_none_are_measured(void **state)
{
    (void)state;
    fakes[5].kind = ABSENT;
    fakes[6].kind = BROKEN;
    fakes[7].kind = ENORMOUS;
    /* 256 FLOPs per byte: reading memory judges none. */
    bench b = measured("h=1,n=1024:2048,d=8", 600, true);
    assert_int_equal(b.done_count, 6);
    assert_null(row_of(&b, "m")); /* judges */
    assert_null(row_of(&b, "x")); /* of another contract */
    assert_fate(&b, "m_narrow", ATTN_OK, "");
    assert_fate(&b, "read", ATTN_OK, "");
    assert_fate(&b, "read_l1", ATTN_OK, "");
    assert_fate(&b, "copy_l2", ATTN_UNAVAILABLE, "no such cache");
    assert_fate(&b, "copy", ATTN_DEVICE_LOST, "gone");
    assert_fate(&b, "triad", ATTN_SKIPPED, "of memory");
    assert_true(fabs(row_of(&b, "m_narrow")->gflops - 1) < 1e-6);
    assert_true(fabs(row_of(&b, "read_l1")->gb_per_s - 1) < 1e-6);
    assert_int_equal(row_of(&b, "read_l1")->level, 1);
    assert_true(fakes[4].warm >= BENCH_SAMPLES); /* a pass before each sample */
    assert_int_equal(fakes[7].runs, 0);
    for (int i = 3; i < ROOFS; i++)
        assert_int_equal(fakes[i].released, 1);
    assert_true(b.roof_bytes == 0 && b.left_s < 600 && b.left_s > 600 - 2 * BENCH_MACHINE_S);
    clean_up(&b);
}

static void a_roof_that_judges_waits_for_its_rows(void **state)
{
    (void)state;
    bench b = measured("h=1,n=16,d=8", 600, true); /* 4 FLOPs per byte */
    assert_null(row_of(&b, "read"));
    assert_non_null(row_of(&b, "copy"));
    clean_up(&b);
}

static void without_time_every_roof_says_so(void **state)
{
    (void)state;
    bench b = measured("h=1,n=1024,d=8", 1e-6, true);
    assert_int_equal(b.done_count, 6);
    for (size_t i = 0; i < b.done_count; i++)
        assert_fate(&b, b.done[i].kernel, ATTN_SKIPPED, "was over before its turn");
    for (int i = 0; i < ROOFS; i++)
        assert_int_equal(fakes[i].runs, 0);
    clean_up(&b);
}

static void without_a_row_to_time_none_is_measured(void **state)
{
    (void)state;
    bench b = measured("h=1,n=1024,d=8", 600, false);
    assert_int_equal(b.done_count, 0);
    clean_up(&b);
}

/* The first of its contract that is there; M's where nothing fuses; bytes in memory, not in L1. */
static void a_kernel_has_its_judge(void **state)
{
    (void)state;
    attn_roof list[] = {{.name = "f", .contract = ATTN_CONTRACT_F},
                        {.name = "f_narrow", .contract = ATTN_CONTRACT_F},
                        {.name = "m", .contract = ATTN_CONTRACT_M},
                        {.name = "l1", .kind = ATTN_ROOF_READ, .level = 1},
                        {.name = "memory", .kind = ATTN_ROOF_READ, .level = ATTN_LEVEL_MEMORY}};
    const registry r = {.roofs = list, .roof_count = sizeof list / sizeof list[0]};
    attn_kernel fused = {.contract = ATTN_CONTRACT_F, .device = "vk0"};
    for (size_t i = 0; i < r.roof_count; i++)
        list[i].device = "vk0";
    assert_string_equal(registry_roof(&r, &fused, ATTN_ROOF_MAC)->name, "f");
    assert_string_equal(registry_roof(&r, &fused, ATTN_ROOF_READ)->name, "memory");
    assert_null(registry_roof(&r, &fused, ATTN_ROOF_COPY));
    list[0].unavailable = "no fused instruction";
    assert_string_equal(registry_roof(&r, &fused, ATTN_ROOF_MAC)->name, "f_narrow");
    list[1].unavailable = list[0].unavailable;
    assert_string_equal(registry_roof(&r, &fused, ATTN_ROOF_MAC)->name, "m");
    fused.contract = ATTN_CONTRACT_NONE;
    assert_string_equal(registry_roof(&r, &fused, ATTN_ROOF_MAC)->name, "m");
    fused.device = "cpu";
    assert_null(registry_roof(&r, &fused, ATTN_ROOF_MAC));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_has_its_judge),
        cmocka_unit_test(those_that_judge_none_are_measured),
        cmocka_unit_test(a_roof_that_judges_waits_for_its_rows),
        cmocka_unit_test(without_time_every_roof_says_so),
        cmocka_unit_test(without_a_row_to_time_none_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
