/* SPDX-License-Identifier: Apache-2.0
 *
 * Google Benchmark as it is driven here, with items whose clock is made up.
 */
#include "unit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/gbench.h"

enum { ITEMS = 3, MOST = 64 };

typedef struct fake {
    int id;
    int fails_at; /* call that fails; 0: none */
    int calls;
    uint64_t runs;
    gbench_times sample[MOST];
    int samples;
} fake;

static int order[4 * MOST], ordered;

/* Run i of item k takes k + 1 ms; item 1 has other clocks beside. */
static bool run(void *context, uint64_t batch, gbench_times *total)
{
    fake *f = context;
    f->runs += batch;
    if (ordered < 4 * MOST)
        order[ordered++] = f->id;
    total->seconds = 1e-3 * (f->id + 1) * (double)batch;
    if (f->id == 1) {
        total->wall_s = 1.5 * total->seconds;
        total->empty_s = 0.25 * total->seconds;
    }
    return ++f->calls != f->fails_at;
}

static void sample(void *context, const gbench_times *mean)
{
    fake *f = context;
    if (f->samples < MOST)
        f->sample[f->samples++] = *mean;
}

static gbench *open_engine(int count, const char *const *flags)
{
    gbench *g;
    attn_reason why = {""};
    if (gbench_open(count, flags, &g, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    return g;
}

static void run_items(gbench *g, const gbench_item *items, size_t count)
{
    attn_reason why = {""};
    if (gbench_run(g, items, count, &why) != ATTN_OK)
        fail_msg("%s", why.text);
}

enum { ROUNDS = 10 };

static void run_rounds(gbench *g, const gbench_item *items, size_t count)
{
    for (int i = 0; i < ROUNDS; i++)
        run_items(g, items, count);
}

static void fill(gbench_item items[ITEMS], fake fakes[ITEMS])
{
    static const char *const names[] = {"a/n=1,m=2/threads:1", "b/n=1,m=2/threads:0",
                                        "roof/n=1,m=2/threads:1"};
    for (int i = 0; i < ITEMS; i++) {
        fakes[i] = (fake){.id = i};
        items[i] = (gbench_item){.name = names[i],
                                 .label = "vk0 \"quoted\" \x01\xff",
                                 .batch = (uint64_t)i * 5 + 1,
                                 .flops = 1000,
                                 .id = (size_t)i + 10,
                                 .run = run,
                                 .sample = sample,
                                 .context = &fakes[i]};
    }
}

/* Item 1 has its clocks in every sample, the others have none. */
static void assert_clocks(const fake *f)
{
    for (int s = 0; s < f->samples; s++) {
        const gbench_times *mean = &f->sample[s];
        if (f->id != 1) {
            assert_true(isnan(mean->wall_s) && isnan(mean->empty_s));
            continue;
        }
        assert_true(fabs(mean->wall_s / mean->seconds - 1.5) < 1e-9);
        assert_true(fabs(mean->empty_s / mean->seconds - 0.25) < 1e-9);
    }
}

/* gb.json, read by a strict parser. */
static json_t *written(gbench *g)
{
    static const char path[] = "gbench-test.json";
    attn_reason why = {""};
    json_error_t error;
    if (gbench_write(g, path, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    json_t *read = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (read == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    remove(path);
    assert_int_not_equal(access("gbench-test.json.part", F_OK), 0);
    return read;
}

static void ten_interleaved_samples(void **state)
{
    (void)state;
    gbench *g = open_engine(0, NULL);
    gbench_item items[ITEMS];
    fake fakes[ITEMS];
    fill(items, fakes);
    ordered = 0;
    run_rounds(g, items, ITEMS);
    int changes = 0;
    for (int i = 1; i < ordered; i++)
        changes += order[i] != order[i - 1];
    /* 30 runs in random order change item 20 times on average, in their own order twice. */
    assert_in_range(changes, 6, 29);
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(fakes[i].samples, ROUNDS);
        assert_int_equal(fakes[i].calls, ROUNDS); /* it adds no calibration */
        assert_int_equal(fakes[i].runs, ROUNDS * items[i].batch);
        for (int s = 0; s < fakes[i].samples; s++) /* mean of one run */
            assert_true(fabs(fakes[i].sample[s].seconds / (1e-3 * (i + 1)) - 1) < 1e-3);
        assert_clocks(&fakes[i]);
    }
    gbench_close(g);
}

static void only_kept_rows_are_written(void **state)
{
    (void)state;
    gbench *g = open_engine(0, NULL);
    gbench_item items[ITEMS];
    fake fakes[ITEMS];
    fill(items, fakes);
    fakes[1].fails_at = 4;
    run_rounds(g, items, ITEMS);
    run_rounds(g, items, 1); /* a second round of the first row */
    assert_int_equal(fakes[0].samples, 2 * ROUNDS);
    assert_true(fakes[1].samples < ROUNDS);
    assert_int_equal(gbench_keep(g, 10, NULL), ATTN_OK);
    assert_int_equal(gbench_keep(g, 999, NULL), ATTN_OK); /* never ran */
    json_t *read = written(g), *row;
    size_t index;
    json_t *rows = json_object_get(read, "benchmarks");
    assert_int_equal(json_array_size(rows), 2 * ROUNDS);
    assert_true(json_is_object(json_object_get(read, "context")));
    json_array_foreach(rows, index, row)
    {
        assert_string_equal(json_string_value(json_object_get(row, "name")),
                            "a/n=1,m=2/threads:1/manual_time");
        assert_string_equal(json_string_value(json_object_get(row, "label")), "vk0 \"quoted\" ??");
        assert_int_equal(json_integer_value(json_object_get(row, "repetition_index")), index);
        assert_int_equal(json_integer_value(json_object_get(row, "repetitions")), 20);
        double ns = json_number_value(json_object_get(row, "real_time"));
        assert_true(ns > 0.999e6 && ns < 1.001e6);
    }
    json_decref(read);
    gbench_close(g);
}

/* In gb.json, too, the other clocks are where they are known. */
static void clocks_are_written(void **state)
{
    (void)state;
    gbench *g = open_engine(0, NULL);
    gbench_item items[ITEMS];
    fake fakes[ITEMS];
    fill(items, fakes);
    run_rounds(g, items, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(gbench_keep(g, items[i].id, NULL), ATTN_OK);
    json_t *read = written(g), *row;
    size_t index, known = 0;
    json_array_foreach(json_object_get(read, "benchmarks"), index, row)
    {
        const json_t *wall = json_object_get(row, "wall_s");
        assert_int_equal(wall != NULL, json_object_get(row, "empty_s") != NULL);
        if (wall == NULL)
            continue;
        assert_true(fabs(json_number_value(wall) / 3e-3 - 1) < 1e-9);
        known++;
    }
    assert_int_equal(known, ROUNDS);
    json_decref(read);
    gbench_close(g);
}

/* Samples of an earlier process are written as if they had been taken here; CPU time is not known.
 */
static void restored_samples_are_written_alike(void **state)
{
    (void)state;
    json_t *rows[2], *own, *value;
    size_t index;
    const char *name;
    for (int restored = 0; restored < 2; restored++) {
        gbench *g = open_engine(0, NULL);
        gbench_item items[ITEMS];
        fake fakes[ITEMS];
        fill(items, fakes);
        if (restored) {
            const gbench_times mean = {2e-3, 3e-3, 0.5e-3};
            for (int i = 0; i < ROUNDS; i++)
                assert_int_equal(gbench_restore(g, &items[1], &mean, 1, NULL), ATTN_OK);
        } else {
            run_rounds(g, &items[1], 1);
        }
        assert_int_equal(gbench_keep(g, items[1].id, NULL), ATTN_OK);
        json_t *read = written(g);
        rows[restored] = json_incref(json_object_get(read, "benchmarks"));
        json_decref(read);
        gbench_close(g);
    }
    assert_int_equal(json_array_size(rows[1]), ROUNDS);
    json_array_foreach(rows[0], index, own)
    {
        const json_t *again = json_array_get(rows[1], index);
        assert_int_equal(json_object_size(again), json_object_size(own));
        json_object_foreach(own, name, value)
        {
            const json_t *other = json_object_get(again, name);
            const double number = json_number_value(value);
            if (strcmp(name, "cpu_time") == 0)
                other = json_object_get(again, "real_time");
            else if (!json_is_real(value))
                assert_true(json_equal(value, other));
            else
                assert_true(fabs(json_number_value(other) / number - 1) < 1e-6);
            assert_non_null(other);
        }
    }
    json_decref(rows[0]);
    json_decref(rows[1]);
}

static void nothing_kept_is_valid_json(void **state)
{
    (void)state;
    gbench *g = open_engine(0, NULL);
    json_t *read = written(g);
    assert_int_equal(json_array_size(json_object_get(read, "benchmarks")), 0);
    json_decref(read);
    attn_reason why = {""};
    assert_int_equal(gbench_write(g, "no-such-directory/gb.json", &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "no-such-directory/gb.json"));
    gbench_close(g);
}

static void flags_of_the_user_win(void **state)
{
    (void)state;
    const char *const flags[] = {"--benchmark_repetitions=3", "--benchmark_min_time=0.05",
                                 "--benchmark_out=elsewhere.json"};
    gbench *g = open_engine(3, flags);
    gbench_item items[ITEMS];
    fake fakes[ITEMS];
    fill(items, fakes);
    assert_int_equal(gbench_repetitions(g), 3);
    assert_string_equal(gbench_output(g), "elsewhere.json");
    run_items(g, items, ITEMS);
    assert_int_equal(fakes[0].samples, 1); /* the rounds are the caller's */
    assert_true(fakes[0].runs >= 50);      /* 1 ms each, at least 50 ms per sample */
    for (int i = 0; i < ITEMS; i++)
        assert_clocks(&fakes[i]);
    assert_int_not_equal(access("elsewhere.json", F_OK), 0); /* ours to write */
    gbench_close(g);
    gbench *plain = open_engine(0, NULL);
    assert_int_equal(gbench_repetitions(plain), 0);
    assert_null(gbench_output(plain));
    gbench_close(plain);
}

static void flags_that_cannot_be_honoured(void **state)
{
    (void)state;
    static const char *const refused[] = {"--benchmark_report_aggregates_only=true",
                                          "--benchmark_display_aggregates_only",
                                          "--benchmark_out_format=csv",
                                          "--benchmark_no_such_flag",
                                          "stray",
                                          "--benchmark_repetitions=0",
                                          "--benchmark_repetitions=-1",
                                          "--benchmark_repetitions=100001",
                                          "--benchmark_repetitions=1000001",
                                          "--benchmark_repetitions=abc",
                                          "--benchmark_repetitions=3x",
                                          "--benchmark_repetitions=",
                                          "--benchmark_repetitions",
                                          "--benchmark_min_time=abc",
                                          "--benchmark_min_time=-1",
                                          "--benchmark_min_time=nan",
                                          "--benchmark_min_time=1x",
                                          "--benchmark_min_time=.",
                                          "--benchmark_min_time=1e9",
                                          "--benchmark_min_warmup_time=abc",
                                          "--benchmark_list_tests=maybe",
                                          "--benchmark_out=",
                                          "--benchmark_format=xml",
                                          "--benchmark_time_unit=min",
                                          "--benchmark_color=",
                                          "--v=abc"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        gbench *g;
        attn_reason why = {""};
        assert_int_equal(gbench_open(1, &refused[i], &g, &why), ATTN_ERROR);
        assert_non_null(strstr(why.text, refused[i]));
        assert_null(g);
    }
}

static void filter_selects(void **state)
{
    (void)state;
    static const char *const names[] = {"avx2_f/n=64/threads:1", "avx2_f/n=128/threads:1",
                                        "vk_tile/n=64/threads:0"};
    static const struct {
        const char *filter;
        bool selected[3];
    } cases[] = {{"--benchmark_filter=avx2", {true, true, false}},
                 {"--benchmark_filter=-avx2", {false, false, true}},
                 {"--benchmark_filter=n=64/", {true, false, true}},
                 {"--benchmark_filter=", {true, true, true}}};
    bool selected[3], listed;
    attn_reason why = {""};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gbench *g = open_engine(1, &cases[i].filter);
        assert_int_equal(gbench_select(g, names, 3, selected, &listed, &why), ATTN_OK);
        assert_false(listed);
        assert_memory_equal(selected, cases[i].selected, sizeof selected);
        gbench_close(g);
    }
    static const char *const bad[] = {"--benchmark_filter=nothing_like_it", "--benchmark_filter=("};
    for (size_t i = 0; i < 2; i++) {
        gbench *g = open_engine(1, &bad[i]);
        assert_int_equal(gbench_select(g, names, 3, selected, &listed, &why), ATTN_ERROR);
        assert_true(why.text[0] != '\0' && strchr(why.text, '\n') == NULL);
        gbench_close(g);
    }
}

/* Whatever is asked of the real run, a selection runs each name once and tells the flag apart. */
static void listing_is_a_flag(void **state)
{
    (void)state;
    static const char *const names[] = {"one/n=64/threads:1"};
    static const char *const many[] = {"--benchmark_repetitions=100000"};
    static const char *const unlisted[] = {"--benchmark_list_tests=false"};
    bool selected[1], listed;
    gbench *g = open_engine(1, many);
    assert_int_equal(gbench_select(g, names, 1, selected, &listed, NULL), ATTN_OK);
    assert_true(selected[0] && !listed);
    gbench_close(g);
    g = open_engine(1, unlisted);
    assert_int_equal(gbench_select(g, names, 1, selected, &listed, NULL), ATTN_OK);
    assert_true(selected[0] && !listed);
    gbench_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_interleaved_samples),
        cmocka_unit_test(only_kept_rows_are_written),
        cmocka_unit_test(clocks_are_written),
        cmocka_unit_test(restored_samples_are_written_alike),
        cmocka_unit_test(nothing_kept_is_valid_json),
        cmocka_unit_test(flags_of_the_user_win),
        cmocka_unit_test(flags_that_cannot_be_honoured),
        cmocka_unit_test(filter_selects),
        cmocka_unit_test(listing_is_a_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
