/* SPDX-License-Identifier: Apache-2.0
 *
 * What `bench` prints, from made-up rows: no number where there is none.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/columns.h"
#include "harness/format.h"
#include "harness/plot.h"
#include "harness/table.h"

enum { SIZES = 5, KERNELS = 3, ROWS = SIZES * KERNELS };

static attn_workload workloads[SIZES]; /* n = 64, 128, ..., 1024 */

/* A kernel with t = 1 ns n^2, one that fails from n = 512, one that is unavailable. */
static void make_rows(result_row rows[ROWS])
{
    for (int i = 0; i < ROWS; i++) {
        result_row *row = &rows[i];
        int size = i / KERNELS, kernel = i % KERNELS;
        workloads[size] = attn_workload_default(64u << size, 64);
        double n = workloads[size].n;
        result_row_init(row);
        row->kernel = kernel == 0 ? "quick" : kernel == 1 ? "broken" : "absent";
        row->workload = &workloads[size];
        row->device = kernel == 2 ? "vk0" : "cpu";
        row->device_name = "fake";
        row->software = kernel == 2;
        row->threads = kernel == 2 ? 0 : kernel + 1;
        row->flops = attn_flops(row->workload);
        if (kernel == 2) {
            attn_because(&row->why, row->status = ATTN_UNAVAILABLE, "no \x1b[31mdriver");
            continue;
        }
        snprintf(row->verified, sizeof row->verified, "sampled (64 of %d rows)", (int)n);
        snprintf(row->digest, sizeof row->digest, "0123456789abcdef0123456789abcdef");
        for (int s = 0; s < 10; s++)
            assert_true(result_row_sample(row, (1 + kernel) * n * n * (1 + 0.001 * s), s));
        if (kernel == 1 && n >= 512)
            attn_because(&row->why, row->status = ATTN_FAILED, "first bad index 5");
        result_row_finish(row);
    }
}

static void free_rows(result_row rows[ROWS])
{
    for (int i = 0; i < ROWS; i++)
        result_row_free(&rows[i]);
}

static void print_rows(FILE *out, const result_row *rows, size_t count, bool colour)
{
    series *list;
    size_t curves = series_build(rows, count, 1, &list);
    table_rows(out, rows, count, colour);
    table_roofs(out, rows, count, colour);
    table_clocks(out, rows, count);
    table_curves(out, list, curves);
    plot_print(out, list, curves);
    series_free(list, curves);
}

/* Everything that is printed for the rows; free it. */
static char *printed(const result_row *rows, size_t count, bool colour)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print_rows(out, rows, count, colour);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no '%s' in:\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("'%s' in:\n%s", part, text);
}

static void table_says_what_is_known(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    char *text = printed(rows, ROWS, false);
    assert_has(text, "Workload: b=1 h=8 d=64 dtype=f32 mask=full\n");
    assert_has(text, "n=1024    quick");
    assert_has(text, "1.053 ms  [1.050, 1.056]"); /* 2^20 ns times 1.0045, 1.0017, 1.0073 */
    assert_has(text, "failed: first bad index 5");
    assert_has(text, "vk0 (software)");
    assert_has(text, "\nall       absent  vk0");
    assert_has(text, "unavailable: no ?[31mdriver"); /* control characters do not get through */
    assert_null(strstr(strstr(text, "unavailable: no") + 1, "unavailable: no")); /* once */
    assert_has(text, "0123456789  ");
    assert_lacks(text, "0123456789a");
    assert_lacks(text, "0.00 ");
    assert_lacks(text, "nan");
    assert_lacks(text, "inf");
    assert_lacks(text, "\x1b");
    free(text);
    free_rows(rows);
}

static void failed_rows_have_no_rate(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    char *text = printed(&rows[3 * KERNELS + 1], 1, false); /* n = 512 of the broken kernel */
    const char *line = strstr(text, "broken");
    assert_non_null(line);
    assert_has(line, " -  -");
    assert_lacks(line, " ms");
    assert_lacks(line, "%");
    free(text);
    free_rows(rows);
}

static void shares_are_never_zero(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    rows[0].roof_share = 0.0004;
    rows[KERNELS].roof_share = 0.4567;
    char *text = printed(rows, ROWS, false);
    assert_has(text, " <0.1 % MAC");
    assert_has(text, " 45.7 % MAC");
    assert_lacks(text, "GB/s"); /* no row is bound by memory: no such column */
    assert_lacks(text, " 0.0 %");
    free(text);
    free_rows(rows);
}

static void rows_show_the_roof_that_binds(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    rows[0].roof_share = 0.0123;
    rows[0].bandwidth_share = 0.851;
    rows[0].gb_per_s = 21.5;
    rows[0].roof_gb_per_s = 25.3;
    rows[0].bound = ATTN_ROOF_READ;
    rows[KERNELS].roof_share = 0.4567;
    rows[KERNELS].bandwidth_share = 0.0023;
    rows[KERNELS].gb_per_s = 3.75;
    rows[KERNELS].roof_gb_per_s = 25.3;
    rows[2 * KERNELS].gb_per_s = 1.375;
    char *text = printed(rows, ROWS, false);
    assert_has(text, "GFLOP/s   GB/s  ");
    assert_has(text, "  21.50  85.1 % read  ");
    assert_has(text, "  3.750  45.7 % MAC   ");
    assert_lacks(text, "1.375"); /* reading was not measured for it */
    free(text);
    free_rows(rows);
}

static void too_few_samples_no_verdict(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    rows[0].samples = rows[1].samples = 5; /* one point of either curve */
    char *text = printed(rows, ROWS, false);
    const char *fit = strstr(text, "Fit t");
    assert_non_null(fit);
    assert_has(fit, "not enough samples\n");
    assert_lacks(fit, "2.00 [");
    assert_lacks(fit, "grows as");
    free(text);
    free_rows(rows);
}

static void colour_only_when_asked(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    char *text = printed(rows, ROWS, true);
    assert_has(text, "\x1b[31m");
    free(text);
    free_rows(rows);
    FILE *file = tmpfile();
    assert_non_null(file);
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    assert_false(columns_colour(file));
    setenv("CLICOLOR_FORCE", "0", 1);
    assert_false(columns_colour(file));
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_true(columns_colour(file));
    setenv("NO_COLOR", "1", 1);
    assert_false(columns_colour(file));
    fclose(file);
}

static void curves_and_plot(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    char *text = printed(rows, ROWS, false);
    assert_has(text, "grows as its FLOPs: 2.00 against 2.00");
    assert_has(text, "2.00 2.00 2.00 2.00"); /* local exponents */
    assert_has(text, "n_1/2");
    assert_has(text, "1.004 ns");
    assert_has(text, "a  quick on cpu, 1 thread\n");
    assert_has(text, "b  broken on cpu, 2 threads\n");
    assert_lacks(text, "c  absent"); /* no point, no entry */
    /* Five points of the good curve; the broken one has three. */
    const char *plot = strstr(text, "log-log");
    int marks[2] = {0, 0};
    for (const char *line = strchr(plot, '|'); line != NULL; line = strchr(line + 1, '|'))
        for (const char *c = line; *c != '\n'; c++) {
            marks[0] += *c == 'a';
            marks[1] += *c == 'b';
        }
    assert_int_equal(marks[0], 5);
    assert_int_equal(marks[1], 3);
    free(text);

    char *one = printed(rows, 1, false); /* a single n: a row, no curve, no plot */
    assert_has(one, "quick");
    assert_lacks(one, "Fit t");
    assert_lacks(one, "log-log");
    free(one);
    char *two = printed(rows, KERNELS + 1, false);
    assert_has(two, "not enough points");
    free(two);
    char *none = printed(rows, 0, false);
    assert_string_equal(none, "");
    free(none);
    free_rows(rows);
}

/* The same rows as decode: one query, and as many keys as there were queries. */
static void curves_over_keys(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    for (int i = 0; i < SIZES; i++)
        workloads[i].n = 1;
    for (int i = 0; i < ROWS; i++)
        rows[i].flops = attn_flops(rows[i].workload);
    char *text = printed(rows, ROWS, false);
    assert_has(text, "Workload: b=1 h=8 n=1 d=64 dtype=f32 mask=full\n");
    assert_has(text, "m=1024    quick");
    assert_has(text, "Fit t = a + b m + c m^2, and d log t / d log m ");
    assert_has(text, "m_1/2");
    assert_has(text, "steeper than its FLOPs: 2.00 against 1.00 where m > 0\n");
    assert_has(text, "Time of one run against m (log-log)");
    assert_has(text, " m 64 ");
    assert_lacks(text, "against n");
    assert_lacks(text, "b n");
    free(text);
    free_rows(rows);
}

/* Two workloads of one kernel: what tells their curves apart. */
static void curves_have_names(void **state)
{
    (void)state;
    result_row rows[ROWS];
    attn_workload masked[SIZES];
    make_rows(rows);
    for (int i = 0; i < SIZES; i++) {
        masked[i] = workloads[i];
        masked[i].mask = ATTN_MASK_CAUSAL;
        rows[i * KERNELS + 1].kernel = "quick"; /* the other workload of the same kernel */
        rows[i * KERNELS + 1].threads = 1;
        rows[i * KERNELS + 1].workload = &masked[i];
    }
    char *text = printed(rows, ROWS, false);
    const char *fit = strstr(text, "Fit t");
    assert_non_null(fit);
    assert_has(fit, "mask=full    quick");
    assert_has(fit, "mask=causal  quick");
    assert_has(fit, "a  quick on cpu, 1 thread: mask=full\n");
    assert_has(fit, "b  quick on cpu, 1 thread: mask=causal\n");
    assert_lacks(fit, "n=");
    free(text);
    free_rows(rows);
}

static void roofs_show_their_range(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    for (int i = 0; i < ROWS; i += KERNELS) {
        rows[i].roof = true;
        rows[i].kernel = "roof_f";
        rows[i].gflops = 50 + i;
    }
    char *text = printed(rows, ROWS, false);
    assert_has(text, "Roof roof_f on cpu, 1 thread: median 50.00 to 62.00 GFLOP/s\n");
    free(text);
    rows[KERNELS].status = attn_because(&rows[KERNELS].why, ATTN_DEVICE_LOST, "gone");
    text = printed(rows, ROWS, false);
    assert_has(text, "median 50.00 to 62.00 GFLOP/s; device_lost: gone\n");
    free(text);
    rows[KERNELS].status = ATTN_OK;
    for (int i = 0; i < ROWS; i += KERNELS) {
        rows[i].bound = ATTN_ROOF_READ;
        rows[i].gb_per_s = 20 + i;
    }
    text = printed(rows, ROWS, false);
    assert_has(text, "Roof roof_f on cpu, 1 thread: median 20.00 to 32.00 GB/s\n");
    free(text);
    free_rows(rows);
}

/* A line per kind, device and thread count; a reason where there is no rate, once. */
static void bandwidth_has_a_column_per_level(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    for (int i = 0; i < ROWS; i++) {
        rows[i].roof = true;
        rows[i].kernel = "roof_moves";
        rows[i].device = "cpu";
        rows[i].software = false;
        rows[i].threads = 2;
        rows[i].status = ATTN_OK;
        rows[i].why.text[0] = '\0';
        rows[i].level = i < 2 ? 1 : i < 4 ? 3 : ATTN_LEVEL_MEMORY;
        rows[i].bound = i % 2 ? ATTN_ROOF_TRIAD : ATTN_ROOF_READ;
        rows[i].gb_per_s = 10 + i;
    }
    for (int i = 2; i < 4; i++)
        rows[i].status = attn_because(&rows[i].why, ATTN_UNAVAILABLE, "no L3");
    char *text = printed(rows, 6, false);
    assert_lacks(text, "Roof roof_moves");
    assert_has(text, "device  thr  roof      L1  L3  memory  note\n");
    assert_has(text, "cpu       2  read   10.00   -   14.00  L3 unavailable: no L3\n");
    assert_has(text, "cpu       2  triad  11.00   -   15.00\n");
    free(text);
    rows[5].bound = ATTN_ROOF_READ; /* with another workload */
    text = printed(rows, 6, false);
    assert_has(text, "14.00 to 15.00");
    free(text);
    free_rows(rows);
}

/* Rows of a GPU, with a dash where its queue has no timestamps; no CPU's, and no lost one's. */
static void clocks_of_gpus(void **state)
{
    (void)state;
    result_row rows[ROWS];
    make_rows(rows);
    char *text = printed(rows, ROWS, false);
    assert_lacks(text, "Clocks");
    free(text);
    for (int i = 0; i < 2; i++) {
        result_row *row = &rows[i * KERNELS];
        row->device = "vk7";
        row->clock_samples = 10;
        row->device_ns = i == 0 ? 1234567 : NAN;
        row->wall_ns = 1300000 + i;
        row->wall_net_ns = 1250000;
        row->empty_ns = 51234;
        row->compile_ns = 0.25e9;
        row->dispatches = 3;
        snprintf(row->config, sizeof row->config, "16x16, 4 rows");
    }
    text = printed(rows, ROWS, false);
    const char *clocks = strstr(text, "\nClocks");
    assert_non_null(clocks);
    assert_has(clocks, "n=64      quick   vk7     16x16, 4 rows           3     1.235 ms   "
                       "1.300 ms    1.250 ms  51.23 us  250.0 ms\n");
    assert_has(clocks, "n=128     quick   vk7     16x16, 4 rows           3            -   "
                       "1.300 ms    1.250 ms  51.23 us  250.0 ms\n");
    *strstr(clocks, "\nFit") = '\0';
    assert_lacks(clocks, "broken");
    assert_lacks(clocks, "n=256");
    free(text);
    free_rows(rows);
}

static void ratios_to_the_best_library(void **state)
{
    (void)state;
    static const struct {
        double ratio, low, high;
        const char *cell;
    } cells[SIZES] = {{1.6249, 1.58, 1.66, "  1.62x [1.58, 1.66]  "},
                      {0.0345, 0.03333, 0.03643, "  0.035x [0.033, 0.036]  "},
                      {123.4, 120.1, 130.8, "  123x [120, 131]  "},
                      {12.34, NAN, NAN, "  12.3x  "},
                      {1, 1, 1, "  best library  "}};
    result_row rows[ROWS];
    make_rows(rows);
    for (int i = 0; i < SIZES; i++) {
        result_row *row = &rows[i * KERNELS];
        row->library = i == SIZES - 1 ? row->kernel : "openblas";
        row->library_ratio = cells[i].ratio;
        row->library_ratio_low = cells[i].low;
        row->library_ratio_high = cells[i].high;
    }
    char *text = printed(rows, ROWS, false);
    assert_has(text, "  vs library  ");
    for (int i = 0; i < SIZES; i++)
        assert_has(text, cells[i].cell);
    free(text);
    free_rows(rows);
}

static void numbers_for_people(void **state)
{
    (void)state;
    assert_string_equal(format_ns(0).text, "0 ns");
    assert_string_equal(format_ns(0.01234).text, "0.01234 ns");
    assert_string_equal(format_ns(812).text, "812.0 ns");
    assert_string_equal(format_ns(999.96).text, "1.000 us");
    assert_string_equal(format_ns(51.2e9).text, "51.20 s");
    assert_string_equal(format_ns(7200e9).text, "7200 s");
    assert_string_equal(format_ns(NAN).text, "-");
    assert_string_equal(format_ns(INFINITY).text, "-");
    assert_string_equal(format_interval_ns(1500, 1400, 1600).text, "[1.400, 1.600]");
    assert_string_equal(format_interval_ns(1500, NAN, 1600).text, "-");
    assert_string_equal(format_significant(0.00412).text, "0.00412");
    assert_string_equal(format_significant(81.249).text, "81.25");
    assert_string_equal(format_significant(NAN).text, "-");
    assert_string_equal(format_bytes(1023).text, "1023 B");
    assert_string_equal(format_bytes(1536).text, "1.5 KiB");
}

/* Kernels that never ran, for one reason, share a line; one with another reason has its own. */
static void absent_kernels_share_a_line(void **state)
{
    (void)state;
    static const char *const names[] = {"first", "second", "third"};
    attn_workload w = attn_workload_default(64, 64);
    result_row rows[4];
    for (int i = 0; i < 4; i++) {
        result_row_init(&rows[i]);
        rows[i].kernel = i < 3 ? names[i] : "ran";
        rows[i].workload = &w;
        rows[i].device = rows[i].device_name = "cpu";
        rows[i].threads = 1;
        if (i < 3)
            attn_because(&rows[i].why, rows[i].status = ATTN_UNAVAILABLE,
                         i == 1 ? "no moon" : "no sun");
    }
    char *text = printed(rows, 4, false);
    assert_has(text, "\n2 kernels  cpu"); /* of one workload: no column that says "all" */
    assert_has(text, "unavailable: no sun (first, third)\n");
    assert_has(text, "second     cpu");
    assert_has(text, "unavailable: no moon\n");
    assert_has(text, "ran        cpu");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_says_what_is_known),
        cmocka_unit_test(absent_kernels_share_a_line),
        cmocka_unit_test(failed_rows_have_no_rate),
        cmocka_unit_test(colour_only_when_asked),
        cmocka_unit_test(curves_and_plot),
        cmocka_unit_test(shares_are_never_zero),
        cmocka_unit_test(too_few_samples_no_verdict),
        cmocka_unit_test(rows_show_the_roof_that_binds),
        cmocka_unit_test(curves_over_keys),
        cmocka_unit_test(curves_have_names),
        cmocka_unit_test(roofs_show_their_range),
        cmocka_unit_test(bandwidth_has_a_column_per_level),
        cmocka_unit_test(clocks_of_gpus),
        cmocka_unit_test(numbers_for_people),
        cmocka_unit_test(ratios_to_the_best_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
