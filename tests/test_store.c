/* SPDX-License-Identifier: Apache-2.0
 *
 * run.jsonl: a row of every status, read back by a strict parser; refusals that leave nothing.
 */
#include "unit.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/header.h"
#include "harness/store.h"

static attn_workload workload;
static char scratch[] = "store-test-XXXXXX";

static int make_scratch(void **state)
{
    (void)state;
    workload = attn_workload_default(64, 16);
    return mkdtemp(scratch) == NULL;
}

static void path_in_scratch(char path[256], const char *name)
{
    snprintf(path, 256, "%s/%s", scratch, name);
}

static int remove_scratch(void **state)
{
    (void)state;
    static const char *const made[] = {"run/deep/run.jsonl", "run/deep", "run", "file"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char path[256];
        path_in_scratch(path, made[i]);
        remove(path);
    }
    return remove(scratch);
}

static result_row new_row(attn_status status)
{
    result_row row;
    result_row_init(&row);
    row.kernel = "avx2_f";
    row.workload = &workload;
    row.threads = 2;
    row.device = "cpu";
    row.device_name = "A \"quoted\" | <CPU> & \x01\xff";
    row.contract = ATTN_CONTRACT_F;
    row.tier = ATTN_TIER_EXACT;
    row.flops = 1000;
    row.status = status;
    if (status != ATTN_OK)
        attn_because(&row.why, status, "because of \"%s\"", attn_status_name(status));
    return row;
}

static void add_samples(result_row *row, size_t count)
{
    row->clock = "wall";
    row->iterations = 1;
    for (size_t i = 0; i < count; i++)
        assert_true(result_row_sample(row, 100.5 + (double)i, (double)i));
}

/* The row through its text; also checks what every row must hold. */
static json_t *through_text(const result_row *row)
{
    static const char *const fields[] = {"kernel",
                                         "workload",
                                         "threads",
                                         "device",
                                         "status",
                                         "reason",
                                         "tier",
                                         "contract",
                                         "digest",
                                         "samples_ns",
                                         "flops",
                                         "gflops",
                                         "roof_gflops",
                                         "roof_share",
                                         "verified",
                                         "median_ns",
                                         "ci_low_ns",
                                         "clock",
                                         "warmup",
                                         "iterations",
                                         "ci_high_ns",
                                         "bytes_extra",
                                         "bytes",
                                         "gb_per_s",
                                         "roof_gb_per_s",
                                         "bandwidth_share",
                                         "bound",
                                         "level",
                                         "intensity",
                                         "library",
                                         "library_ratio",
                                         "library_ratio_low",
                                         "library_ratio_high",
                                         "prepare_ns",
                                         "compile_ns",
                                         "dispatches",
                                         "config",
                                         "tuned",
                                         "best",
                                         "device_ns",
                                         "wall_ns",
                                         "empty_ns",
                                         "wall_net_ns",
                                         "wall_samples_ns",
                                         "empty_samples_ns"};
    json_t *made = store_row_json(row);
    char *line = json_value_line(made);
    assert_non_null(line);
    assert_null(strchr(line, '\n'));
    assert_null(strstr(line, "nan"));
    assert_null(strstr(line, "inf"));
    json_error_t error;
    json_t *read = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (read == NULL)
        fail_msg("%s in %s", error.text, line);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (json_object_get(read, fields[i]) == NULL)
            fail_msg("no field %s in %s", fields[i], line);
    free(line);
    json_decref(made);
    return read;
}

static void assert_null_field(const json_t *row, const char *field)
{
    if (!json_is_null(json_object_get(row, field)))
        fail_msg("%s is not null", field);
}

static void assert_real_field(const json_t *row, const char *field, double want)
{
    double got = json_number_value(json_object_get(row, field));
    if (!json_is_number(json_object_get(row, field)) || fabs(got - want) > 1e-9 * fabs(want))
        fail_msg("%s is %.17g, not %.17g", field, got, want);
}

static void assert_text_field(const json_t *row, const char *field, const char *want)
{
    assert_non_null(json_string_value(json_object_get(row, field)));
    assert_string_equal(json_string_value(json_object_get(row, field)), want);
}

static void ok_row_has_its_numbers(void **state)
{
    (void)state;
    result_row row = new_row(ATTN_OK), roof = new_row(ATTN_OK);
    add_samples(&row, 11);
    add_samples(&roof, 1);
    roof.flops = 2000;
    roof.roof = true;
    result_row_finish(&row);
    result_row_finish(&roof);
    result_row_judge(&row, &roof, NULL);
    json_t *read = through_text(&row);
    assert_text_field(read, "status", "ok");
    assert_null_field(read, "reason");
    assert_text_field(read, "tier", "exact");
    assert_real_field(read, "median_ns", 105.5);
    /* Ranks 2 and 3 of 11 leave out 24 and 134 of 2048. */
    const double share = (2024 / 2048.0 - 0.95) / (110 / 2048.0);
    const double inwards = 1 + 9 * share / (2 + 7 * share);
    assert_real_field(read, "ci_low_ns", 100.5 + inwards);
    assert_real_field(read, "ci_high_ns", 110.5 - inwards);
    assert_real_field(read, "gflops", 1000 / 105.5);
    assert_real_field(read, "roof_gflops", 2000 / 100.5);
    assert_real_field(read, "roof_share", 100.5 / 211);
    assert_text_field(read, "bound", "MAC");
    assert_null_field(read, "bandwidth_share");
    assert_null_field(read, "intensity"); /* without bytes */
    assert_int_equal(json_array_size(json_object_get(read, "samples_ns")), 11);
    assert_int_equal(json_integer_value(json_object_get(read, "flops")), 1000);
    assert_text_field(read, "device_name", "A \"quoted\" | <CPU> & \x01?");
    json_decref(read);
    json_t *roof_read = through_text(&roof);
    assert_null_field(roof_read, "tier");
    assert_null_field(roof_read, "digest");
    json_decref(roof_read);
    result_row_free(&row);
    result_row_free(&roof);
}

/* 1000 FLOPs on 500 bytes in 100.5 ns. */
static result_row judged(double mac_gflops, double read_gb_per_s)
{
    result_row row = new_row(ATTN_OK), mac = new_row(ATTN_OK), read = new_row(ATTN_OK);
    add_samples(&row, 1);
    row.bytes = 500;
    result_row_finish(&row);
    mac.gflops = mac_gflops;
    read.gb_per_s = read_gb_per_s;
    mac.status = isnan(mac_gflops) ? ATTN_ERROR : ATTN_OK;
    result_row_judge(&row, &mac, isnan(read_gb_per_s) ? NULL : &read);
    result_row_free(&row);
    return row;
}

/* The bound is the roof that would take longer: 2 FLOPs per byte against the roofs' ratio. */
static void the_lower_roof_binds(void **state)
{
    (void)state;
    static const struct {
        double mac, read;
        attn_roof_kind bound;
    } cases[] = {
        {100, 10, ATTN_ROOF_READ}, /* 10 FLOPs per byte would be needed */
        {20.01, 10, ATTN_ROOF_READ}, {20, 10, ATTN_ROOF_MAC},   {10, 10, ATTN_ROOF_MAC},
        {100, NAN, ATTN_ROOF_MAC},   {NAN, 10, ATTN_ROOF_READ}, {NAN, NAN, ATTN_ROOF_MAC},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const result_row row = judged(cases[i].mac, cases[i].read);
        assert_int_equal(row.bound, cases[i].bound);
        json_t *read = through_text(&row);
        assert_real_field(read, "gb_per_s", 500 / 100.5);
        assert_real_field(read, "intensity", 2);
        assert_null_field(read, "level");
        assert_int_equal(json_integer_value(json_object_get(read, "bytes")), 500);
        if (isnan(cases[i].mac))
            assert_null_field(read, "roof_share");
        else
            assert_real_field(read, "roof_share", 1000 / 100.5 / cases[i].mac);
        if (isnan(cases[i].read)) {
            assert_null_field(read, "bandwidth_share");
            assert_null_field(read, "roof_gb_per_s");
        } else {
            assert_real_field(read, "bandwidth_share", 500 / 100.5 / cases[i].read);
            assert_real_field(read, "roof_gb_per_s", cases[i].read);
        }
        if (isnan(cases[i].mac) && isnan(cases[i].read))
            assert_null_field(read, "bound");
        else
            assert_text_field(read, "bound", row.bound == ATTN_ROOF_READ ? "read" : "MAC");
        json_decref(read);
    }
}

static void a_roof_of_memory_counts_bytes(void **state)
{
    (void)state;
    for (int kind = ATTN_ROOF_READ; kind <= ATTN_ROOF_TRIAD; kind++) {
        result_row roof = new_row(ATTN_OK);
        add_samples(&roof, 1);
        roof.roof = true;
        roof.bound = (attn_roof_kind)kind;
        roof.level = (unsigned)kind + 1;
        roof.flops = 0;
        roof.bytes = 2010;
        result_row_finish(&roof);
        json_t *read = through_text(&roof);
        assert_real_field(read, "gb_per_s", 20);
        assert_int_equal(json_integer_value(json_object_get(read, "bytes")), 2010);
        assert_null_field(read, "gflops");
        assert_null_field(read, "flops");
        assert_text_field(read, "bound", attn_roof_kind_name(roof.bound));
        assert_text_field(read, "level", attn_level_name(roof.level));
        assert_null_field(read, "intensity");
        json_decref(read);
        result_row_free(&roof);
    }
}

/* Twice as fast as a library row of one constant time; and a library against itself. */
static void ratio_to_a_library(void **state)
{
    (void)state;
    result_row row = new_row(ATTN_OK), library = new_row(ATTN_OK), failed = new_row(ATTN_FAILED);
    library.kernel = "openblas";
    for (int i = 0; i < 6; i++) {
        assert_true(result_row_sample(&row, 50, 0));
        assert_true(result_row_sample(&library, 100, 0));
    }
    result_row_finish(&row);
    result_row_finish(&library);
    result_row *const rows[] = {&row, &library};
    for (int i = 0; i < 2; i++) {
        result_row_compare(rows[i], &library, 1);
        json_t *read = through_text(rows[i]);
        assert_text_field(read, "library", "openblas");
        assert_real_field(read, "library_ratio", i ? 1 : 2);
        assert_real_field(read, "library_ratio_low", i ? 1 : 2);
        assert_real_field(read, "library_ratio_high", i ? 1 : 2);
        json_decref(read);
    }
    result_row_compare(&failed, &library, 1);
    assert_null(failed.library);
    assert_true(isnan(failed.library_ratio));
    result_row_free(&row);
    result_row_free(&library);
}

static void one_sample_has_no_interval(void **state)
{
    (void)state;
    result_row row = new_row(ATTN_OK);
    add_samples(&row, 1);
    result_row_finish(&row);
    json_t *read = through_text(&row);
    assert_text_field(read, "status", "ok");
    assert_real_field(read, "median_ns", 100.5);
    assert_null_field(read, "ci_low_ns");
    assert_null_field(read, "ci_high_ns");
    assert_null_field(read, "roof_share");
    assert_true(isinf(result_row_precision(&row)));
    json_decref(read);
    result_row_free(&row);
}

/* Everything masked: a time, and neither a rate nor a share of the roof. */
static void no_flops_no_rate(void **state)
{
    (void)state;
    result_row row = new_row(ATTN_OK), roof = new_row(ATTN_OK);
    add_samples(&row, 11);
    add_samples(&roof, 11);
    row.flops = 0;
    result_row_finish(&row);
    result_row_finish(&roof);
    result_row_judge(&row, &roof, NULL);
    json_t *read = through_text(&row);
    assert_text_field(read, "status", "ok");
    assert_real_field(read, "median_ns", 105.5);
    assert_int_equal(json_integer_value(json_object_get(read, "flops")), 0);
    assert_null_field(read, "gflops");
    assert_null_field(read, "roof_share");
    json_decref(read);
    result_row_free(&row);
    result_row_free(&roof);
}

static void zero_ticks_are_an_error(void **state)
{
    (void)state;
    result_row row = new_row(ATTN_OK);
    row.clock = "gpu_timestamp";
    for (int i = 0; i < 10; i++)
        assert_true(result_row_sample(&row, 0, 0));
    result_row_finish(&row);
    assert_true(result_row_alarming(&row));
    json_t *read = through_text(&row);
    assert_text_field(read, "status", "error");
    assert_non_null(json_string_value(json_object_get(read, "reason")));
    assert_null_field(read, "median_ns");
    assert_null_field(read, "gflops");
    json_decref(read);
    result_row empty = new_row(ATTN_OK);
    result_row_finish(&empty);
    assert_int_equal(empty.status, ATTN_ERROR);
}

static void every_other_status_has_a_reason_and_no_rate(void **state)
{
    (void)state;
    static const char *const rates[] = {
        "median_ns", "ci_low_ns",     "ci_high_ns",      "gflops", "roof_gflops", "roof_share",
        "gb_per_s",  "roof_gb_per_s", "bandwidth_share", "bound",  "library",     "library_ratio"};
    static const bool alarming[] = {false, true, false, false, false, true, true, true, true};
    for (int s = ATTN_OK + 1; s <= ATTN_ERROR; s++) {
        result_row row = new_row((attn_status)s), roof = new_row(ATTN_OK);
        add_samples(&row, 10); /* timed before it failed: the samples must not become a rate */
        add_samples(&roof, 10);
        result_row_finish(&row);
        result_row_finish(&roof);
        result_row_judge(&row, &roof, NULL);
        assert_int_equal(result_row_alarming(&row), alarming[s]);
        json_t *read = through_text(&row);
        assert_text_field(read, "status", attn_status_name((attn_status)s));
        assert_int_equal(strncmp(json_string_value(json_object_get(read, "reason")), "because", 7),
                         0);
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
            assert_null_field(read, rates[i]);
        assert_int_equal(json_array_size(json_object_get(read, "samples_ns")), 0);
        json_decref(read);
        result_row_free(&roof);
    }
}

static void file_holds_header_and_rows(void **state)
{
    (void)state;
    static const char *const parts[] = {"machine",      "build",   "devices", "environment",
                                        "spirv_digest", "command", "seed",    "contract_version",
                                        "tool_version", "time",    "doctor"};
    const char *const argv[] = {"attnmark bench", "--kernel", "\xc3\xa9\xff"};
    const registry nothing = {0};
    const own_shaders none = {.count = 0};
    const header_options options = {
        .argc = 3, .argv = argv, .seed = 7, .budget_s = 1.5, .own = &none};
    char directory[256];
    attn_reason why = {""};
    store *s;
    assert_int_equal(setenv("VK_TEST_OF_HEADER", "on, \"quoted\"", 1), 0);
    assert_int_equal(setenv("SLURM_JWT", "sesame", 1), 0);
    assert_int_equal(setenv("UNRELATED_TO_HEADER", "x", 1), 0);
    json_t *header = header_json(&nothing, &options);
    path_in_scratch(directory, "run/deep");
    assert_int_equal(store_open(directory, header, &s, &why), ATTN_OK);
    json_decref(header);
    result_row ok = new_row(ATTN_OK), lost = new_row(ATTN_DEVICE_LOST);
    add_samples(&ok, 10);
    result_row_finish(&ok);
    assert_int_equal(store_row(s, &ok, &why), ATTN_OK);
    assert_int_equal(store_row(s, &lost, &why), ATTN_OK);
    result_row_free(&ok);

    /* Readable before it is closed: that is what a killed run leaves. */
    FILE *file = fopen(store_path(s), "r");
    assert_non_null(file);
    char line[65536];
    json_t *object[3];
    for (int i = 0; i < 3; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        object[i] = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(object[i]);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    store_close(s);
    assert_int_equal(json_integer_value(json_object_get(object[0], "format_version")), 1);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (json_object_get(object[0], parts[i]) == NULL)
            fail_msg("the header has no %s", parts[i]);
    const json_t *environment = json_object_get(object[0], "environment");
    assert_text_field(environment, "VK_TEST_OF_HEADER", "on, \"quoted\"");
    assert_text_field(environment, "SLURM_JWT", "(withheld)");
    assert_null(json_object_get(environment, "UNRELATED_TO_HEADER"));
    const json_t *machine = json_object_get(object[0], "machine");
    assert_int_equal(json_array_size(json_object_get(machine, "thread_processors")),
                     json_integer_value(json_object_get(machine, "default_threads")));
    assert_text_field(object[2], "status", "device_lost");
    for (int i = 0; i < 3; i++)
        json_decref(object[i]);
}

static void refusals_leave_nothing(void **state)
{
    (void)state;
    char directory[256], file[256];
    attn_reason why = {""};
    store *s;
    json_t *header = json_pack("{s:i}", "format_version", 1);
    path_in_scratch(directory, "run/deep"); /* holds the file of the test before */
    assert_int_equal(store_open(directory, header, &s, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "exists"));
    assert_null(s);

    path_in_scratch(file, "file");
    path_in_scratch(directory, "file/below");
    fclose(fopen(file, "w"));
    assert_int_equal(store_open(directory, header, &s, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "below"));
    assert_null(s);
    struct stat made;
    assert_int_not_equal(stat(directory, &made), 0);
    char kept[256], longer[512];
    path_in_scratch(kept, "kept"); /* below it one new directory, then a name that is too long */
    assert_int_equal(mkdir(kept, 0777), 0);
    snprintf(longer, sizeof longer, "%.40s/new/%0300d", kept, 0);
    assert_int_equal(store_open(longer, header, &s, &why), ATTN_ERROR);
    assert_null(s);
    assert_int_equal(rmdir(kept), 0); /* is empty, and was there before */

    assert_int_equal(store_open("", header, &s, &why), ATTN_ERROR);
    assert_null(s);
    json_decref(header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ok_row_has_its_numbers),
        cmocka_unit_test(the_lower_roof_binds),
        cmocka_unit_test(a_roof_of_memory_counts_bytes),
        cmocka_unit_test(ratio_to_a_library),
        cmocka_unit_test(one_sample_has_no_interval),
        cmocka_unit_test(no_flops_no_rate),
        cmocka_unit_test(zero_ticks_are_an_error),
        cmocka_unit_test(every_other_status_has_a_reason_and_no_rate),
        cmocka_unit_test(file_holds_header_and_rows),
        cmocka_unit_test(refusals_leave_nothing),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
