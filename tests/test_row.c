/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks of a row, in memory and in run.jsonl, from made-up samples; and which rows reading
 * memory may bind.
 */
#include "unit.h"

#include <math.h>

#include "harness/bench.h"

static attn_workload workload;

/* Three samples: 1, 2 and 3 ns by the device, 10, 30 and 20 by the wall. */
static result_row row_of_three(const char *clock)
{
    static const double wall[] = {10, 30, 20};
    result_row row;
    workload = attn_workload_default(64, 16);
    result_row_init(&row);
    row.kernel = row.device = row.device_name = "made up";
    row.workload = &workload;
    row.clock = clock;
    row.iterations = 1;
    for (int i = 0; i < 3; i++)
        assert_true(result_row_sample(&row, strcmp(clock, "wall") == 0 ? wall[i] : i + 1, i));
    return row;
}

/* The submissions that do nothing are taken off pair by pair: 9, 5 and 18 remain, not 20 - 2. */
static result_row row_on_gpu(const char *clock)
{
    static const double wall[] = {10, 30, 20}, empty[] = {1, 25, 2};
    result_row row = row_of_three(clock);
    for (int i = 0; i < 3; i++)
        assert_true(result_row_clocks(&row, wall[i], empty[i]));
    row.compile_ns = 7.5;
    row.dispatches = 3;
    snprintf(row.config, sizeof row.config, "16x16, 4 rows");
    return row;
}

/* The field is null where the number wanted is not known. */
static void assert_number(const json_t *o, const char *field, double want)
{
    const json_t *value = json_object_get(o, field);
    if (isnan(want) ? !json_is_null(value)
                    : !json_is_number(value) || json_number_value(value) != want)
        fail_msg("%s is %.17g, not %.17g", field, json_number_value(value), want);
}

/* Finishes the row, looks at what is stored, and frees it. */
static void check(result_row *row, double device, double wall, double empty, double net,
                  size_t samples)
{
    result_row_finish(row);
    json_t *o = store_row_json(row);
    assert_number(o, "device_ns", device);
    assert_number(o, "wall_ns", wall);
    assert_number(o, "empty_ns", empty);
    assert_number(o, "wall_net_ns", net);
    assert_int_equal(json_array_size(json_object_get(o, "wall_samples_ns")), samples);
    assert_int_equal(json_array_size(json_object_get(o, "empty_samples_ns")), samples);
    const bool gpu = row->dispatches > 0;
    assert_number(o, "compile_ns", gpu ? 7.5 : NAN);
    assert_number(o, "dispatches", gpu ? 3 : NAN);
    const char *config = json_string_value(json_object_get(o, "config"));
    assert_string_equal(config ? config : "null", gpu ? "16x16, 4 rows" : "null");
    json_decref(o);
    result_row_free(row);
}

static void a_cpu_has_the_wall_clock(void **state)
{
    (void)state;
    result_row row = row_of_three("wall");
    check(&row, NAN, 20, NAN, NAN, 0);
}

static void a_gpu_has_three_clocks(void **state)
{
    (void)state;
    result_row row = row_on_gpu("gpu_timestamp");
    check(&row, 2, 20, 2, 9, 3);
}

static void a_queue_without_timestamps_has_two(void **state)
{
    (void)state;
    result_row row = row_on_gpu("wall");
    check(&row, NAN, 20, 2, 9, 3);
}

/* A roof by timestamps: its wall time is not taken. */
static void a_roof_has_the_device_clock(void **state)
{
    (void)state;
    result_row row = row_of_three("gpu_timestamp");
    check(&row, 2, NAN, NAN, NAN, 0);
}

/* What was compiled is known; how fast it was is not. */
static void a_lost_device_has_no_clocks(void **state)
{
    (void)state;
    result_row row = row_on_gpu("gpu_timestamp");
    row.status = attn_because(&row.why, ATTN_DEVICE_LOST, "because");
    check(&row, NAN, NAN, NAN, NAN, 0);
}

static uint64_t a_gibibyte_per_thread(const attn_roof *roof, unsigned threads)
{
    (void)roof;
    return (UINT64_C(1) << 30) * threads;
}

/* Few FLOPs per byte, and more bytes than the device's caches hold twice over. */
static void reading_may_bind(void **state)
{
    (void)state;
    const attn_workload prefill = parse_workload("n=4096,d=64"), small = parse_workload("n=1,m=64"),
                        decode = parse_workload("h=8,n=1,m=8388608,d=256"); /* 128 GiB */
    const attn_roof known = {.cache_bytes = a_gibibyte_per_thread}, unknown = {.cache_bytes = NULL};
    assert_false(bench_reads_memory(&prefill, &known, 1));
    assert_false(bench_reads_memory(&prefill, &unknown, 1));
    assert_true(bench_reads_memory(&decode, &known, 63));
    assert_false(bench_reads_memory(&decode, &known, 65));
    assert_false(bench_reads_memory(&small, &known, 1));
    assert_true(bench_reads_memory(&small, &unknown, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cpu_has_the_wall_clock),
        cmocka_unit_test(a_gpu_has_three_clocks),
        cmocka_unit_test(a_queue_without_timestamps_has_two),
        cmocka_unit_test(a_roof_has_the_device_clock),
        cmocka_unit_test(a_lost_device_has_no_clocks),
        cmocka_unit_test(reading_may_bind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
