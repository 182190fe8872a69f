/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cpu/library/library.h"
#include "cpu/library/vectors.h"
#include "cpu/walk.h"

enum { CACHE_LINE = 16 }; /* floats */

/* Where one tile, or one row of it, works. */
typedef struct block_rows {
    const cpu_tile *t;
    const attn_span *spans; /* [rows] */
    const float *q;
    float *out; /* [rows][dv] */
    uint32_t rows;
    float *scores, *m, *l;
    size_t stride; /* floats between rows of scores */
    const library_vectors *vectors;
} block_rows;

/* Room for whole groups of the softmax, and rows that do not all start in one cache set. */
static size_t score_stride(const attn_workload *w)
{
    const size_t keys = w->m < LIBRARY_KEYS ? w->m : LIBRARY_KEYS;
    return (keys + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE + LIBRARY_GROUP + CACHE_LINE;
}

size_t library_scratch(const attn_workload *w)
{
    return LIBRARY_QUERIES * (score_stride(w) + 2) * sizeof(float);
}

/* Scores of the keys from..to-1 become weights, 0 where the row does not see the key. */
static void weigh(const block_rows *b, uint32_t from, uint32_t to)
{
    const uint32_t dv = b->t->w->dv, keys = to - from;
    for (uint32_t i = 0; i < b->rows; i++) {
        float *scores = b->scores + i * b->stride, *out = b->out + (size_t)i * dv;
        uint32_t lo = b->spans[i].lo > from ? b->spans[i].lo - from : 0;
        uint32_t hi = b->spans[i].hi > from ? b->spans[i].hi - from : 0;
        hi = hi < keys ? hi : keys;
        if (lo >= hi) {
            memset(scores, 0, keys * sizeof *scores);
            continue;
        }
        const float shrink =
            b->vectors->softmax(scores + lo, hi - lo, b->t->s2, &b->m[i], &b->l[i]);
        memset(scores, 0, lo * sizeof *scores);
        memset(scores + hi, 0, (keys - hi) * sizeof *scores);
        for (uint32_t c = 0; shrink != 1.0f && c < dv; c++)
            out[c] *= shrink;
    }
}

static void finish(const block_rows *b)
{
    const uint32_t dv = b->t->w->dv;
    for (uint32_t i = 0; i < b->rows; i++) {
        float *out = b->out + (size_t)i * dv;
        const float r = 1.0f / b->l[i];
        for (uint32_t c = 0; c < dv; c++)
            out[c] = b->l[i] == 0.0f ? 0.0f : out[c] * r;
    }
}

static void attend(const block_rows *b, library_multiply *multiply)
{
    const cpu_tile *t = b->t;
    const uint32_t d = t->w->d, dv = t->w->dv;
    const walk_range seen = walk_range_of(b->spans, b->rows);
    memset(b->out, 0, (size_t)b->rows * dv * sizeof(float));
    for (uint32_t i = 0; i < b->rows; i++) {
        b->m[i] = -INFINITY;
        b->l[i] = 0.0f;
    }
    for (uint32_t from = seen.first, to; from < seen.last; from = to) {
        to = from / CACHE_LINE * CACHE_LINE + LIBRARY_KEYS; /* aligned, as the bound asks */
        to = to < seen.last ? to : seen.last;
        multiply(&(library_product){.rows = b->rows,
                                    .columns = to - from,
                                    .depth = d,
                                    .a = b->q,
                                    .lda = t->q_stride,
                                    .b = (const float *)t->k + from * t->k_stride,
                                    .ldb = t->k_stride,
                                    .transposed = true,
                                    .c = b->scores,
                                    .ldc = b->stride});
        weigh(b, from, to);
        multiply(&(library_product){.rows = b->rows,
                                    .columns = dv,
                                    .depth = to - from,
                                    .a = b->scores,
                                    .lda = b->stride,
                                    .b = (const float *)t->v + from * t->v_stride,
                                    .ldb = t->v_stride,
                                    .c = b->out,
                                    .ldc = dv,
                                    .beta = from == seen.first ? 0.0f : 1.0f});
    }
    finish(b);
}

/* x - x is +0 for finite x, NaN otherwise. */
static bool all_finite(const float *x, size_t count)
{
    float sum = 0.0f;
    for (size_t i = 0; i < count; i++)
        sum += x[i] - x[i];
    return sum == 0.0f;
}

static bool spans_differ(const attn_span *spans, uint32_t rows)
{
    for (uint32_t i = 1; i < rows; i++)
        if (spans[i].lo != spans[0].lo || spans[i].hi != spans[0].hi)
            return true;
    return false;
}

void library_tile(const cpu_tile *t, library_multiply *multiply)
{
    const attn_workload *w = t->w;
    block_rows b = {.t = t,
                    .spans = t->spans,
                    .q = t->q,
                    .out = t->out,
                    .rows = t->rows,
                    .scores = t->scratch,
                    .stride = score_stride(w),
                    .vectors = library_usable_vectors()};
    b.m = b.scores + LIBRARY_QUERIES * b.stride;
    b.l = b.m + LIBRARY_QUERIES;
#ifdef _OPENMP
    /* The frame's threads are all there are: no second team inside a tile. This sets the calling
     * task's own value, which ends with the frame's region. */
    omp_set_num_threads(1);
#endif
    attend(&b, multiply);
    /* A product multiplies hidden values by 0, which is NaN for NaN and inf. Then each row is done
     * by itself, over its own keys alone. */
    if (all_finite(t->out, (size_t)t->rows * w->dv) || !spans_differ(t->spans, t->rows))
        return;
    b.rows = 1;
    for (uint32_t i = 0; i < t->rows; i++) {
        b.spans = t->spans + i;
        b.q = (const float *)t->q + i * t->q_stride;
        b.out = t->out + (size_t)i * w->dv;
        attend(&b, multiply);
    }
}
