/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

#include "harness/report/best.h"

static attn_workload workloads[2];

static result_row row_of(size_t workload, const char *kernel, const char *device, attn_tier tier,
                         double ns)
{
    result_row row;
    result_row_init(&row);
    row.kernel = kernel;
    row.workload = &workloads[workload];
    row.device = device;
    row.tier = tier;
    row.median_ns = ns;
    snprintf(row.verified, sizeof row.verified, "golden");
    return row;
}

static void test_best(void **state)
{
    enum { WRONG = 3, UNCHECKED, ROOF, ROWS = 10 };
    static const char *const wanted[] = {"fast", "free", "gpu", "other"};
    const attn_tier exact = ATTN_TIER_EXACT;
    result_row rows[ROWS];
    const run_file run = {.rows = rows, .count = ROWS};
    const result_row **best;
    (void)state;
    workloads[0] = parse_workload("h=1,n=64,d=16");
    workloads[1] = parse_workload("h=1,n=128,d=16");
    rows[0] = row_of(0, "slow", "cpu", exact, 30);
    rows[1] = row_of(0, "free", "cpu", ATTN_TIER_BOUNDED, 15);
    rows[2] = row_of(0, "fast", "cpu", exact, 20);
    rows[WRONG] = row_of(0, "wrong", "cpu", exact, 1);
    rows[WRONG].status = ATTN_FAILED;
    rows[UNCHECKED] = row_of(0, "unchecked", "cpu", exact, 2);
    rows[UNCHECKED].verified[0] = '\0';
    rows[ROOF] = row_of(0, "roof", "cpu", exact, 3);
    rows[ROOF].roof = true;
    rows[6] = row_of(0, "gpu", "vk0", exact, 90);
    rows[7] = row_of(1, "other", "cpu", exact, 50);
    rows[8] = row_of(1, "later", "cpu", exact, 50);
    rows[9] = row_of(1, "untimed", "vk0", exact, NAN);
    assert_false(report_counts(&rows[WRONG]));
    assert_false(report_counts(&rows[UNCHECKED]));
    assert_false(report_counts(&rows[ROOF]));
    assert_false(report_counts(&rows[9]));
    assert_true(report_counts(&rows[0]));
    assert_int_equal(report_best(&run, &best), sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(best[i]->kernel, wanted[i]);
    free(best);
}

static void test_nothing(void **state)
{
    const run_file run = {.count = 0};
    const result_row **best;
    (void)state;
    assert_int_equal(report_best(&run, &best), 0);
    assert_non_null(best);
    free(best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_best), cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
