/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiled attention with one key per vector lane for the scores and one column of V per lane for
 * P V. K is transposed, 32 keys at a time; each (6 queries x 16 keys) of scores and each (6 queries
 * x 16 columns) of P V is a register tile. One to three rows widen their tile instead, so that the
 * few queries of a decode step (or of the heads that share a key head) keep enough sums in flight
 * and read K and V once. Softmax sums across lanes in the contract's order, so the bits are the
 * scalar reference's.
 *
 * Memory per call: 32 transposed keys; per row the scores of a block, or of a run of blocks where
 * the rows are few, dv floats of output (twice with splits), and d of a widened query.
 *
 * Included after an ISA's header. KEYS_KERNEL (cpu/keys_kernel.h) defines a kernel.
 */
#ifndef CPU_KEYS_TILE_H
#define CPU_KEYS_TILE_H

#include "cpu/keys_phases.h"
#include "cpu/walk.h"

/* The phases for register tiles of 1..KEYS_ROWS rows, by rows - 1, and one contract. */
struct keys_ops {
    void (*pack)(keys_state *s, uint32_t j, uint32_t to);
    void (*scores[KEYS_ROWS])(const keys_state *s, uint32_t row, uint32_t j, float *p);
    bool (*softmax)(keys_state *s, float *p, uint32_t row, uint32_t from, uint32_t to);
    void (*values[KEYS_ROWS])(const keys_state *s, const float *p, uint32_t row, uint32_t from,
                              uint32_t to);
    void (*merge)(keys_state *s, uint32_t row);
    void (*finish)(keys_state *s, uint32_t row);
};

static uint32_t keys_tile_rows(const keys_state *s, uint32_t row)
{
    const uint32_t left = s->t->rows - row;
    return left < KEYS_ROWS ? left : KEYS_ROWS;
}

/* Rows that see different keys of the block, or that it does not count for, go one by one: a hidden
 * key is not even multiplied by 0. */
static void keys_block_tile(keys_state *s, float *p, uint32_t row, uint32_t from, uint32_t to)
{
    const uint32_t rows = keys_tile_rows(s, row), j0 = from / ATTN_BK * ATTN_BK;
    attn_span seen[KEYS_ROWS];
    bool counts[KEYS_ROWS], together = true;
    for (uint32_t r = 0; r < rows; r++) {
        const attn_span span = s->t->spans[row + r];
        seen[r].lo = span.lo > from ? span.lo : from;
        seen[r].hi = span.hi < to ? span.hi : to;
        counts[r] = seen[r].lo < seen[r].hi &&
                    s->ops->softmax(s, p + r * ATTN_BK, row + r, seen[r].lo - j0, seen[r].hi - j0);
        together &= counts[r] && seen[r].lo == seen[0].lo && seen[r].hi == seen[0].hi;
    }
    if (together) {
        s->ops->values[rows - 1](s, p, row, seen[0].lo, seen[0].hi);
        return;
    }
    for (uint32_t r = 0; r < rows; r++)
        if (counts[r])
            s->ops->values[0](s, p + r * ATTN_BK, row + r, seen[r].lo, seen[r].hi);
}

/* The keys from..to-1 of the blocks from key j0 on. */
static void keys_run(keys_state *s, uint32_t j0, uint32_t from, uint32_t to)
{
    const size_t block = (size_t)s->t->rows * ATTN_BK;
    for (uint32_t j = from / KEYS_GROUP * KEYS_GROUP; j < to; j += KEYS_GROUP) {
        float *p = s->p + (j - j0) / ATTN_BK * block + j % ATTN_BK;
        s->ops->pack(s, j, to);
        for (uint32_t row = 0; row < s->t->rows; row += KEYS_ROWS, p += KEYS_ROWS * ATTN_BK)
            s->ops->scores[keys_tile_rows(s, row) - 1](s, row, j, p);
    }
    for (uint32_t j = from; j < to; j = (j / ATTN_BK + 1) * ATTN_BK) {
        float *p = s->p + (j - j0) / ATTN_BK * block;
        const uint32_t end = (j / ATTN_BK + 1) * ATTN_BK;
        for (uint32_t row = 0; row < s->t->rows; row += KEYS_ROWS, p += KEYS_ROWS * ATTN_BK)
            keys_block_tile(s, p, row, j, end < to ? end : to);
    }
}

static void keys_walk(void *state, uint32_t from, uint32_t to)
{
    keys_state *s = state;
    const uint32_t run = s->t->rows <= KEYS_ROWS ? KEYS_RUN : ATTN_BK;
    while (from < to) {
        const uint32_t j0 = from / ATTN_BK * ATTN_BK, end = j0 + run;
        keys_run(s, j0, from, end < to ? end : to);
        from = end;
    }
}

static void keys_reset_to(const keys_state *s, float *m, float *l, float *o)
{
    for (uint32_t row = 0; row < s->t->rows; row++) {
        m[row] = -INFINITY;
        l[row] = 0.0f;
    }
    memset(o, 0, (size_t)s->t->rows * s->t->w->dv * sizeof *o);
}

static void keys_reset(void *state)
{
    keys_state *s = state;
    keys_reset_to(s, s->m, s->l, s->o);
}

static void keys_reset_all(void *state)
{
    keys_state *s = state;
    keys_reset_to(s, s->all_m, s->all_l, s->all_o);
}

static void keys_merge_rows(void *state)
{
    keys_state *s = state;
    for (uint32_t row = 0; row < s->t->rows; row++)
        if (s->l[row] != 0.0f)
            s->ops->merge(s, row);
}

static const walk_steps keys_steps = {keys_reset, keys_walk, keys_reset_all, keys_merge_rows};

/* m, l and o of all rows, at `state`. */
static void keys_lay_out(const cpu_tile *t, float *state, float **m, float **l, float **o)
{
    *m = state;
    *l = state + t->rows;
    *o = state + 2 * (size_t)t->rows;
}

static size_t keys_state_floats(uint32_t rows, const attn_workload *w)
{
    return rows * (2 + (size_t)w->dv);
}

/* Of a run. */
static size_t keys_scores_floats(size_t rows)
{
    return rows <= KEYS_ROWS ? rows * KEYS_RUN : rows * ATTN_BK;
}

static void keys_open(keys_state *s, const cpu_tile *t, const keys_ops *ops)
{
    const uint32_t d = t->w->d;
    *s = (keys_state){.t = t, .ops = ops, .q = t->q, .q_stride = t->q_stride, .k = t->scratch};
    s->p = s->k + (size_t)d * KEYS_GROUP;
    s->a = s->p + keys_scores_floats(t->rows);
    float *next = s->a + t->rows;
    keys_lay_out(t, next, &s->m, &s->l, &s->o);
    next += keys_state_floats(t->rows, t->w);
    if (t->w->split) {
        keys_lay_out(t, next, &s->all_m, &s->all_l, &s->all_o);
        next += keys_state_floats(t->rows, t->w);
    }
    if (t->w->dtype == ATTN_F32)
        return;
    for (uint32_t row = 0; row < t->rows; row++)
        attn_widen((const uint16_t *)t->q + row * t->q_stride, t->w->dtype, d,
                   next + (size_t)row * d);
    s->q = next;
    s->q_stride = d;
}

static size_t keys_scratch(const attn_workload *w)
{
    const size_t rows = KEYS_STACK * KEYS_ROWS, states = w->split ? 2 : 1;
    const size_t wide = w->dtype == ATTN_F32 ? 0 : w->d;
    const size_t few = keys_scores_floats(KEYS_ROWS), many = keys_scores_floats(rows);
    return ((size_t)w->d * KEYS_GROUP + (few > many ? few : many) + rows * (1 + wide) +
            states * keys_state_floats((uint32_t)rows, w)) *
           sizeof(float);
}

static void keys_close(keys_state *s)
{
    if (s->t->w->split) {
        s->m = s->all_m;
        s->l = s->all_l;
        s->o = s->all_o;
    }
    for (uint32_t row = 0; row < s->t->rows; row++)
        s->ops->finish(s, row);
}

static void keys_tile(const cpu_tile *t, const keys_ops *ops)
{
    keys_state s;
    keys_open(&s, t, ops);
    walk_keys(&s, &keys_steps, walk_range_of(t->spans, t->rows), t->w);
    keys_close(&s);
}

static size_t keys_state_bytes(const attn_workload *w, uint32_t rows)
{
    return (keys_state_floats(rows, w) * sizeof(float) + 63) / 64 * 64;
}

static void keys_part(const cpu_tile *t, const keys_ops *ops, uint32_t split, float *state)
{
    keys_state s;
    keys_open(&s, t, ops);
    keys_lay_out(t, state, &s.m, &s.l, &s.o);
    walk_split(&s, &keys_steps, walk_range_of(t->spans, t->rows), t->w->split, split);
}

static void keys_join(const cpu_tile *t, const keys_ops *ops, char *states, uint32_t count)
{
    keys_state s;
    keys_open(&s, t, ops);
    keys_reset_all(&s);
    for (uint32_t split = 0; split < count; split++, states += keys_state_bytes(t->w, t->rows)) {
        keys_lay_out(t, (float *)states, &s.m, &s.l, &s.o);
        keys_merge_rows(&s);
    }
    keys_close(&s);
}

#endif
