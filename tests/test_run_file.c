/* SPDX-License-Identifier: Apache-2.0
 *
 * run.jsonl read back: every field as it was written, a torn last line left out, and what is not
 * such a file refused with its line.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run_file.h"
#include "harness/store.h"

static char scratch[] = "run-file-test-XXXXXX";
static char path[64];
static attn_workload workload;

static int make_scratch(void **state)
{
    (void)state;
    workload = attn_workload_default(64, 16);
    workload.mask = ATTN_MASK_CAUSAL;
    if (mkdtemp(scratch) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/run.jsonl", scratch);
    return 0;
}

static int remove_scratch(void **state)
{
    (void)state;
    remove(path);
    return remove(scratch);
}

static result_row timed_row(const char *kernel)
{
    result_row row;
    result_row_init(&row);
    row.kernel = kernel;
    row.workload = &workload;
    row.threads = 2;
    row.device = "cpu";
    row.device_name = "A \"quoted\" | <CPU> &";
    row.contract = ATTN_CONTRACT_M;
    row.tier = ATTN_TIER_EXACT;
    row.flops = 1000;
    row.bytes = 10;
    row.clock = "wall";
    row.stopped_by = "budget";
    row.iterations = 3;
    snprintf(row.verified, sizeof row.verified, "golden");
    for (int i = 0; i < 12; i++)
        assert_true(result_row_sample(&row, 100.25 + i, 0.5 * i));
    assert_true(result_row_clocks(&row, 200, 10));
    row.counters[COUNTER_CYCLES] = 4096.5;
    row.counters_unavailable = "llc_loads: no such counter here";
    row.energy_j = 0.25;
    result_row_finish(&row);
    return row;
}

static void write_run(void)
{
    attn_reason why;
    store *s;
    remove(path);
    json_t *header = json_pack("{s:i,s:s}", "format_version", STORE_FORMAT_VERSION, "tool", "t");
    assert_int_equal(store_open(scratch, header, &s, &why), ATTN_OK);
    json_decref(header);
    result_row row = timed_row("avx2_m_24x4");
    assert_int_equal(store_row(s, &row, &why), ATTN_OK);
    result_row_free(&row);
    result_row_init(&row);
    row.kernel = "roof_read";
    row.roof = true;
    row.bound = ATTN_ROOF_READ;
    row.level = 3;
    row.workload = &workload;
    row.device = "vk0";
    row.device_name = "x";
    row.status = attn_because(&row.why, ATTN_SKIPPED, "too slow");
    assert_int_equal(store_row(s, &row, &why), ATTN_OK);
    store_close(s);
}

static void append(const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_round_trip(void **state)
{
    (void)state;
    attn_reason why;
    run_file f;
    write_run();
    assert_int_equal(run_file_read(scratch, &f, &why), ATTN_OK);
    assert_int_equal(f.count, 2);
    assert_false(f.torn);
    assert_null(f.end);
    result_row wrote = timed_row("avx2_m_24x4");
    const result_row *row = &f.rows[0];
    assert_true(run_file_same_key(row, &wrote));
    assert_false(run_file_same_key(row, &f.rows[1]));
    assert_string_equal(row->device_name, wrote.device_name);
    assert_int_equal(row->status, ATTN_OK);
    assert_int_equal(row->contract, ATTN_CONTRACT_M);
    assert_int_equal(row->tier, ATTN_TIER_EXACT);
    assert_string_equal(row->verified, "golden");
    assert_string_equal(row->clock, "wall");
    assert_int_equal(row->samples, 12);
    assert_true(row->samples_ns[11] == 111.25 && row->sample_at_s[11] == 5.5);
    assert_int_equal(row->clock_samples, 1);
    assert_true(row->wall_samples_ns[0] == 200 && row->empty_samples_ns[0] == 10);
    assert_true(row->median_ns == wrote.median_ns);
    assert_true(fabs(row->ci_low_ns / wrote.ci_low_ns - 1) < 1e-11);
    assert_true(row->gflops > 0 && fabs(row->gflops / wrote.gflops - 1) < 1e-11);
    assert_true(isnan(row->roof_share));
    assert_true(row->counters[COUNTER_CYCLES] == 4096.5 && row->energy_j == 0.25);
    assert_true(isnan(row->counters[COUNTER_LLC_LOADS]));
    assert_string_equal(row->counters_unavailable, "llc_loads: no such counter here");
    assert_null(row->energy_unavailable);
    assert_true(isnan(f.rows[1].energy_j) && isnan(f.rows[1].counters[COUNTER_CYCLES]));
    assert_int_equal(row->flops, 1000);
    result_row_free(&wrote);
    row = &f.rows[1];
    assert_true(row->roof && row->bound == ATTN_ROOF_READ && row->threads == 0);
    assert_int_equal(row->level, 3);
    assert_int_equal(f.rows[0].level, ATTN_LEVEL_NONE);
    assert_int_equal(row->status, ATTN_SKIPPED);
    assert_string_equal(row->why.text, "too slow");
    assert_int_equal(row->samples, 0);
    run_file_free(&f);
}

static void test_unfinished_and_finished(void **state)
{
    (void)state;
    attn_reason why;
    run_file f;
    write_run();
    append("{\"kernel\":\"avx2_f\",\"workl");
    assert_int_equal(run_file_read(path, &f, &why), ATTN_OK);
    assert_true(f.torn);
    assert_int_equal(f.count, 2);
    const off_t whole = (off_t)f.whole_size;
    run_file_free(&f);
    assert_int_equal(truncate(path, whole), 0);
    append("{\"result\":\"VALID\",\"reasons\":[]}\n");
    assert_int_equal(run_file_read(path, &f, &why), ATTN_OK);
    assert_false(f.torn);
    assert_string_equal(json_string_value(json_object_get(f.end, "result")), "VALID");
    run_file_free(&f);
}

static size_t file_size(void)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return (size_t)s.st_size;
}

/* Its second row and a torn line are dropped, and a row that is new follows. */
static void test_going_on(void **state)
{
    (void)state;
    attn_reason why;
    run_file f;
    store *s;
    write_run();
    append("{\"kernel\":\"avx2_f\",\"workl");
    assert_int_equal(run_file_read(path, &f, &why), ATTN_OK);
    assert_int_equal(f.size, file_size());
    assert_true(f.offsets[0] < f.offsets[1] && f.offsets[1] < f.whole_size &&
                f.whole_size < f.size);
    const size_t size = f.size, keep = f.offsets[1];
    run_file_free(&f);
    assert_int_equal(store_resume(path, size + 1, keep, &s, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "another process"));
    assert_null(s);
    assert_int_equal(file_size(), size);
    assert_int_equal(store_resume("no/such", size, keep, &s, &why), ATTN_ERROR);
    assert_int_equal(store_resume(path, size, keep, &s, &why), ATTN_OK);
    assert_string_equal(store_path(s), path);
    result_row row = timed_row("scalar_m");
    assert_int_equal(store_row(s, &row, &why), ATTN_OK);
    result_row_free(&row);
    store_discard(s); /* it was not made here: it stays */
    assert_int_equal(run_file_read(path, &f, &why), ATTN_OK);
    assert_int_equal(f.resumed, 1);
    assert_int_equal(f.count, 2);
    assert_false(f.torn);
    assert_int_equal(f.offsets[0] < keep && keep < f.offsets[1], true);
    assert_string_equal(f.rows[0].kernel, "avx2_m_24x4");
    assert_string_equal(f.rows[1].kernel, "scalar_m");
    run_file_free(&f);
}

/* A second process may not write while a store is open; afterwards it may. */
static void test_one_writer(void **state)
{
    (void)state;
    attn_reason why;
    store *s, *other;
    if (getenv("MESON_EXE_WRAPPER")) {
        print_message("# not tried: children of a process under qemu-user 7.2 hang\n");
        return;
    }
    write_run();
    const size_t size = file_size();
    assert_int_equal(store_resume(path, size, size, &s, &why), ATTN_OK);
    const size_t now = file_size();
    for (int open = 1; open >= 0; open--) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(store_resume(path, now, now, &other, &why) == ATTN_OK ? 0
                  : strstr(why.text, "another process is writing it")   ? 1
                                                                        : 2);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(WEXITSTATUS(status), open);
        if (open)
            store_close(s);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } faults[] = {
        {"nonsense\n", "run.jsonl:4: "},
        {"[1]\n", "want an object"},
        {"{\"kernel\":7,\"device\":\"cpu\"}\n", "kernel: want a text"},
        {"{\"kernel\":\"k\"}\n", "want a kernel and a device"},
        {"{\"kernel\":\"k\",\"device\":\"d\",\"status\":\"fine\"}\n", "unknown 'fine'"},
        {"{\"kernel\":\"k\",\"device\":\"d\",\"status\":\"ok\",\"threads\":-1}\n", "threads: "},
        {"{\"kernel\":\"k\",\"device\":\"d\",\"status\":\"ok\",\"samples_ns\":[1,null]}\n",
         "samples_ns: want numbers"},
        {"{\"kernel\":\"k\",\"device\":\"d\",\"status\":\"ok\",\"samples_ns\":[1,0]}\n",
         "samples_ns: want times above 0"},
        {"{\"kernel\":\"k\",\"device\":\"d\",\"status\":\"ok\",\"threads\":9999999999}\n",
         "threads: want at most"},
        {"{\"kernel\":\"k\",\"device\":\"d\",\"status\":\"ok\",\"workload\":\"n=1..4\"}\n",
         "workload: want one"},
        {"{\"kernel\":\"k\",\"device\":\"d\",\"status\":\"ok\",\"workload\":\"n=0\"}\n", "n: "},
        {"{\"kernel\":\"roof_read\",\"device\":\"vk0\",\"roof\":true,\"status\":\"ok\","
         "\"workload\":\"b=1,h=8,n=64,d=16,mask=causal\"}\n",
         "a second row of roof_read"},
        {"{\"result\":\"VALID\"}\n{\"kernel\":\"k\"}\n", "a line after the last"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        attn_reason why;
        run_file f;
        write_run();
        append(faults[i].line);
        assert_int_equal(run_file_read(path, &f, &why), ATTN_ERROR);
        if (strstr(why.text, faults[i].says) == NULL || strstr(why.text, path) == NULL)
            fail_msg("'%s' does not say '%s'", why.text, faults[i].says);
    }
}

static void test_other_files(void **state)
{
    (void)state;
    attn_reason why;
    run_file f;
    remove(path);
    assert_int_equal(run_file_read(path, &f, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "No such file"));
    append("");
    assert_int_equal(run_file_read(path, &f, &why), ATTN_ERROR);
    append("{\"name\":1}\n");
    assert_int_equal(run_file_read(path, &f, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "no format_version"));
    remove(path);
    append("{\"format_version\":999}\n");
    assert_int_equal(run_file_read(path, &f, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "format_version 999"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_unfinished_and_finished),
        cmocka_unit_test(test_going_on),   cmocka_unit_test(test_one_writer),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_other_files),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
