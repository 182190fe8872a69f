/* SPDX-License-Identifier: Apache-2.0
 *
 * The comparator of the bounded tier: cases 3 and 4 of the small cases.
 */
#include "unit.h"

#include <math.h>

#include "attn/oracle.h"

static void comparisons_that_fail(void **state)
{
    (void)state;
    const float nan_one[] = {NAN, 1}, ones[] = {1, 1}, two[] = {0, 2}, inf[] = {INFINITY, 1};
    const double d_nan[] = {NAN, 1}, d_ones[] = {1, 1}, d_one[] = {0, 1}, d_inf[] = {-INFINITY, 1};
    const double loose[] = {1e9, 1e9}, tight[] = {0.5, 0.5}, none[] = {NAN, NAN};

    assert_false(attn_compare(nan_one, d_ones, loose, 2).pass);
    assert_false(attn_compare(ones, d_nan, loose, 2).pass);
    assert_int_equal(attn_compare(ones, d_nan, loose, 2).first_bad, 0);
    assert_false(attn_compare(inf, d_ones, loose, 2).pass);
    assert_false(attn_compare(inf, d_inf, loose, 2).pass);
    assert_false(attn_compare(two, d_one, none, 2).pass);
    const attn_comparison c = attn_compare(two, d_one, tight, 2);
    assert_false(c.pass);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.first_bad, 1);
    assert_true(c.max_abs_error == 1.0 && c.max_rel_error == 1.0 && c.max_bound_share == 2.0);
    assert_false(attn_compare(ones, d_ones, loose, 0).pass);
    assert_int_equal(attn_compare(ones, d_ones, loose, 0).count, 0);
}

static void comparisons_that_pass(void **state)
{
    (void)state;
    const float got[] = {NAN, INFINITY, -0.0f, 1.5f};
    const double want[] = {NAN, INFINITY, 0.0, 1.0}, bound[] = {0, 0, 0, 0.5};
    const attn_comparison c = attn_compare(got, want, bound, 4);

    assert_true(c.pass);
    assert_int_equal(c.first_bad, 4);
    assert_true(c.max_abs_error == 0.5 && c.max_rel_error == 0.5 && c.max_bound_share == 1.0);
}

static void one_wrong_element_is_found(void **state)
{
    (void)state;
    enum { COUNT = 100000, WRONG = 77777 };
    static float got[COUNT];
    static double want[COUNT], bound[COUNT];

    for (int i = 0; i < COUNT; i++) {
        got[i] = (float)(want[i] = i);
        bound[i] = 1e-3;
    }
    assert_true(attn_compare(got, want, bound, COUNT).pass);
    got[WRONG] = nextafterf(got[WRONG], INFINITY);
    const attn_comparison c = attn_compare(got, want, bound, COUNT);
    assert_false(c.pass);
    assert_int_equal(c.first_bad, WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_that_fail),
        cmocka_unit_test(comparisons_that_pass),
        cmocka_unit_test(one_wrong_element_is_found),
    };

    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
