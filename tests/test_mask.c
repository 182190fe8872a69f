/* SPDX-License-Identifier: Apache-2.0
 *
 * Intervals, pair counts and covers against the definition of each mask, key by key.
 */
#include "unit.h"

#include <stdlib.h>

#include "attn/mask.h"

/* The masks as docs and workload.h define them, one pair at a time. */
static bool visible(const attn_workload *w, uint32_t s, int64_t i, int64_t j)
{
    const int64_t p = i + w->m - w->n, size = w->mask_size;

    switch (w->mask) {
    case ATTN_MASK_FULL:
        return true;
    case ATTN_MASK_CAUSAL:
        return j <= p;
    case ATTN_MASK_CAUSAL_TL:
        return j <= i;
    case ATTN_MASK_WINDOW:
        return j <= p && j > p - size;
    case ATTN_MASK_CHUNK:
        return p >= 0 && j <= p && j / size == p / size;
    case ATTN_MASK_LEN:
        return j < w->len[w->lens == 1 ? 0 : s];
    }
    return false;
}

static void check_rows(const attn_workload *w)
{
    const size_t stride = attn_mask_stride(w), rows = attn_mask_rows(w);
    attn_span *table = malloc(rows * sizeof *table);
    uint64_t pairs = 0;

    assert_int_equal(attn_workload_check(w, NULL), ATTN_OK);
    assert_non_null(table);
    assert_true(stride == 0 ? rows == w->n : stride == w->n && rows == (size_t)w->b * w->n);
    attn_mask_table(w, table);
    for (uint32_t s = 0; s < w->b; s++)
        for (uint32_t i = 0; i < w->n; i++) {
            const attn_span span = attn_mask_row(w, s, i);
            assert_memory_equal(&table[s * stride + i], &span, sizeof span);
            assert_true(span.hi <= w->m);
            assert_true(span.lo < span.hi || (span.lo == 0 && span.hi == 0));
            for (uint32_t j = 0; j < w->m; j++) {
                const bool seen = visible(w, s, i, j);
                assert_int_equal(j >= span.lo && j < span.hi, seen);
                pairs += seen;
            }
        }
    assert_int_equal(attn_pairs(w), pairs * w->h);
    free(table);
}

static void every_mask_against_its_definition(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 13, 64, 65};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    attn_workload w = attn_workload_default(1, 1);

    w.h = w.hk = 3;
    for (int kind = ATTN_MASK_FULL; kind <= ATTN_MASK_CHUNK; kind++)
        for (size_t a = 0; a < SIZES; a++)
            for (size_t b = 0; b < SIZES; b++)
                for (size_t c = 0; c < SIZES; c++) {
                    w.mask = (attn_mask_kind)kind;
                    w.n = sizes[a];
                    w.m = sizes[b];
                    w.mask_size = sizes[c];
                    check_rows(&w);
                }
}

static void lengths_per_sequence(void **state)
{
    (void)state;
    attn_workload w = attn_workload_default(5, 1);

    w.mask = ATTN_MASK_LEN;
    w.b = 3;
    w.m = 9;
    w.lens = 1;
    w.len[0] = 4;
    check_rows(&w);
    assert_int_equal(attn_mask_rows(&w), 5);
    w.lens = 3;
    w.len[1] = w.len[2] = 4;
    check_rows(&w);
    assert_int_equal(attn_mask_rows(&w), 5);
    w.len[1] = 0;
    w.len[2] = 9;
    check_rows(&w);
    assert_int_equal(attn_mask_rows(&w), 15);
    assert_int_equal(attn_mask_stride(&w), 5);
}

/* The closed forms of docs, at sizes whose pairs exceed 31 and 32 bits. */
static void pairs_of_long_sequences(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {46341, 65536, 100003};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint64_t n = sizes[i], c = 1000;
        attn_workload w = attn_workload_default((uint32_t)n, 1);
        w.h = w.hk = 1;
        w.mask_size = (uint32_t)c;
        assert_int_equal(attn_pairs(&w), n * n);
        w.mask = ATTN_MASK_CAUSAL;
        assert_int_equal(attn_pairs(&w), n * (n + 1) / 2);
        w.mask = ATTN_MASK_CAUSAL_TL;
        assert_int_equal(attn_pairs(&w), n * (n + 1) / 2);
        w.mask = ATTN_MASK_WINDOW;
        assert_int_equal(attn_pairs(&w), n * c - c * (c - 1) / 2);
        w.mask = ATTN_MASK_CHUNK;
        const uint64_t r = n % c;
        assert_int_equal(attn_pairs(&w), n / c * (c * (c + 1) / 2) + r * (r + 1) / 2);
    }
}

static attn_cover cover_by_keys(const attn_span *rows, uint32_t count, uint32_t j0, uint32_t j1)
{
    uint64_t seen = 0;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = j0; j < j1; j++)
            seen += j >= rows[i].lo && j < rows[i].hi;
    if (seen == 0)
        return ATTN_HIDDEN;
    return seen == (uint64_t)count * (j1 - j0) ? ATTN_VISIBLE : ATTN_MIXED;
}

static void cover_of_any_intervals(void **state)
{
    (void)state;
    uint64_t random = 1;
    unsigned found[3] = {0};

    for (int round = 0; round < 200000; round++) {
        attn_span rows[4];
        const uint32_t count = next_random(&random) % 5;
        const uint32_t j0 = next_random(&random) % 8, j1 = j0 + next_random(&random) % 4;
        for (uint32_t i = 0; i < count; i++) {
            rows[i].lo = next_random(&random) % 10;
            rows[i].hi = rows[i].lo + next_random(&random) % 8; /* empty ones anywhere */
        }
        const attn_cover cover = attn_mask_cover(rows, count, j0, j1);
        assert_int_equal(cover, cover_by_keys(rows, count, j0, j1));
        found[cover]++;
    }
    assert_true(found[ATTN_HIDDEN] && found[ATTN_VISIBLE] && found[ATTN_MIXED]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mask_against_its_definition),
        cmocka_unit_test(lengths_per_sequence),
        cmocka_unit_test(pairs_of_long_sequences),
        cmocka_unit_test(cover_of_any_intervals),
    };

    return cmocka_run_group_tests_name("mask", tests, NULL, NULL);
}
