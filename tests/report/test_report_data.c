/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report's page is told: the right values, null for what is unknown, names that stay text,
 * comparisons, and rows that a filter takes out.
 */
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/report/report.h"
#include "harness/store.h"

#define HOSTILE "</script><b>\"|'&\xe2\x80\xa8`"

enum { SAMPLES = 12 };

static char scratch[] = "report-test-XXXXXX";
static char long_name[301];

static int make_scratch(void **state)
{
    (void)state;
    memset(long_name, 'x', sizeof long_name - 1);
    return mkdtemp(scratch) == NULL;
}

static int remove_scratch(void **state)
{
    (void)state;
    return rmdir(scratch);
}

/* 100 to 111 ns times the factor, but for the status. */
static result_row new_row(const char *kernel, const attn_workload *w, attn_status status,
                          double factor)
{
    result_row row;
    result_row_init(&row);
    row.kernel = kernel;
    row.workload = w;
    row.threads = 2;
    row.device = "cpu";
    row.device_name = HOSTILE;
    row.contract = ATTN_CONTRACT_M;
    row.flops = 211000;
    row.bytes = 1000;
    row.status = status;
    row.clock = "wall";
    row.stopped_by = "budget";
    for (int i = 0; i < SAMPLES && status == ATTN_OK; i++)
        assert_true(result_row_sample(&row, factor * (100 + i), i));
    result_row_finish(&row);
    return row;
}

static void put(FILE *file, result_row *row)
{
    json_t *line = store_row_json(row);
    char *text = json_value_line(line);
    assert_non_null(text);
    assert_true(fprintf(file, "%s\n", text) > 0);
    free(text);
    json_decref(line);
    result_row_free(row);
}

static json_t *new_header(const char *cpu, int contract)
{
    return json_pack("{s:i,s:i,s:i,s:s,s:[s,s,n,s],s:{s:s,s:i},s:[{s:s,s:s,s:s},{s:s,s:s,s:s,s:n}],"
                     "s:[{s:s,s:s,s:b,s:s}],s:{s:s}}",
                     "format_version", STORE_FORMAT_VERSION, "contract_version", contract, "seed",
                     7, "time", "2026-11-30T10:00:00Z", "command", "attnmark bench", "--kernel",
                     "it's", "machine", "cpu_model", cpu, "processors", 1, "doctor", "id", "load",
                     "severity", "fine", "found", "0", "id", "steal", "severity", "warning",
                     "found", HOSTILE, "advice", "devices", "selector", "vk0", "name", long_name,
                     "software", 1, "driver", HOSTILE, "environment", "OMP_NUM_THREADS", "");
}

/* Three lengths of one kernel, timed and times the factor, a row that was skipped, a library and a
 * roof of 50 GFLOP/s twice. `end`: the last line or NULL. */
static void write_run(const char *path, json_t *header, double factor, const char *end)
{
    attn_workload w[3];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    char *text = json_value_line(header);
    assert_true(fprintf(file, "%s\n", text) > 0);
    free(text);
    json_decref(header);
    for (int i = 0; i < 3; i++) {
        w[i] = parse_workload(i == 0 ? "n=64,h=1" : i == 1 ? "n=128,h=1" : "n=256,h=1");
        result_row row = new_row("avx2_m_24x4", &w[i], ATTN_OK, factor * (1 << i));
        const result_row roof = {.status = ATTN_OK, .gflops = 4, .gb_per_s = NAN};
        result_row_judge(&row, &roof, NULL);
        snprintf(row.digest, sizeof row.digest, "0123456789abcdef0123456789abcdef");
        row.library = i == 0 ? "openblas" : NULL;
        row.library_ratio = i == 0 ? 1.5 : NAN;
        put(file, &row);
    }
    result_row row = new_row(HOSTILE, &w[0], ATTN_SKIPPED, 1);
    attn_because(&row.why, ATTN_SKIPPED, "%s", HOSTILE);
    put(file, &row);
    for (int i = 0; i < 2; i++) {
        row = new_row("roof_m_avx2", &w[i], ATTN_OK, 1);
        row.roof = true;
        row.gflops = i == 0 ? 40 : 60;
        put(file, &row);
    }
    if (end != NULL)
        assert_true(fprintf(file, "%s\n", end) > 0);
    assert_int_equal(fclose(file), 0);
}

#define ENDED "{\"result\":\"INVALID\",\"reasons\":[\"noise\"],\"elapsed_s\":1.5,\"drift\":[]}"

/* A run of its own file, which is gone again. */
static void make_run(run_file *run, json_t *header, double factor, const char *end)
{
    char path[64];
    attn_reason why = {""};
    snprintf(path, sizeof path, "%s/run.jsonl", scratch);
    write_run(path, header, factor, end);
    const attn_status status = run_file_read(scratch, run, &why);
    remove(path);
    if (status != ATTN_OK)
        fail_msg("%s", why.text);
}

static report new_report(run_file *runs, size_t count, const char *title)
{
    report r;
    attn_reason why = {""};
    if (report_make(runs, count, title, &r, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    return r;
}

/* The member of an array, by its index, or of an object. */
static const json_t *at(const json_t *list, size_t index)
{
    const json_t *value = json_array_get(list, index);
    assert_non_null(value);
    return value;
}

static const json_t *get(const json_t *o, const char *name)
{
    const json_t *value = json_object_get(o, name);
    if (value == NULL)
        fail_msg("no %s", name);
    return value;
}

static const json_t *list_at(const report *r, const char *list, size_t index)
{
    return at(get(r->data, list), index);
}

static const char *text_of(const json_t *o, const char *name)
{
    const char *text = json_string_value(get(o, name));
    if (text == NULL)
        fail_msg("%s: no text", name);
    return text;
}

static const json_t *cell(const report *r, size_t row, const char *column)
{
    const json_t *columns = get(r->data, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++)
        if (strcmp(json_string_value(at(columns, i)), column) == 0)
            return at(list_at(r, "rows", row), i);
    fail_msg("no column %s", column);
    return NULL;
}

static double number(const json_t *value)
{
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void assert_near(const json_t *value, double wanted)
{
    if (!(fabs(number(value) / wanted - 1) < 1e-9))
        fail_msg("%.17g, not %.17g", number(value), wanted);
}

static void a_row_has_its_values_and_its_places(void **state)
{
    (void)state;
    run_file run;
    make_run(&run, new_header("C", 1), 1, ENDED);
    report r = new_report(&run, 1, NULL);
    assert_int_equal(json_array_size(get(r.data, "rows")), 4); /* roofs are in their run */
    assert_near(cell(&r, 0, "median_ns"), 105.5);
    assert_near(cell(&r, 0, "low_ns"), run.rows[0].ci_low_ns);
    assert_near(cell(&r, 0, "high_ns"), run.rows[0].ci_high_ns);
    assert_near(cell(&r, 0, "wall_ns"), 105.5);
    assert_near(cell(&r, 0, "gb_per_s"), 1000 / 105.5);
    assert_near(cell(&r, 0, "gflops"), 2000);
    assert_near(cell(&r, 0, "share"), 500);
    assert_string_equal(json_string_value(cell(&r, 0, "bound")), "MAC");
    assert_near(cell(&r, 0, "intensity"), 211);
    assert_int_equal(json_integer_value(cell(&r, 0, "samples")), SAMPLES);
    assert_int_equal(json_integer_value(cell(&r, 0, "outliers")), 0);
    assert_true(json_is_integer(cell(&r, 0, "outliers")));
    assert_string_equal(json_string_value(cell(&r, 0, "digest")),
                        "0123456789abcdef0123456789abcdef");
    const json_t *kernel =
        list_at(&r, "kernels", (size_t)json_integer_value(cell(&r, 0, "kernel")));
    assert_string_equal(text_of(kernel, "name"), "avx2_m_24x4");
    assert_string_equal(text_of(kernel, "contract"), "M");
    assert_string_equal(text_of(kernel, "kind"), "vector");
    assert_true(strlen(text_of(kernel, "story")) > 0);
    const json_t *library =
        list_at(&r, "kernels", (size_t)json_integer_value(cell(&r, 0, "library")));
    assert_string_equal(text_of(library, "name"), "openblas");
    assert_string_equal(text_of(library, "tier"), "bounded");
    assert_near(cell(&r, 0, "vs_library"), 1.5);
    const json_t *w = list_at(&r, "workloads", (size_t)json_integer_value(cell(&r, 2, "workload")));
    assert_string_equal(text_of(w, "label"), "h=1 n=256 d=64");
    assert_int_equal(json_integer_value(get(w, "n")), 256);
    assert_int_equal(json_integer_value(get(w, "flops")), 256 * 256 * 256);
    report_free(&r);
    run_file_free(&run);
}

/* Of a shader that no list of this build has, by the run's header. */
static void own_shaders_tell_their_story(void **state)
{
    (void)state;
    for (int told = 0; told <= 1; told++) {
        run_file run;
        json_t *header = new_header("C", 1);
        if (told)
            json_object_set_new(header, "shaders",
                                json_pack("[{s:s},{s:s,s:{s:s}}]", "story", "another", "story",
                                          "an idea", "spirv_digests", HOSTILE, "00"));
        make_run(&run, header, 1, ENDED);
        report r = new_report(&run, 1, NULL);
        const json_t *kernel =
            list_at(&r, "kernels", (size_t)json_integer_value(cell(&r, 3, "kernel")));
        assert_string_equal(text_of(kernel, "kind"), "own");
        assert_string_equal(text_of(kernel, "story"), told ? "an idea" : "");
        report_free(&r);
        run_file_free(&run);
    }
}

static void what_is_unknown_is_null(void **state)
{
    (void)state;
    static const char *const columns[] = {
        "median_ns", "low_ns", "high_ns",  "samples",    "outliers",   "gflops",
        "gb_per_s",  "bound",  "share",    "library",    "vs_library", "device_ns",
        "wall_ns",   "digest", "verified", "compile_ns", "dispatches", "config"};
    run_file run;
    make_run(&run, json_pack("{s:i}", "format_version", STORE_FORMAT_VERSION), 1, NULL);
    report r = new_report(&run, 1, NULL);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!json_is_null(cell(&r, 3, columns[i])))
            fail_msg("%s is not null", columns[i]);
    const json_t *first = list_at(&r, "runs", 0);
    assert_string_equal(text_of(first, "name"), "unknown machine");
    assert_true(json_is_null(get(first, "result")));
    assert_true(json_is_null(get(first, "elapsed_s")));
    assert_true(json_is_null(get(first, "command")));
    assert_true(json_is_null(get(first, "seed")));
    assert_true(json_is_null(get(r.data, "contract_version")));
    assert_int_equal(json_array_size(get(first, "reasons")), 0);
    assert_string_equal(json_string_value(at(at(get(first, "machine"), 0), 1)), "-");
    report_free(&r);
    run_file_free(&run);
}

static void a_run_says_how_it_was_made(void **state)
{
    (void)state;
    run_file run;
    make_run(&run, new_header("C", 1), 1, ENDED);
    report r = new_report(&run, 1, NULL);
    const json_t *first = list_at(&r, "runs", 0);
    assert_string_equal(text_of(first, "name"), "C (1 CPU)");
    assert_string_equal(text_of(first, "result"), "INVALID");
    assert_string_equal(json_string_value(at(get(first, "reasons"), 0)), "noise");
    assert_string_equal(text_of(first, "command"), "attnmark bench --kernel '' 'it'\\''s'");
    assert_int_equal(json_integer_value(get(first, "seed")), 7);
    assert_int_equal(json_array_size(get(first, "doctor")), 1);
    assert_string_equal(text_of(at(get(first, "doctor"), 0), "id"), "steal");
    const json_t *devices = get(first, "devices");
    assert_int_equal(json_array_size(devices), 2);
    assert_string_equal(text_of(at(devices, 0), "selector"), "cpu");
    assert_string_equal(text_of(at(devices, 1), "name"), long_name);
    assert_true(json_is_true(get(at(devices, 1), "software")));
    assert_string_equal(json_string_value(at(at(get(first, "environment"), 0), 1)), "");
    assert_int_equal(json_array_size(get(first, "roofs")), 1);
    const json_t *roof = at(get(first, "roofs"), 0);
    assert_near(get(roof, "gflops"), 50); /* the median of 40 and 60 */
    assert_true(json_is_null(get(roof, "gb_per_s")));
    assert_string_equal(text_of(roof, "bound"), "MAC");
    report_free(&r);
    run_file_free(&run);
}

static void what_is_no_text_is_none_on_the_page(void **state)
{
    (void)state;
    run_file run;
    make_run(&run, new_header("C", 1), 1,
             "{\"result\":\"PERFECT\",\"reasons\":[[],\"noise\"],\"elapsed_s\":\"1\","
             "\"drift\":[{\"reference\":{},\"change\":\"1\",\"change_low\":0.5}]}");
    report r = new_report(&run, 1, NULL);
    const json_t *first = list_at(&r, "runs", 0), *drift = at(get(first, "drift"), 0);
    assert_string_equal(text_of(first, "result"), "INVALID");
    assert_string_equal(json_string_value(at(get(first, "reasons"), 0)), "-");
    assert_string_equal(json_string_value(at(get(first, "reasons"), 1)), "noise");
    assert_true(json_is_null(get(first, "elapsed_s")));
    assert_true(json_is_null(get(drift, "reference")));
    assert_true(json_is_null(get(drift, "change")));
    assert_near(get(drift, "change_low"), 0.5);
    report_free(&r);
    run_file_free(&run);
}

/* FLOPs are the same at each length here, and times double. */
static void a_curve_has_its_rows_and_its_fit(void **state)
{
    (void)state;
    run_file run;
    make_run(&run, new_header("C", 1), 1, ENDED);
    report r = new_report(&run, 1, NULL);
    assert_int_equal(json_array_size(get(r.data, "curves")), 1);
    const json_t *curve = list_at(&r, "curves", 0), *rows = get(curve, "rows");
    assert_int_equal(json_array_size(rows), 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(json_integer_value(at(rows, i)), i);
    assert_string_equal(text_of(curve, "length"), "n");
    assert_near(get(curve, "slope"), 1);
    assert_int_equal(json_array_size(get(curve, "exponents")), 2);
    assert_near(at(get(curve, "exponents"), 0), 1);
    assert_true(strlen(text_of(curve, "verdict")) > 0);
    for (size_t i = 1; i < 3; i++)
        assert_true(json_equal(get(list_at(&r, "workloads", i), "group"),
                               get(list_at(&r, "workloads", 0), "group")));
    report_free(&r);
    run_file_free(&run);
}

/* It names the machine once, and what its runs differ in. */
static void title_of_runs(void **state)
{
    (void)state;
    run_file runs[3];
    for (size_t i = 0; i < 3; i++)
        make_run(&runs[i], new_header("C", 1), 1, ENDED);
    json_object_set_new(runs[0].header, "build", json_pack("{s:s}", "compiler", "gcc 12.2.0"));
    for (size_t i = 1; i < 3; i++)
        json_object_set_new(runs[i].header, "build", json_pack("{s:s}", "compiler", "clang 14"));
    json_object_set_new(runs[1].header, "time", json_string("2026-11-30T11:00:00Z"));
    report r = new_report(runs, 3, NULL);
    for (size_t i = 0; i < 3; i++)
        run_file_free(&runs[i]);
    assert_string_equal(text_of(r.data, "title"),
                        "attnmark: C (1 CPU), gcc 12.2.0; clang 14, 2026-11-30T11:00:00Z; "
                        "clang 14, 2026-11-30T10:00:00Z");
    report_free(&r);
}

static void two_runs_are_compared(void **state)
{
    (void)state;
    run_file runs[3];
    make_run(&runs[0], new_header("C", 1), 1, ENDED);
    make_run(&runs[1], new_header("C", 1), 2, ENDED);
    make_run(&runs[2], new_header("D", 2), 1, ENDED);
    report r = new_report(runs, 3, "T");
    assert_string_equal(text_of(r.data, "title"), "T");
    assert_string_equal(text_of(list_at(&r, "runs", 0), "name"), "C (1 CPU), run 1");
    assert_string_equal(text_of(list_at(&r, "runs", 1), "name"), "C (1 CPU), run 2");
    assert_string_equal(text_of(list_at(&r, "runs", 2), "name"), "D (1 CPU)");
    assert_int_equal(json_array_size(get(r.data, "comparisons")), 2);
    const json_t *c = list_at(&r, "comparisons", 0), *pairs = get(c, "pairs");
    assert_true(json_is_null(get(c, "error")));
    assert_int_equal(json_array_size(pairs), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_near(get(at(pairs, i), "ratio"), 2);
        assert_int_equal(json_integer_value(get(at(pairs, i), "a")), i);
        assert_int_equal(json_integer_value(get(at(pairs, i), "b")), 4 + i);
    }
    assert_near(get(c, "mean_ratio"), 2);
    assert_int_equal(json_integer_value(get(get(c, "left_out"), "not_ok")), 1);
    const json_t *other = list_at(&r, "comparisons", 1);
    assert_non_null(strstr(text_of(other, "error"), "contract_version"));
    assert_true(json_is_null(get(other, "mean_ratio")));
    assert_int_equal(json_array_size(get(other, "pairs")), 0);
    report_free(&r);
    for (size_t i = 0; i < 3; i++)
        run_file_free(&runs[i]);
}

static void a_filter_takes_rows_out(void **state)
{
    (void)state;
    char *kernels[] = {"avx2_*"}, *workloads[] = {"n=64..128,h=1"}, *none[] = {"vk_*"},
         *wrong[] = {"n=0"};
    const report_filter filters[] = {
        {kernels, 1, workloads, 1}, {none, 1, NULL, 0}, {NULL, 0, wrong, 1}};
    attn_reason why = {""};
    run_file run;
    make_run(&run, new_header("C", 1), 1, ENDED);
    assert_int_equal(report_select(&run, 1, &filters[0], &why), ATTN_OK);
    report r = new_report(&run, 1, NULL);
    assert_int_equal(json_array_size(get(r.data, "rows")), 2);
    assert_int_equal(json_array_size(get(r.data, "workloads")), 2);
    assert_int_equal(json_array_size(get(list_at(&r, "runs", 0), "roofs")), 1);
    report_free(&r);
    assert_int_equal(report_select(&run, 1, &filters[2], &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "--workload"));
    assert_int_equal(report_select(&run, 1, &filters[1], &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "--kernel"));
    run_file_free(&run);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static char *page_of(const report *r)
{
    char *text = NULL;
    size_t size;
    attn_reason why = {""};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(report_page(out, r, &why), ATTN_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void hostile_names_stay_text(void **state)
{
    (void)state;
    run_file run;
    make_run(&run, new_header(HOSTILE, 1), 1, ENDED);
    report harmless = new_report(&run, 1, "T"), r = new_report(&run, 1, HOSTILE);
    char *page = page_of(&r), *plain = page_of(&harmless);
    assert_int_equal(count_of(page, "</script"), count_of(plain, "</script"));
    assert_int_equal(count_of(page, "<b>"), count_of(plain, "<b>"));
    const char *start = strstr(page, "id=\"data\">");
    assert_non_null(start);
    start = strchr(start, '{');
    const size_t length = strcspn(start, "\n");
    assert_null(memchr(start, '<', length));
    assert_null(memchr(start, '&', length));
    json_error_t error;
    json_t *data = json_loadb(start, length, 0, &error);
    assert_non_null(data);
    assert_string_equal(text_of(data, "title"), HOSTILE);
    assert_string_equal(text_of(at(get(at(get(data, "runs"), 0), "doctor"), 0), "found"), HOSTILE);
    json_decref(data);
    free(plain);
    free(page);
    report_free(&harmless);
    report_free(&r);
    run_file_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_its_values_and_its_places),
        cmocka_unit_test(own_shaders_tell_their_story),
        cmocka_unit_test(what_is_unknown_is_null),
        cmocka_unit_test(a_run_says_how_it_was_made),
        cmocka_unit_test(what_is_no_text_is_none_on_the_page),
        cmocka_unit_test(a_curve_has_its_rows_and_its_fit),
        cmocka_unit_test(title_of_runs),
        cmocka_unit_test(two_runs_are_compared),
        cmocka_unit_test(a_filter_takes_rows_out),
        cmocka_unit_test(hostile_names_stay_text),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
