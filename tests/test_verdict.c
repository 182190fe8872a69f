/* SPDX-License-Identifier: Apache-2.0
 *
 * RESULT VALID or INVALID, and the drift of the references, on rows with known answers.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/verdict.h"

enum { ROWS = 30, SAMPLES = 40 };
static attn_workload workload;
static result_row rows[ROWS];
static size_t count;

static result_row *add_row(attn_status status, size_t samples, double noise)
{
    result_row *row = &rows[count++];
    result_row_init(row);
    row->kernel = "avx2_f";
    row->workload = &workload;
    row->device = "cpu";
    row->device_name = "CPU";
    row->flops = 1000;
    row->status = status;
    for (size_t i = 0; i < samples; i++)
        assert_true(result_row_sample(row, 100 * (1 + noise * ((double)(i * 7 % 11) - 5)), i));
    result_row_finish(row);
    return row;
}

/* `change`: of its rate, from the first sample to the last. */
static void add_reference(double change, double noise)
{
    result_row *row = &rows[count++];
    result_row_init(row);
    row->kernel = "roof_f_avx2";
    row->workload = &workload;
    row->roof = true;
    row->bound = ATTN_ROOF_MAC;
    row->device = "cpu";
    row->device_name = "CPU";
    row->threads = 1;
    row->flops = 1000;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double rate =
            1 + change * ((double)i / (SAMPLES - 1) - 0.5) + noise * ((double)(i * 7 % 11) - 5);
        assert_true(result_row_sample(row, 1000 / rate, 2.0 * (double)i));
    }
    result_row_finish(row);
}

static void clear(void)
{
    for (size_t i = 0; i < count; i++)
        result_row_free(&rows[i]);
    count = 0;
    workload = attn_workload_default(64, 16);
}

static verdict judge(const verdict_context *context)
{
    drift *drifts;
    const size_t found = drift_find(rows, count, &drifts);
    const verdict v = verdict_of(rows, count, drifts, found, context);
    free(drifts);
    return v;
}

static const verdict_context plain;

static void assert_reason(const verdict *v, const char *text)
{
    for (size_t i = 0; i < v->count; i++)
        if (strstr(v->reasons[i].text, text) != NULL)
            return;
    fail_msg("no reason '%s' among %zu, the first '%s'", text, v->count, v->reasons[0].text);
}

static void a_good_run_is_valid(void **state)
{
    (void)state;
    clear();
    add_row(ATTN_OK, 12, 0.001);
    add_row(ATTN_UNSUPPORTED, 0, 0);
    add_row(ATTN_SKIPPED, 0, 0);
    add_reference(0.01, 0.002);
    const verdict v = judge(&plain);
    assert_int_equal(v.count, 0);
    json_t *end = verdict_json(&v, NULL, 0, count, 3);
    assert_string_equal(json_string_value(json_object_get(end, "result")), "VALID");
    assert_int_equal(json_array_size(json_object_get(end, "reasons")), 0);
    json_decref(end);
}

static void every_reason(void **state)
{
    (void)state;
    static const machine_facts bad = {.list = {{"load", FACT_WARNING, "a load of 7", ""},
                                               {"build", FACT_FATAL, "not optimised", ""}},
                                      .count = 2};
    clear();
    verdict v = judge(&plain);
    assert_reason(&v, "nothing was timed");
    add_row(ATTN_OK, 12, 0.001);
    v = judge(&(verdict_context){.facts = &bad, .stopped = "disk full"});
    assert_int_equal(v.count, 2);
    assert_reason(&v, "build: not optimised");
    assert_reason(&v, "disk full");
    v = judge(&(verdict_context){.lost = true});
    assert_int_equal(v.count, 1);
    assert_reason(&v, "took turns");
    add_row(ATTN_FAILED, 0, 0);
    v = judge(&plain);
    assert_int_equal(v.count, 1);
    assert_reason(&v, "1 row went wrong");
    add_row(ATTN_OK, 9, 0.001);
    v = judge(&plain);
    assert_int_equal(v.count, 2);
    assert_reason(&v, "1 of 2 rows with fewer than 10 samples");
    json_t *end = verdict_json(&v, NULL, 0, count, 3);
    assert_string_equal(json_string_value(json_object_get(end, "result")), "INVALID");
    assert_int_equal(json_array_size(json_object_get(end, "reasons")), 2);
    json_decref(end);
}

/* One in ten may be unsteady, not two. */
static void unsteady_rows(void **state)
{
    (void)state;
    clear();
    for (int i = 0; i < 9; i++)
        assert_false(verdict_unsteady(add_row(ATTN_OK, 20, 0.001)));
    assert_true(verdict_unsteady(add_row(ATTN_OK, 20, 0.1)));
    verdict v = judge(&plain);
    assert_int_equal(v.count, 0);
    add_row(ATTN_OK, 20, 0.1);
    v = judge(&plain);
    assert_reason(&v, "2 of 11 rows are unsteady");
}

static void software_devices_only(void **state)
{
    (void)state;
    clear();
    add_row(ATTN_OK, 12, 0.001)->software = true;
    verdict v = judge(&plain);
    assert_reason(&v, "only software devices");
    v = judge(&(verdict_context){.asked_for_software = true});
    assert_int_equal(v.count, 0);
    add_row(ATTN_OK, 12, 0.001); /* on the CPU */
    v = judge(&plain);
    assert_int_equal(v.count, 0);
}

static void drift_of_a_reference(void **state)
{
    (void)state;
    static const struct {
        double change, noise;
        bool throttled;
    } cases[] = {{0, 0.001, false},     {-0.1, 0.001, true}, {0.1, 0.001, false},
                 {-0.02, 0.001, false}, {-0.1, 0.01, true},  {-0.06, 0.1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drift *drifts;
        clear();
        add_row(ATTN_OK, 12, 0.001);
        add_reference(cases[i].change, cases[i].noise);
        assert_int_equal(drift_find(rows, count, &drifts), 1);
        assert_ptr_equal(drifts[0].reference, &rows[1]);
        assert_int_equal(drifts[0].samples, SAMPLES);
        assert_true(drifts[0].span_s == 2 * (SAMPLES - 1));
        assert_true(fabs(drifts[0].change - cases[i].change) < 0.005 + 2 * cases[i].noise);
        assert_true(drifts[0].change_low <= drifts[0].change &&
                    drifts[0].change <= drifts[0].change_high);
        assert_int_equal(drift_throttled(&drifts[0]), cases[i].throttled);
        free(drifts);
        const verdict v = judge(&plain);
        assert_int_equal(v.count, cases[i].throttled);
        if (cases[i].throttled)
            assert_reason(&v, "slower within the run");
    }
    clear();
}

/* One that was sampled for a moment only is none. */
static void short_references_are_none(void **state)
{
    (void)state;
    drift *drifts;
    clear();
    add_reference(0, 0.001);
    add_reference(-0.5, 0.001);
    rows[1].kernel = "roof_m_scalar";
    for (size_t i = 0; i < SAMPLES; i++)
        rows[1].sample_at_s[i] /= 100;
    assert_int_equal(drift_find(rows, count, &drifts), 1);
    assert_ptr_equal(drifts[0].reference, &rows[0]);
    free(drifts);
    clear();
}

/* Of two workloads, one reference: its samples belong together. */
static void one_reference_in_two_groups(void **state)
{
    (void)state;
    drift *drifts;
    clear();
    add_reference(0, 0.001);
    add_reference(0, 0.001);
    rows[1].flops *= 3; /* another window */
    for (size_t i = 0; i < SAMPLES; i++)
        rows[1].samples_ns[i] *= 3, rows[1].sample_at_s[i] += 100;
    assert_int_equal(drift_find(rows, count, &drifts), 1);
    assert_int_equal(drifts[0].samples, 2 * SAMPLES);
    assert_true(fabs(drifts[0].change) < 0.01 && drifts[0].spread < 0.02);
    free(drifts);
    clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_run_is_valid),
        cmocka_unit_test(every_reason),
        cmocka_unit_test(unsteady_rows),
        cmocka_unit_test(software_devices_only),
        cmocka_unit_test(drift_of_a_reference),
        cmocka_unit_test(one_reference_in_two_groups),
        cmocka_unit_test(short_references_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
