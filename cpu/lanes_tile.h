/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiled attention with one query per vector lane. A tile is R vectors of queries; Q is packed
 * once per tile, transposed, and K and V are read by broadcast: each (4 keys x R vectors) of
 * scores and each (4 columns x R vectors) of P V is a register tile of 4 R accumulators. Softmax
 * needs no sum across lanes, since each lane owns a row. The order of every reduction is the
 * contract's, so the bits are the scalar reference's.
 *
 * A call takes a stack of tiles that share each block of keys: a block (64 keys, 64 KiB at
 * d = 128) comes from memory once per stack and stays in L2 while the tiles pass over it; 16-bit
 * keys and values are widened there, once. Memory per tile: d + dv vectors of R lanes.
 *
 * Included after an ISA's header and its products. LANES_KERNEL defines a kernel.
 */
#ifndef CPU_LANES_TILE_H
#define CPU_LANES_TILE_H

#include "cpu/lanes_phases.h"
#include "cpu/walk.h"

/* The phases of one block, each compiled by itself for one R and one contract, so that every phase
 * has the register file to itself. */
struct lanes_ops {
    int R;
    const lanes_ops *fused; /* the same bits, faster, for ordinary numbers; NULL: none */
    void (*pack)(lanes_state *s);
    void (*scores)(lanes_state *s, const lanes_block *b);
    bool (*maximum)(lanes_state *s);
    void (*softmax)(lanes_state *s, bool careful);
    void (*values)(lanes_state *s, const lanes_block *b, bool select);
    void (*merge)(lanes_state *s);
    void (*finish)(lanes_state *s);
};

/* The tiles of one call. */
typedef struct lanes_stack {
    const cpu_tile *t;
    uint32_t count;
    float *k, *v; /* a block, widened; NULL when memory holds binary32 */
    lanes_state tile[LANES_STACK];
} lanes_stack;

/* Keys of the block outside from..to get score -inf: weight +0. */
static void lanes_pad(lanes_state *s, const lanes_block *b)
{
    for (uint32_t j = 0; j < ATTN_BK; j++)
        if (b->j0 + j < b->from || b->j0 + j >= b->to)
            for (int r = 0; r < s->R; r++)
                vf_store(s->p + (j * s->R + r) * VF_LANES, vf_all(-INFINITY));
}

/* Careful blocks: hidden scores become -inf; which lanes does the block count for? */
static void lanes_hide(lanes_state *s, const lanes_block *b)
{
    for (int r = 0; r < s->R; r++) {
        s->counts[r] = vfm_none();
        for (uint32_t j = b->from; j < b->to; j++) {
            float *p = s->p + ((j - b->j0) * s->R + r) * VF_LANES;
            const vfm visible = vf_between(s->lo + r * VF_LANES, j, s->hi + r * VF_LANES);
            const vf score = vf_select(visible, vf_load(p), vf_all(-INFINITY));
            s->counts[r] = vfm_or(s->counts[r], vf_not_equal(score, vf_all(-INFINITY)));
            vf_store(p, score);
        }
    }
}

/* Of the keys that the tile computes, or of more. */
static bool lanes_values_finite(const cpu_tile *t, const lanes_block *b)
{
    lanes_finite_values *values = b->values;
    if (!values->known)
        values->finite = lanes_finite(values->v, b->v_stride, values->rows, t->w->dv);
    values->known = true;
    return values->finite;
}

static void lanes_block_step(lanes_state *s, const lanes_block *b)
{
    const lanes_ops *ops = s->ops->fused && s->ordinary && b->ordinary ? s->ops->fused : s->ops;
    ops->scores(s, b);
    if (b->to - b->from < ATTN_BK)
        lanes_pad(s, b);
    if (ops->maximum(s) && b->all_visible) {
        ops->softmax(s, false);
        ops->values(s, b, false);
        return;
    }
    lanes_hide(s, b);
    ops->maximum(s);
    ops->softmax(s, true);
    ops->values(s, b, !lanes_values_finite(s->t, b));
}

/* The keys from..to-1 of one block of 64, for every tile that sees any of them. */
static void lanes_block_stack(lanes_stack *a, uint32_t from, uint32_t to)
{
    const cpu_tile *t = a->t;
    const float *k = a->k, *v = a->v;
    size_t k_stride = t->w->d, v_stride = t->w->dv;
    bool ordinary = true;
    if (k) {
        ordinary &= lanes_widen(a->k, t->k, from, t->k_stride, to - from, t->w->d, t->w->dtype);
        ordinary &= lanes_widen(a->v, t->v, from, t->v_stride, to - from, t->w->dv, t->w->dtype);
    } else {
        k_stride = t->k_stride;
        v_stride = t->v_stride;
        k = (const float *)t->k + from * k_stride;
        v = (const float *)t->v + from * v_stride;
    }
    lanes_finite_values values = {.v = v, .rows = to - from};
    for (lanes_state *s = a->tile; s < a->tile + a->count; s++) {
        lanes_block b = {.j0 = from / ATTN_BK * ATTN_BK,
                         .from = s->first > from ? s->first : from,
                         .to = s->last < to ? s->last : to,
                         .k_stride = k_stride,
                         .v_stride = v_stride,
                         .ordinary = ordinary,
                         .values = &values};
        if (b.from >= b.to)
            continue;
        b.k = k + (b.from - from) * k_stride;
        b.v = v + (b.from - from) * v_stride;
        b.all_visible = s->common_lo <= b.from && b.to <= s->common_hi;
        lanes_block_step(s, &b);
    }
}

static void lanes_walk(void *stack, uint32_t from, uint32_t to)
{
    while (from < to) {
        const uint32_t end = (from / ATTN_BK + 1) * ATTN_BK;
        lanes_block_stack(stack, from, end < to ? end : to);
        from = end;
    }
}

static void lanes_reset(float *m, float *l, float *o, size_t lanes, uint32_t dv)
{
    for (size_t lane = 0; lane < lanes; lane++) {
        m[lane] = -INFINITY;
        l[lane] = 0.0f;
    }
    memset(o, 0, lanes * dv * sizeof *o);
}

static void lanes_reset_tiles(void *stack)
{
    lanes_stack *a = stack;
    for (lanes_state *s = a->tile; s < a->tile + a->count; s++)
        lanes_reset(s->m, s->l, s->o, (size_t)s->R * VF_LANES, a->t->w->dv);
}

static void lanes_reset_all(void *stack)
{
    lanes_stack *a = stack;
    for (lanes_state *s = a->tile; s < a->tile + a->count; s++)
        lanes_reset(s->all_m, s->all_l, s->all_o, (size_t)s->R * VF_LANES, a->t->w->dv);
}

static void lanes_merge_tiles(void *stack)
{
    lanes_stack *a = stack;
    for (lanes_state *s = a->tile; s < a->tile + a->count; s++)
        s->ops->merge(s);
}

static const walk_steps lanes_steps = {lanes_reset_tiles, lanes_walk, lanes_reset_all,
                                       lanes_merge_tiles};

static void lanes_spans(lanes_state *s)
{
    const attn_span *spans = s->t->spans + s->row;
    const walk_range seen = walk_range_of(spans, s->rows);
    s->first = seen.first;
    s->last = seen.last;
    s->common_lo = 0;
    s->common_hi = UINT32_MAX;
    for (uint32_t lane = 0; lane < (uint32_t)s->R * VF_LANES; lane++) {
        const attn_span span = spans[lane < s->rows ? lane : s->rows - 1];
        s->lo[lane] = span.lo;
        s->hi[lane] = span.hi;
        s->common_lo = span.lo > s->common_lo ? span.lo : s->common_lo;
        s->common_hi = span.hi < s->common_hi ? span.hi : s->common_hi;
    }
}

/* Deals the call's rows to tiles and lays out the scratch. ops[R - 1] are for R vectors. */
static void lanes_open(lanes_stack *a, const cpu_tile *t, const lanes_ops *const *ops)
{
    const uint32_t d = t->w->d, dv = t->w->dv;
    const bool wide = t->w->dtype == ATTN_F32;
    float *p = t->scratch, *next = p + ATTN_BK * LANES_MAX;
    a->t = t;
    a->k = wide ? NULL : next;
    a->v = wide ? NULL : next + ATTN_BK * (size_t)d;
    next += wide ? 0 : ATTN_BK * ((size_t)d + dv);
    a->count = (t->rows + LANES_MAX - 1) / LANES_MAX;
    for (uint32_t i = 0; i < a->count; i++) {
        lanes_state *s = &a->tile[i];
        const uint32_t row = i * LANES_MAX, left = t->rows - row;
        s->t = t;
        s->row = row;
        s->rows = left < LANES_MAX ? left : LANES_MAX;
        s->ops = ops[(s->rows - 1) / VF_LANES];
        s->R = s->ops->R;
        s->p = p;
        s->q = next;
        s->o = s->q + (size_t)d * LANES_MAX;
        s->all_o = s->o + (size_t)dv * LANES_MAX;
        next = s->all_o + (t->w->split ? (size_t)dv * LANES_MAX : 0);
        lanes_spans(s);
    }
}

static size_t lanes_scratch(const attn_workload *w)
{
    const size_t tile = (size_t)w->d + (size_t)w->dv * (w->split ? 2 : 1);
    const size_t wide = w->dtype == ATTN_F32 ? 0 : ATTN_BK * ((size_t)w->d + w->dv);
    return ((ATTN_BK + LANES_STACK * tile) * LANES_MAX + wide) * sizeof(float);
}

static void lanes_close(lanes_stack *a)
{
    for (lanes_state *s = a->tile; s < a->tile + a->count; s++) {
        if (a->t->w->split) {
            memcpy(s->l, s->all_l, sizeof s->l);
            s->o = s->all_o;
        }
        s->ops->finish(s);
    }
}

static void lanes_pack_tiles(lanes_stack *a)
{
    for (lanes_state *s = a->tile; s < a->tile + a->count; s++)
        s->ops->pack(s);
}

static void lanes_tile(const cpu_tile *t, const lanes_ops *const *ops)
{
    lanes_stack a;
    lanes_open(&a, t, ops);
    lanes_pack_tiles(&a);
    walk_keys(&a, &lanes_steps, walk_range_of(t->spans, t->rows), t->w);
    lanes_close(&a);
}

/* A state between part and merge: m, l and o of every tile of the stack. */
static size_t lanes_state_floats(const attn_workload *w)
{
    return LANES_MAX * (2 + (size_t)w->dv);
}

static size_t lanes_state_bytes(const attn_workload *w, uint32_t rows)
{
    const size_t tiles = (rows + LANES_MAX - 1) / LANES_MAX;
    return (tiles * lanes_state_floats(w) * sizeof(float) + 63) / 64 * 64;
}

static void lanes_part(const cpu_tile *t, const lanes_ops *const *ops, uint32_t split, float *state)
{
    lanes_stack a;
    lanes_open(&a, t, ops);
    lanes_pack_tiles(&a);
    walk_split(&a, &lanes_steps, walk_range_of(t->spans, t->rows), t->w->split, split);
    for (uint32_t i = 0; i < a.count; i++, state += lanes_state_floats(t->w)) {
        const lanes_state *s = &a.tile[i];
        memcpy(state, s->m, sizeof s->m);
        memcpy(state + LANES_MAX, s->l, sizeof s->l);
        memcpy(state + 2 * LANES_MAX, s->o, (size_t)s->R * VF_LANES * t->w->dv * sizeof(float));
    }
}

static void lanes_join(const cpu_tile *t, const lanes_ops *const *ops, const char *states,
                       uint32_t count)
{
    lanes_stack a;
    lanes_open(&a, t, ops);
    lanes_reset_all(&a);
    for (uint32_t split = 0; split < count; split++, states += lanes_state_bytes(t->w, t->rows)) {
        const float *state = (const float *)states;
        for (uint32_t i = 0; i < a.count; i++, state += lanes_state_floats(t->w)) {
            lanes_state *s = &a.tile[i];
            memcpy(s->m, state, sizeof s->m);
            memcpy(s->l, state + LANES_MAX, sizeof s->l);
            memcpy(s->o, state + 2 * LANES_MAX, (size_t)s->R * VF_LANES * t->w->dv * sizeof(float));
        }
        lanes_merge_tiles(&a);
    }
    lanes_close(&a);
}

#endif
