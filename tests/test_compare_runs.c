/* SPDX-License-Identifier: Apache-2.0
 *
 * Verdicts on runs whose truth is known, written to run.jsonl and read back: a slower kernel is
 * found, a slower machine is not mistaken for one, and what is not compared is counted.
 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/compare.h"
#include "harness/store.h"

static char scratch[] = "compare-test-XXXXXX";
static uint64_t noise_state;

/* One run. Times are multiples of what the kernel and its roof take at best. */
typedef struct plan {
    double slower;         /* the kernel's time; 0: 1 */
    double machine, later; /* both times, in the first and second half; 0: 1 */
    double noise;          /* samples take up to this part more */
    double hit;            /* so many of the kernel's samples take 1.3 times as long */
    double waves;          /* times up to so many times longer, the same in runs in turn */
    const char *turns;     /* id, or NULL */
    size_t samples;        /* 0: 60 */
    bool undated;          /* as files of old */
    bool roofless;
    int contract; /* 0: 1 */
    const char *device, *device_name, *uuid;
    attn_status second; /* of a second kernel, "other" */
    bool no_second;
} plan;

static run_file runs[8];
static size_t run_count;

static int make_scratch(void **state)
{
    (void)state;
    return mkdtemp(scratch) == NULL;
}

static int remove_scratch(void **state)
{
    (void)state;
    return remove(scratch);
}

static int start(void **state)
{
    (void)state;
    noise_state = 7;
    run_count = 0;
    return 0;
}

static int finish(void **state)
{
    (void)state;
    while (run_count > 0)
        run_file_free(&runs[--run_count]);
    return 0;
}

static double or_one(double value)
{
    return value > 0 ? value : 1;
}

static double noisy(double value, double noise)
{
    return value * (1 + noise * (next_random(&noise_state) % 1000) / 1000);
}

static void add_samples(result_row *row, const plan *p, double ns)
{
    const size_t count = p->samples ? p->samples : 60;
    for (size_t i = 0; i < count; i++) {
        double machine = or_one(2 * i < count ? p->machine : p->later);
        machine *= 1 + p->waves * (double)(i * 7 % count) / (double)count;
        if (!row->roof && next_random(&noise_state) % 1000 < 1000 * p->hit)
            machine *= 1.3;
        assert_true(result_row_sample(row, noisy(ns * machine, p->noise), 0.01 * (double)(i + 1)));
    }
    if (p->undated) {
        free(row->sample_at_s);
        row->sample_at_s = NULL;
    }
}

static result_row start_row(const char *kernel, const attn_workload *w, const plan *p)
{
    result_row row;
    result_row_init(&row);
    row.kernel = kernel;
    row.workload = w;
    row.device = p->device ? p->device : "cpu";
    row.device_name = p->device_name ? p->device_name : "some CPU";
    row.threads = p->device ? 0 : 1;
    row.flops = 1000000;
    row.clock = "wall";
    row.iterations = 1;
    return row;
}

static void write_row(store *s, result_row *row, const result_row *roof)
{
    attn_reason why;
    result_row_finish(row);
    result_row_judge(row, roof, NULL);
    assert_int_equal(store_row(s, row, &why), ATTN_OK);
}

static void write_rows(store *s, const plan *p)
{
    attn_workload w = attn_workload_default(64, 16);
    result_row roof = start_row("roof_f_any", &w, p), row = start_row("fast", &w, p),
               other = start_row("other", &w, p);
    roof.roof = true;
    add_samples(&roof, p, 1e4);
    write_row(s, &roof, NULL);
    add_samples(&row, p, 2e4 * or_one(p->slower));
    write_row(s, &row, p->roofless ? NULL : &roof);
    if (!p->no_second) {
        other.status = p->second;
        if (p->second == ATTN_OK)
            add_samples(&other, p, 3e4);
        write_row(s, &other, &roof);
    }
    result_row_free(&roof);
    result_row_free(&row);
    result_row_free(&other);
}

/* Writes a run and reads it into runs[]. */
static void add_run(const plan *p)
{
    attn_reason why;
    store *s;
    json_t *header = json_pack(
        "{s:{s:s?},s:i,s:i,s:[{s:s,s:s,s:s}],s:{s:s}}", "turns", "id", p->turns, "format_version",
        STORE_FORMAT_VERSION, "contract_version", p->contract ? p->contract : 1, "devices",
        "selector", p->device ? p->device : "vk9", "name",
        p->device_name ? p->device_name : "unused", "uuid", p->uuid ? p->uuid : "00", "machine",
        "cpu_model", p->machine > 1 ? "slow" : "fast");
    assert_int_equal(store_open(scratch, header, &s, &why), ATTN_OK);
    json_decref(header);
    write_rows(s, p);
    char path[sizeof scratch + sizeof "/run.jsonl"];
    snprintf(path, sizeof path, "%s", store_path(s));
    store_close(s);
    assert_int_equal(run_file_read(path, &runs[run_count], &why), ATTN_OK);
    run_count++;
    assert_int_equal(remove(path), 0);
}

/* The first `a` runs against the others. */
static attn_status compare(size_t a, comparison *c, attn_reason *why)
{
    const compare_options options = {.margin = COMPARE_MARGIN};
    return compare_runs((compare_side){runs, a}, (compare_side){runs + a, run_count - a}, &options,
                        c, why);
}

/* Of the kernel "fast". */
static compare_pair pair_of(size_t a)
{
    attn_reason why;
    comparison c;
    compare_pair pair = {.a = NULL};
    if (compare(a, &c, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    for (size_t i = 0; i < c.count; i++)
        if (strcmp(c.pairs[i].a->kernel, "fast") == 0)
            pair = c.pairs[i];
    assert_non_null(pair.a);
    compare_free(&c);
    return pair;
}

static compare_pair pair_of_two(plan a, plan b)
{
    add_run(&a);
    add_run(&b);
    const compare_pair pair = pair_of(1);
    finish(NULL);
    return pair;
}

static void expect(compare_pair pair, compare_verdict verdict, const char *reason)
{
    if (pair.verdict != verdict || strstr(pair.why.text, reason) == NULL)
        fail_msg("%s (%s), not %s (%s): %.3f [%.3f, %.3f], over roof %.3f, share %.2f, p %.2g",
                 compare_verdict_name(pair.verdict), pair.why.text, compare_verdict_name(verdict),
                 reason, pair.raw.ratio.value, pair.raw.ratio.low, pair.raw.ratio.high,
                 pair.normalised.ratio.value, pair.raw.share, pair.raw.p);
}

static void test_verdicts(void **state)
{
    (void)state;
    const plan plain = {.noise = 0.02};
    expect(pair_of_two(plain, plain), COMPARE_SAME, "");
    expect(pair_of_two(plain, (plan){.noise = 0.02, .slower = 1.05}), COMPARE_SLOWER, "");
    expect(pair_of_two((plan){.noise = 0.02, .slower = 1.05}, plain), COMPARE_FASTER, "");
    const compare_pair small = pair_of_two(plain, (plan){.noise = 0.02, .slower = 1.02});
    assert_int_not_equal(small.verdict, COMPARE_FASTER);
    assert_true(fabs(small.raw.ratio.value - 1.02) < 0.01);
    /* Much noise: nothing is said, and why. */
    expect(pair_of_two((plan){.noise = 3, .samples = 20}, (plan){.noise = 3, .samples = 20}),
           COMPARE_UNCLEAR, "noise");
    expect(pair_of_two((plan){.samples = 5}, (plan){.samples = 5, .slower = 2}), COMPARE_UNCLEAR,
           "fewer than 6");
}

static void test_ties(void **state)
{
    (void)state;
    expect(pair_of_two((plan){.noise = 0}, (plan){.noise = 0}), COMPARE_SAME, "");
    expect(pair_of_two((plan){.noise = 0}, (plan){.slower = 1.5}), COMPARE_SLOWER, "");
}

/* A load that was there during one run only. */
static void test_machine(void **state)
{
    (void)state;
    const plan calm = {.noise = 0.02};
    expect(pair_of_two(calm, (plan){.noise = 0.02, .machine = 1.1, .later = 1.1}), COMPARE_UNCLEAR,
           "slower during B");
    expect(pair_of_two((plan){.noise = 0.02, .machine = 1.1, .later = 1.1}, calm), COMPARE_UNCLEAR,
           "faster during B");
    const compare_pair half = pair_of_two(calm, (plan){.noise = 0.02, .later = 1.3});
    assert_true(half.verdict == COMPARE_SAME || half.verdict == COMPARE_UNCLEAR);
    /* A kernel may suffer more than its roof does. */
    expect(
        pair_of_two(calm, (plan){.noise = 0.005, .slower = 1.03, .machine = 1.03, .later = 1.03}),
        COMPARE_UNCLEAR, "% slower during B");
    /* One that the roof does not notice, and that comes and goes. */
    expect(pair_of_two((plan){.noise = 0.02, .samples = 40},
                       (plan){.noise = 0.02, .samples = 40, .hit = 0.7}),
           COMPARE_UNCLEAR, "noise");
    /* A load does not hide what is larger than it. */
    expect(pair_of_two(calm, (plan){.noise = 0.02, .slower = 1.2, .machine = 1.03, .later = 1.03}),
           COMPARE_SLOWER, "");
    /* A kernel that is slower on a faster machine is as fast by the clock: no verdict. */
    expect(pair_of_two((plan){.noise = 0.02, .machine = 1.1, .later = 1.1},
                       (plan){.noise = 0.02, .slower = 1.1}),
           COMPARE_UNCLEAR, "");
}

static void test_without_reference(void **state)
{
    (void)state;
    const plan undated = {.noise = 0.02, .undated = true};
    expect(pair_of_two(undated, undated), COMPARE_SAME, "");
    expect(pair_of_two(undated, (plan){.noise = 0.02, .undated = true, .slower = 1.2}),
           COMPARE_UNCLEAR, "no roof");
    expect(pair_of_two((plan){.noise = 0.02, .roofless = true},
                       (plan){.noise = 0.02, .roofless = true, .slower = 1.2}),
           COMPARE_UNCLEAR, "no roof");
}

static void test_several_runs(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++)
        add_run(&(plan){.noise = 0.01, .slower = (i < 3 ? 1 : 1.05) * (1 + 0.001 * (i % 3))});
    compare_pair pair = pair_of(3);
    assert_true(pair.runs_a == 3 && pair.runs_b == 3);
    expect(pair, COMPARE_SLOWER, "");
    finish(NULL);
    /* Runs that differ among themselves as much as the two sides do. */
    for (int i = 0; i < 6; i++)
        add_run(&(plan){.noise = 0.01, .slower = (i < 3 ? 1 : 1.05) * (1 + 0.04 * (i % 3))});
    expect(pair_of(3), COMPARE_UNCLEAR, "");
}

/* What the machine does to both, sample by sample, is in no ratio of runs that took turns. */
static void test_in_turn(void **state)
{
    (void)state;
    const plan wild = {.noise = 0.05, .waves = 2, .samples = 200, .turns = "abc"};
    plan other = wild;
    compare_pair pair = pair_of_two(wild, other);
    assert_true(pair.in_turn && isnan(pair.normalised.ratio.value) && isnan(pair.machine));
    expect(pair, COMPARE_SAME, "");
    other.slower = 1.05;
    pair = pair_of_two(wild, other);
    expect(pair, COMPARE_SLOWER, "");
    assert_true(fabs(pair.raw.ratio.value - 1.05) < 0.01);
    expect(pair_of_two(other, wild), COMPARE_FASTER, "");
    /* No roof, and no date, is needed. */
    other.undated = other.roofless = true;
    expect(pair_of_two(wild, other), COMPARE_SLOWER, "");
    /* Less than the margin, and what may be more or less. */
    other.slower = 1.005;
    expect(pair_of_two(wild, other), COMPARE_SAME, "");
    other.noise = 0.3;
    other.samples = 20;
    expect(pair_of_two(other, other), COMPARE_UNCLEAR, "noise");
    /* Runs of other turns are none of these. */
    other = wild;
    other.slower = 1.05;
    other.turns = "other";
    pair = pair_of_two(wild, other);
    assert_false(pair.in_turn);
    expect(pair, COMPARE_UNCLEAR, "");
    /* Two runs a side: each with its partner, in any order. */
    static const char *const ids[] = {"one", "two", "two", "one"};
    for (int i = 0; i < 4; i++) {
        other = wild;
        other.turns = ids[i];
        other.waves = strcmp(ids[i], "one") == 0 ? 2 : 0.5;
        other.slower = i < 2 ? 1 : 1.05;
        add_run(&other);
    }
    pair = pair_of(2);
    assert_true(pair.in_turn);
    expect(pair, COMPARE_SLOWER, "");
}

static size_t left_of(const comparison *c, compare_left_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < c->left_count; i++)
        count += c->left[i].kind == kind;
    return count;
}

static void test_rows_left_out(void **state)
{
    (void)state;
    static const struct {
        plan a, b;
        compare_left_kind kind;
    } cases[] = {
        {{.noise = 0.01}, {.noise = 0.01, .no_second = true}, COMPARE_ONLY_A},
        {{.noise = 0.01, .no_second = true}, {.noise = 0.01}, COMPARE_ONLY_B},
        {{.second = ATTN_FAILED}, {.noise = 0.01}, COMPARE_NOT_OK_A},
        {{.noise = 0.01}, {.second = ATTN_SKIPPED}, COMPARE_NOT_OK_B},
        {{.second = ATTN_UNAVAILABLE}, {.second = ATTN_FAILED}, COMPARE_NOT_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        attn_reason why;
        comparison c;
        add_run(&cases[i].a);
        add_run(&cases[i].b);
        assert_int_equal(compare(1, &c, &why), ATTN_OK);
        assert_int_equal(c.count, 1);
        assert_int_equal(c.left_count, 1);
        assert_int_equal(left_of(&c, cases[i].kind), 1);
        assert_string_equal(c.left[0].row->kernel, "other");
        compare_free(&c);
        finish(NULL);
    }
}

static void refuses(const plan *a, const plan *b, const char *says)
{
    attn_reason why;
    comparison c;
    add_run(a);
    add_run(b);
    assert_int_equal(compare(1, &c, &why), ATTN_ERROR);
    if (strstr(why.text, says) == NULL)
        fail_msg("'%s' does not say '%s'", why.text, says);
    finish(NULL);
}

static void test_refusals(void **state)
{
    (void)state;
    const plan plain = {.noise = 0.01};
    refuses(&plain, &(plan){.contract = 2}, "contract_version");
    refuses(&plain, &(plan){.device = "vk0", .device_name = "some CPU"}, "nothing to compare");
}

/* Devices by their names: vk0 may be another one elsewhere. */
static void test_devices(void **state)
{
    (void)state;
    const plan here = {.noise = 0.01, .device = "vk0", .device_name = "X", .uuid = "aa"};
    expect(
        pair_of_two(here, (plan){.noise = 0.01, .device = "vk1", .device_name = "X", .uuid = "bb"}),
        COMPARE_SAME, "");
    refuses(&here, &(plan){.device = "vk0", .device_name = "Y", .uuid = "aa"},
            "nothing to compare");
}

static void test_two_kernels_of_a_run(void **state)
{
    (void)state;
    const compare_options options = {.margin = COMPARE_MARGIN, .pair = {"fast", "other"}};
    attn_reason why;
    comparison c;
    add_run(&(plan){.noise = 0.01, .undated = true});
    const compare_side side = {runs, 1};
    assert_int_equal(compare_runs(side, side, &options, &c, &why), ATTN_OK);
    assert_int_equal(c.count, 1);
    assert_int_equal(c.left_count, 0);
    expect(c.pairs[0], COMPARE_SLOWER, "");
    assert_true(fabs(c.pairs[0].raw.ratio.value - 1.5) < 0.02);
    compare_free(&c);
}

static void test_reports(void **state)
{
    (void)state;
    attn_reason why;
    comparison c;
    add_run(&(plan){.noise = 0.01});
    add_run(&(plan){.noise = 0.01, .machine = 1.1, .second = ATTN_FAILED});
    assert_int_equal(compare(1, &c, &why), ATTN_OK);
    const compare_side a = {runs, 1}, b = {runs + 1, 1};
    json_t *o = compare_json(a, b, &c);
    const json_t *differences = json_object_get(o, "differences");
    assert_int_equal(json_array_size(differences), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(differences, 0), "b")),
                        "slow");
    assert_int_equal(json_array_size(json_object_get(o, "warnings")), 2); /* no end line */
    assert_int_equal(json_array_size(json_object_get(o, "pairs")), 1);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(o, "left_out"), 0), "left_out")),
                        "not ok in B");
    json_decref(o);
    compare_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_verdicts, start, finish),
        cmocka_unit_test_setup_teardown(test_ties, start, finish),
        cmocka_unit_test_setup_teardown(test_machine, start, finish),
        cmocka_unit_test_setup_teardown(test_without_reference, start, finish),
        cmocka_unit_test_setup_teardown(test_several_runs, start, finish),
        cmocka_unit_test_setup_teardown(test_in_turn, start, finish),
        cmocka_unit_test_setup_teardown(test_rows_left_out, start, finish),
        cmocka_unit_test_setup_teardown(test_refusals, start, finish),
        cmocka_unit_test_setup_teardown(test_devices, start, finish),
        cmocka_unit_test_setup_teardown(test_two_kernels_of_a_run, start, finish),
        cmocka_unit_test_setup_teardown(test_reports, start, finish),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
