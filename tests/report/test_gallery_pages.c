/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of a collection that grows: the latest runs, as many as a page has room for.
 */
#include "tests/unit.h"

#include "harness/report/gallery.h"

enum { RUNS = 4, ROWS = 9000 };

static gallery_run runs[RUNS];
static result_row rows[ROWS];                  /* of every run */
static attn_workload workload[ATTN_MAX_SWEEP]; /* the first */

/* Of `count` rows each; of machine 0 but for the last, of machine 1, which is older than the third.
 * Rows differ in threads. */
static gallery made(size_t count)
{
    static const char *const times[RUNS] = {"20260101T000000Z", "20260201T000000Z",
                                            "20260401T000000Z", "20260301T000000Z"};
    attn_reason why;
    size_t one;
    assert_int_equal(attn_workload_parse("h=1,n=64,d=64", workload, &one, &why), ATTN_OK);
    for (size_t i = 0; i < ROWS; i++) {
        result_row_init(&rows[i]);
        rows[i].kernel = "avx2_f_24x4";
        rows[i].device = rows[i].device_name = "cpu";
        rows[i].workload = workload;
        rows[i].threads = (unsigned)i + 1;
        rows[i].median_ns = 1234567 + (double)i;
        rows[i].ci_low_ns = 1223456 + (double)i;
        rows[i].ci_high_ns = 1245678 + (double)i;
        rows[i].gflops = 65.4321;
    }
    for (size_t r = 0; r < RUNS; r++) {
        memset(&runs[r], 0, sizeof runs[r]);
        snprintf(runs[r].time, sizeof runs[r].time, "%s", times[r]);
        snprintf(runs[r].slug, sizeof runs[r].slug, "m");
        runs[r].machine = r == RUNS - 1;
        runs[r].submission.run = (run_file){.rows = rows, .count = count};
        runs[r].submission.run.header = json_pack("{s:{s:s,s:i},s:s}", "machine", "cpu_model", "C",
                                                  "processors", 1, "time", times[r]);
        assert_non_null(runs[r].submission.run.header);
    }
    return (gallery){.runs = runs, .count = RUNS, .machines = 2};
}

static void unmake(json_t *island)
{
    json_decref(island);
    for (size_t r = 0; r < RUNS; r++)
        json_decref(runs[r].submission.run.header);
}

static size_t bytes_of(const json_t *island)
{
    char *text = json_dumps(island, JSON_COMPACT | JSON_REAL_PRECISION(6));
    assert_non_null(text);
    const size_t bytes = strlen(text);
    free(text);
    return bytes;
}

static void compares_all(void **state)
{
    const gallery g = made(100);
    json_t *island = gallery_compare(&g), *all = json_object_get(island, "rows");
    (void)state;
    assert_int_equal(json_array_size(all), RUNS);
    for (size_t r = 0; r < RUNS; r++)
        assert_int_equal(json_array_size(json_array_get(all, r)), 100);
    unmake(island);
}

static void compares_the_latest(void **state)
{
    const gallery g = made(ROWS);
    json_t *island = gallery_compare(&g), *all = json_object_get(island, "rows");
    (void)state;
    assert_true(json_is_null(json_array_get(all, 0)));
    for (size_t r = 1; r < RUNS; r++)
        assert_int_equal(json_array_size(json_array_get(all, r)), ROWS);
    assert_in_range(bytes_of(island), 1000000, 1900000);
    unmake(island);
}

static void has_all_history(void **state)
{
    const gallery g = made(100);
    json_t *island = gallery_machine(&g, 0), *list = json_object_get(island, "series");
    (void)state;
    assert_int_equal(json_integer_value(json_object_get(island, "history_from")), 0);
    assert_int_equal(json_array_size(list), 100);
    for (size_t s = 0; s < 100; s++) {
        const json_t *points = json_object_get(json_array_get(list, s), "points");
        assert_int_equal(json_array_size(points), 3);
        for (size_t p = 0; p < 3; p++)
            assert_int_equal(json_integer_value(json_object_get(json_array_get(points, p), "run")),
                             p);
    }
    unmake(island);
}

static void has_the_latest_history(void **state)
{
    const gallery g = made(3000);
    json_t *island = gallery_machine(&g, 0);
    const json_t *series = json_array_get(json_object_get(island, "series"), 0);
    const json_t *point = json_array_get(json_object_get(series, "points"), 0);
    (void)state;
    assert_int_equal(json_integer_value(json_object_get(island, "history_from")), 1);
    assert_int_equal(json_array_size(json_object_get(series, "points")), 2);
    assert_int_equal(json_integer_value(json_object_get(point, "run")), 1);
    assert_in_range(bytes_of(island), 800000, 1900000);
    unmake(island);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_all),
        cmocka_unit_test(compares_the_latest),
        cmocka_unit_test(has_all_history),
        cmocka_unit_test(has_the_latest_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
