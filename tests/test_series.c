/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows make a curve, and what a curve is called.
 */
#include "unit.h"

#include <stdbool.h>

#include "harness/caption.h"
#include "harness/series.h"

enum { MOST_LENGTHS = 16 };

/* Rows without a measurement, one kernel. lengths: pairs of n and m, ended by 0. */
static size_t rows_of_lengths(const uint32_t *lengths, attn_workload *w, result_row *rows)
{
    size_t count = 0;
    for (; lengths[2 * count] != 0; count++) {
        w[count] = attn_workload_default(lengths[2 * count], 8);
        w[count].m = lengths[2 * count + 1];
        result_row_init(&rows[count]);
        rows[count].kernel = "one";
        rows[count].device = "cpu";
        rows[count].workload = &w[count];
    }
    return count;
}

/* Points of the curve along the axis whose other length, if that does not follow, is `fixed`; 0: no
 * such curve. */
static size_t points_along(const series *list, size_t count, series_axis axis, uint32_t fixed)
{
    for (size_t i = 0; i < count; i++) {
        const attn_workload *w = list[i].first->workload;
        const uint32_t other = axis == SERIES_N ? w->m : w->n;
        if (list[i].axis == axis && (axis == SERIES_N_AND_M || other == fixed))
            return list[i].count;
    }
    return 0;
}

/* Decode beside prefill: a curve each, and neither takes points of the other. */
static void curves_over_both(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {64, 64, 128, 128, 1, 512, 1, 1024, 1, 4096, 256, 256, 0};
    attn_workload w[MOST_LENGTHS];
    result_row rows[MOST_LENGTHS];
    series *list;
    const size_t count = rows_of_lengths(lengths, w, rows);
    assert_int_equal(series_build(rows, count, 1, &list), 2);
    assert_int_equal(list[0].axis, SERIES_N_AND_M);
    assert_int_equal(list[0].count, 3);
    assert_true(list[0].points[2].n == 256);
    assert_int_equal(list[1].axis, SERIES_M);
    assert_int_equal(list[1].count, 3);
    assert_true(list[1].points[0].n == 512 && list[1].points[2].n == 4096);
    assert_int_equal(series_length(&list[0]), 'n');
    assert_int_equal(series_length(&list[1]), 'm');
    series_free(list, 2);
    assert_int_equal(series_build(rows, 1, 1, &list), 0);
    series_free(list, 0);
}

/* Rows where curves cross belong to each, in whatever order they come; two rows that happen to
 * share a length are no curve beside longer ones, and one where there is none. */
static void curves_that_cross(void **state)
{
    (void)state;
    static const uint32_t crossing[] = {1,    512, 2,    512,  3,    512,  512,  512, 1,
                                        1024, 1,   2048, 1024, 1024, 2048, 2048, 0};
    attn_workload w[MOST_LENGTHS];
    result_row rows[MOST_LENGTHS];
    series *list;
    const size_t count = rows_of_lengths(crossing, w, rows);
    for (int turned = 0; turned < 2; turned++) {
        assert_int_equal(series_build(rows, count, 1, &list), 3);
        assert_int_equal(points_along(list, 3, SERIES_N, 512), 4);
        assert_int_equal(points_along(list, 3, SERIES_M, 1), 3);
        assert_int_equal(points_along(list, 3, SERIES_N_AND_M, 0), 3);
        series_free(list, 3);
        for (size_t i = 0; i < count / 2; i++) {
            const result_row row = rows[i];
            rows[i] = rows[count - 1 - i];
            rows[count - 1 - i] = row;
        }
    }
    static const uint32_t pairs[] = {1, 64, 1, 128, 7, 7, 0};
    assert_int_equal(series_build(rows, rows_of_lengths(pairs, w, rows), 1, &list), 1);
    assert_int_equal(points_along(list, 1, SERIES_M, 1), 2);
    series_free(list, 1);
}

/* Beside curves with m = n, one at a fixed m. */
static void curves_are_named_by_what_is_fixed(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {64, 64, 128, 128, 256, 256, 64, 512, 128, 512, 256, 512, 0};
    attn_workload w[MOST_LENGTHS];
    result_row rows[MOST_LENGTHS];
    series *list;
    char text[ATTN_WORKLOAD_TEXT];
    const size_t count = rows_of_lengths(lengths, w, rows);
    assert_int_equal(series_build(rows, count, 1, &list), 2);
    const caption names = caption_of_curves(list, 2, 'n');
    assert_string_equal(caption_curve(&names, &list[0], text), "m=n");
    assert_string_equal(caption_curve(&names, &list[1], text), "m=512");
    series_free(list, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_over_both),
        cmocka_unit_test(curves_that_cross),
        cmocka_unit_test(curves_are_named_by_what_is_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
