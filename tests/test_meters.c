/* SPDX-License-Identifier: Apache-2.0
 *
 * The pass for counters and energy after a row's samples: which rows, how many runs, what is
 * stored. A run of the made-up kernel takes one joule from a made-up meter.
 */
#include "tree.h"

#include <math.h>

#include "harness/bench.h"

#define ZONE "/sys/class/powercap/intel-rapl:0"

struct attn_job {
    unsigned runs, fails_at; /* 0: never */
};

static unsigned long long microjoules;

static void put_meter(void)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", microjoules);
    tree_put(ZONE "/energy_uj", text);
}

static attn_status run(attn_job *job, attn_timing *timing, attn_reason *why)
{
    timing->device_s = NAN;
    microjoules += 1000000;
    put_meter();
    if (++job->runs == job->fails_at)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "made up");
    return ATTN_OK;
}

static const attn_kernel_ops ops = {.run = run};
static const attn_kernel kernel = {.name = "made_up", .device = "cpu", .ops = &ops};

/* One group of one row that has its samples. */
static struct {
    bench b;
    bench_group group;
    bench_lane lane;
    bench_row row;
    attn_job job;
    bench_meters meters;
} rig;

static int make(void **state)
{
    (void)state;
    tree_make();
    memset(&rig, 0, sizeof rig);
    rig.group.workload = attn_workload_default(64, 16);
    rig.lane = (bench_lane){&kernel, 2, NAN};
    bench_row_init(&rig.b, &rig.row, &rig.group.workload);
    rig.row.lane = &rig.lane;
    rig.row.job = &rig.job;
    rig.row.run_s = 0.03;
    rig.row.result.kernel = kernel.name;
    rig.row.result.device = kernel.device;
    rig.row.result.threads = 2;
    assert_true(result_row_sample(&rig.row.result, 1, 0));
    rig.group.rows = &rig.row;
    for (int kind = 0; kind < COUNTER_KINDS; kind++)
        rig.meters.counters.file[kind] = -1;
    rig.b.lanes = &rig.lane;
    rig.b.lane_count = rig.b.group_count = 1;
    rig.b.groups = &rig.group;
    rig.b.meters = &rig.meters;
    rig.b.left_s = 10;
    return 0;
}

static int clean(void **state)
{
    (void)state;
    result_row_free(&rig.row.result);
    tree_remove();
    return 0;
}

static void open_energy(void)
{
    tree_put(ZONE "/name", "package-0");
    tree_put(ZONE "/max_energy_range_uj", "262143328850");
    put_meter();
    energy_open(&rig.meters.energy, tree);
    assert_int_equal(rig.meters.energy.count, 1);
}

/* Four runs of 30 ms make the 100 ms that the meter needs. */
static void energy_of_one_run(void **state)
{
    (void)state;
    open_energy();
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 4);
    assert_true(rig.row.open);
    assert_true(fabs(rig.row.result.energy_j - 1) < 1e-9);
    assert_null(rig.row.result.energy_unavailable);
    assert_true(rig.b.left_s < 10); /* the pass is a part of the budget */
}

static void the_pass_is_short(void **state)
{
    (void)state;
    rig.meters.counters.any = true;
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 1);
    rig.row.run_s = 0.004;
    rig.row.batch = 1000;
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 1 + 5);
    rig.row.batch = 2;
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 1 + 5 + 2);
}

static void rows_to_come_keep_their_time(void **state)
{
    (void)state;
    open_energy();
    rig.b.left_s = 0.11; /* less than the 0.12 s of four runs */
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 0);
    assert_true(rig.row.open);
    assert_null(rig.row.result.counters_unavailable); /* not what kept them away */
    assert_non_null(strstr(rig.row.result.energy_unavailable, "budget"));
    rig.meters.counters.any = true;
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 0);
    assert_non_null(strstr(rig.row.result.counters_unavailable, "budget"));
}

static void without_meters_nothing_runs(void **state)
{
    (void)state;
    attn_because(&rig.meters.counters.why, ATTN_UNAVAILABLE, "cycles: no such counter here");
    attn_because(&rig.meters.energy.why, ATTN_UNAVAILABLE, "no meter");
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 0);
    json_t *o = store_row_json(&rig.row.result);
    assert_true(json_is_null(json_object_get(o, "counters")));
    assert_true(json_is_null(json_object_get(o, "energy_j")));
    assert_string_equal(json_string_value(json_object_get(o, "counters_unavailable")),
                        "cycles: no such counter here");
    assert_string_equal(json_string_value(json_object_get(o, "energy_unavailable")), "no meter");
    json_decref(o);
}

static void only_measured_rows_on_the_cpu(void **state)
{
    (void)state;
    open_energy();
    rig.row.result.threads = 0; /* a GPU */
    bench_count(&rig.b, &rig.group);
    rig.row.result.threads = 2;
    rig.row.open = false;
    bench_count(&rig.b, &rig.group);
    rig.row.open = true;
    result_row_free(&rig.row.result);
    bench_count(&rig.b, &rig.group);
    rig.b.meters = NULL;
    assert_true(result_row_sample(&rig.row.result, 1, 0));
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 0);
    assert_true(isnan(rig.row.result.energy_j));
}

static void a_run_that_fails_closes_its_row(void **state)
{
    (void)state;
    open_energy();
    rig.job.fails_at = 2;
    bench_count(&rig.b, &rig.group);
    assert_int_equal(rig.job.runs, 2);
    assert_false(rig.row.open);
    assert_int_equal(rig.row.result.status, ATTN_OUT_OF_MEMORY);
    assert_true(isnan(rig.row.result.energy_j));
}

/* Some are there, others are null. */
static void counters_are_stored(void **state)
{
    (void)state;
    rig.row.result.counters[COUNTER_INSTRUCTIONS] = 12.5;
    json_t *o = store_row_json(&rig.row.result);
    const json_t *stored = json_object_get(o, "counters");
    assert_int_equal(json_object_size(stored), COUNTER_KINDS);
    assert_true(json_number_value(json_object_get(stored, "instructions")) == 12.5);
    assert_true(json_is_null(json_object_get(stored, "cycles")));
    assert_true(json_is_null(json_object_get(o, "counters_unavailable")));
    json_decref(o);
}

#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, make, clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_RIG(energy_of_one_run),
        WITH_RIG(the_pass_is_short),
        WITH_RIG(rows_to_come_keep_their_time),
        WITH_RIG(without_meters_nothing_runs),
        WITH_RIG(only_measured_rows_on_the_cpu),
        WITH_RIG(a_run_that_fails_closes_its_row),
        WITH_RIG(counters_are_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
