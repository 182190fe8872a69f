/* SPDX-License-Identifier: Apache-2.0
 *
 * The phases of a kernel with one key per lane (cpu/keys_tile.h). rows, vectors and rules are
 * compile-time constants wherever these are inlined.
 */
#ifndef CPU_KEYS_PHASES_H
#define CPU_KEYS_PHASES_H

#include <math.h>
#include <string.h>

#include "cpu/lanes_load.h"
#include "cpu/lanes_math.h"
#include "cpu/tile.h"

#define KEYS_ROWS    6  /* query rows of a register tile */
#define KEYS_STACK   32 /* register tiles of one call, which share each block of keys */
#define KEYS_GROUP   32 /* keys that are transposed together */
#define KEYS_VECTORS (KEYS_GROUP / VF_LANES)
#define KEYS_WIDEST  16 /* vectors of columns of a tile of one row */
/* Keys whose scores are made before their values are used: long runs through K and through V in
 * turn suit memory. Calls of many rows take one block at a time, to stay in the cache. */
#define KEYS_RUN  2048
#define KEYS_NEAR 4 /* rows of V asked for ahead of use */

typedef struct keys_ops keys_ops;

typedef struct keys_state {
    const cpu_tile *t;
    const keys_ops *ops;
    const float *q; /* [rows][q_stride] */
    size_t q_stride;
    float *k;         /* [d][KEYS_GROUP] */
    float *p;         /* [blocks of the run][rows][64] scores, then weights */
    float *m, *l, *a; /* [rows] row maximum, sum of weights, rescale factor of the block */
    float *o;         /* [rows][dv] */
    float *all_m, *all_l, *all_o; /* running state over splits */
} keys_state;

/* Both ask for elements that may lie past the tensor: nothing is read. Memory gives its full rate
 * to lines in ascending order only. A phase that takes them so asks for a few rows ahead, into L1;
 * one that takes them in another order asks for a share, in order, of what will be needed next,
 * into L2: where rows lie apart, of these rows and not of what lies between. */
VF_INLINE void keys_near(const void *tensor, size_t at, size_t count, attn_dtype dtype)
{
    const size_t size = dtype == ATTN_F32 ? 4 : 2;
    const uintptr_t p = (uintptr_t)tensor + at * size;
    for (size_t i = 0; i < count * size; i += 64)
        __builtin_prefetch((const void *)(p + i), 0, 3);
}

/* What to ask for next. */
typedef struct keys_cursor {
    const void *tensor;
    size_t at, gap; /* elements; gap: from the end of a row to the next row */
    uint32_t column, width;
} keys_cursor;

/* At element `ahead` of the rows from `row` on, counted through rows of `width`. */
VF_INLINE keys_cursor keys_cursor_at(const void *tensor, size_t row, uint32_t ahead, uint32_t width,
                                     size_t stride)
{
    const uint32_t column = ahead % width;
    return (keys_cursor){tensor, (row + ahead / width) * stride + column, stride - width, column,
                         width};
}

VF_INLINE void keys_ahead(keys_cursor *next, uint32_t count, attn_dtype dtype)
{
    const size_t size = dtype == ATTN_F32 ? 4 : 2;
    const uintptr_t p = (uintptr_t)next->tensor + next->at * size;
    for (size_t i = 0; i < count * size; i += 64)
        __builtin_prefetch((const void *)(p + i), 0, 2);
    next->at += count;
    next->column += count;
    if (next->column >= next->width) {
        next->column -= next->width;
        next->at += next->gap;
    }
}

/* `columns` columns of a vector of keys whose rows begin at row[], transposed to k. */
VF_INLINE void keys_pack_columns(float *k, const void *tensor, const size_t row[VF_LANES],
                                 uint32_t c, uint32_t columns, attn_dtype dtype)
{
    vf x[VF_LANES];
    VF_UNROLL
    for (int i = 0; i < VF_LANES; i++)
        x[i] = vf_load_elements(tensor, row[i] + c, dtype, columns);
    vf_transpose(x);
    VF_UNROLL
    for (uint32_t i = 0; i < VF_LANES; i++)
        if (i < columns)
            vf_store(k + (size_t)(c + i) * KEYS_GROUP, x[i]);
}

/* The group of keys j.., transposed; keys from `to` on are filled with the last one. Asks for the
 * first half of the next group. */
VF_INLINE void keys_pack(keys_state *s, uint32_t j, uint32_t to, attn_dtype dtype)
{
    const cpu_tile *t = s->t;
    const uint32_t d = t->w->d;
    for (uint32_t g = 0; g < KEYS_GROUP && j + g < to; g += VF_LANES) {
        size_t row[VF_LANES];
        for (uint32_t i = 0; i < VF_LANES; i++)
            row[i] = (j + g + i < to ? j + g + i : to - 1) * t->k_stride;
        keys_cursor next = keys_cursor_at(t->k, j + KEYS_GROUP, g * d / 2, d, t->k_stride);
        uint32_t c = 0;
        for (; c + VF_LANES <= d; c += VF_LANES) {
            keys_ahead(&next, VF_LANES * VF_LANES / 2, dtype);
            keys_pack_columns(s->k + g, t->k, row, c, VF_LANES, dtype);
        }
        if (c < d)
            keys_pack_columns(s->k + g, t->k, row, c, d - c, dtype);
    }
}

typedef vf keys_sums[KEYS_ROWS][KEYS_WIDEST];

VF_INLINE void keys_clear(keys_sums acc, int rows, int vectors)
{
    VF_UNROLL
    for (int r = 0; r < rows; r++) {
        VF_UNROLL
        for (int i = 0; i < vectors; i++)
            acc[r][i] = vf_all(0.0f);
    }
}

/* Scores of `vectors` vectors of the group of keys j.. against `rows` rows, from key `first` on.
 * The first rows ask for the second half of the next group. */
VF_INLINE void keys_scores_step(const keys_state *s, uint32_t row, uint32_t j, uint32_t first,
                                float *p, int rows, int vectors, attn_dtype dtype,
                                lanes_rules rules)
{
    const cpu_tile *t = s->t;
    const uint32_t d = t->w->d, width = (uint32_t)vectors * VF_LANES;
    keys_cursor next =
        keys_cursor_at(t->k, j + KEYS_GROUP, (KEYS_GROUP + first) * d / 2, d, t->k_stride);
    const float *q = s->q + row * s->q_stride, *k = s->k + first;
    keys_sums acc;
    keys_clear(acc, rows, vectors);
    for (uint32_t c = 0; c < d; c++, k += KEYS_GROUP) {
        if (row == 0)
            keys_ahead(&next, width / 2, dtype);
        vf x[KEYS_VECTORS];
        VF_UNROLL
        for (int i = 0; i < vectors; i++)
            x[i] = vf_load(k + i * VF_LANES);
        VF_UNROLL
        for (int r = 0; r < rows; r++) {
            const vf y = vf_all(q[r * s->q_stride + c]);
            VF_UNROLL
            for (int i = 0; i < vectors; i++)
                acc[r][i] = rules.product(x[i], y, acc[r][i]);
        }
    }
    const vf s2 = vf_all(t->s2);
    VF_UNROLL
    for (int r = 0; r < rows; r++) {
        VF_UNROLL
        for (int i = 0; i < vectors; i++)
            vf_store(p + r * ATTN_BK + first + i * VF_LANES, vf_mul(acc[r][i], s2));
    }
}

/* A tile of few rows takes the whole group of keys at once, to have enough sums in flight. */
VF_INLINE void keys_scores(const keys_state *s, uint32_t row, uint32_t j, float *p, int rows,
                           attn_dtype dtype, lanes_rules rules)
{
    const int vectors = rows > KEYS_ROWS / 2 ? KEYS_VECTORS / 2 : KEYS_VECTORS;
    for (int i = 0; i < KEYS_VECTORS; i += vectors)
        keys_scores_step(s, row, j, (uint32_t)i * VF_LANES, p, rows, vectors, dtype, rules);
}

/* o = MAC(o, a, u), u = sum over the keys from..to-1 of p_j v_j, for `vectors` vectors of columns,
 * or for one with its first `columns`. */
VF_INLINE void keys_values_step(const keys_state *s, const float *p, uint32_t row, uint32_t from,
                                uint32_t to, uint32_t c, int rows, int vectors, uint32_t columns,
                                attn_dtype dtype, lanes_rules rules)
{
    const cpu_tile *t = s->t;
    p += from % ATTN_BK;
    const uint32_t width = (uint32_t)vectors * VF_LANES;
    keys_cursor next = keys_cursor_at(t->v, from + ATTN_BK, c * ATTN_BK, t->w->dv, t->v_stride);
    keys_sums acc;
    keys_clear(acc, rows, vectors);
    for (uint32_t j = from; j < to; j++, p++) {
        if (width >= t->w->dv)
            keys_near(t->v, (j + KEYS_NEAR) * t->v_stride, width, dtype);
        else if (row == 0)
            keys_ahead(&next, width, dtype);
        vf y[KEYS_ROWS];
        VF_UNROLL
        for (int r = 0; r < rows; r++)
            y[r] = vf_all(p[r * ATTN_BK]);
        VF_UNROLL
        for (int i = 0; i < vectors; i++) {
            const vf x = vf_load_elements(t->v, j * t->v_stride + c + i * VF_LANES, dtype, columns);
            VF_UNROLL
            for (int r = 0; r < rows; r++)
                acc[r][i] = rules.product(x, y[r], acc[r][i]);
        }
    }
    for (int r = 0; r < rows; r++) {
        float *o = s->o + (size_t)(row + r) * t->w->dv + c;
        const vf a = vf_all(s->a[row + r]);
        VF_UNROLL
        for (int i = 0; i < vectors; i++, o += VF_LANES)
            vf_store_first(o, rules.mac(vf_load_first(o, columns), a, acc[r][i]), columns);
    }
}

VF_INLINE void keys_values(const keys_state *s, const float *p, uint32_t row, uint32_t from,
                           uint32_t to, int rows, attn_dtype dtype, lanes_rules rules)
{
    const uint32_t dv = s->t->w->dv;
    const int vectors = rows == 1               ? KEYS_WIDEST
                        : rows <= KEYS_ROWS / 2 ? KEYS_VECTORS
                                                : KEYS_VECTORS / 2;
    uint32_t c = 0;
    for (; c + vectors * VF_LANES <= dv; c += vectors * VF_LANES)
        keys_values_step(s, p, row, from, to, c, rows, vectors, VF_LANES, dtype, rules);
    for (; c + VF_LANES <= dv; c += VF_LANES)
        keys_values_step(s, p, row, from, to, c, rows, 1, VF_LANES, dtype, rules);
    if (c < dv)
        keys_values_step(s, p, row, from, to, c, rows, 1, dv - c, dtype, rules);
}

/* The sum of the vectors' lanes in the contract's tree: lane r += lane r + half. */
VF_INLINE float keys_tree(vf *lane, int vectors)
{
    float x[VF_LANES];
    for (int half = vectors / 2; half >= 1; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] = vf_add(lane[i], lane[i + half]);
    vf_store(x, lane[0]);
    for (int half = VF_LANES / 2; half >= 1; half /= 2)
        for (int i = 0; i < half; i++)
            x[i] += x[i + half];
    return x[0];
}

/* Row maximum, rescale factor, weights and their sum of one row; false when the block does not
 * count for it: no score above -inf. Scores outside from..to-1 are hidden. */
VF_INLINE bool keys_softmax(keys_state *s, float *p, uint32_t row, uint32_t from, uint32_t to,
                            lanes_rules rules)
{
    enum { VECTORS = ATTN_BK / VF_LANES, SUMS = 16 / VF_LANES };
    float x[VF_LANES];
    for (uint32_t j = 0; j < from; j++)
        p[j] = -INFINITY;
    for (uint32_t j = to; j < ATTN_BK; j++)
        p[j] = -INFINITY;
    vf top = vf_all(-INFINITY);
    vfm counts = vfm_none();
    for (int i = 0; i < VECTORS; i++) {
        const vf score = vf_load(p + i * VF_LANES);
        top = vf_max(score, top);
        counts = vfm_or(counts, vf_not_equal(score, vf_all(-INFINITY)));
    }
    if (!vfm_any(counts))
        return false;
    vf_store(x, top);
    float m = s->m[row];
    for (int i = 0; i < VF_LANES; i++)
        m = x[i] > m ? x[i] : m;

    vf sums[SUMS];
    for (int i = 0; i < SUMS; i++) {
        vf weights[4];
        for (int k = 0; k < 4; k++)
            weights[k] = vf_sub(vf_load(p + (i + k * SUMS) * VF_LANES), vf_all(m));
        vf_e2_each(weights, 4, rules.mac);
        for (int k = 0; k < 4; k++) {
            if (rules.x)
                weights[k] = vf_round12(weights[k]);
            vf_store(p + (i + k * SUMS) * VF_LANES, weights[k]);
        }
        sums[i] = vf_add(vf_add(vf_add(weights[0], weights[1]), weights[2]), weights[3]);
    }
    const vf a = vf_e2(vf_all(s->m[row] - m), rules.mac);
    vf_store(x, a);
    s->a[row] = x[0];
    s->m[row] = m;
    vf_store(x, rules.mac(vf_all(s->l[row]), a, vf_all(keys_tree(sums, SUMS))));
    s->l[row] = x[0];
    return true;
}

#endif
