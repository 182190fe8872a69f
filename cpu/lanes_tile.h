/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiled attention with one query per vector lane. A tile is R vectors of queries; Q is packed
 * once per tile, transposed, and K and V are read where they lie, one broadcast per
 * element: each (4 keys x R vectors) of scores and each (4 columns x R vectors) of P V is a
 * register tile of 4 R accumulators. Softmax needs no sum across lanes, since each lane owns a
 * row. The order of every reduction is the contract's, so the bits are the scalar reference's.
 *
 * Memory per tile: d + dv + 64 vectors of R lanes. K and V stream once per tile.
 *
 * Included after an ISA's header. LANES_OPS compiles the phases for one R and one contract.
 */
#ifndef CPU_LANES_TILE_H
#define CPU_LANES_TILE_H

#include "cpu/lanes_phases.h"

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

/* Largest score of each lane in the block into s->top; NaN is passed over. Returns whether every
 * lane has one above -inf: only then does the block surely count for all. */
static bool lanes_maximum(lanes_state *s, const lanes_block *b)
{
    bool all = true;
    for (int r = 0; r < s->R; r++) {
        const float *p = s->p + ((size_t)(b->from - b->j0) * s->R + r) * VF_LANES;
        vf top = vf_all(-INFINITY);
        for (uint32_t j = b->from; j < b->to; j++, p += s->R * VF_LANES)
            top = vf_max(vf_load(p), top);
        vf_store(s->top + r * VF_LANES, top);
        all &= vfm_all(vf_not_equal(top, vf_all(-INFINITY))) != 0;
    }
    return all;
}

/* x - x is +0 for finite x, NaN otherwise. */
static bool lanes_values_finite(const cpu_tile *t, const lanes_block *b)
{
    const float *v = (const float *)t->v + (size_t)b->from * t->w->dv;
    const size_t count = (size_t)(b->to - b->from) * t->w->dv;
    float sum = 0.0f;
    for (size_t i = 0; i < count; i++)
        sum += v[i] - v[i];
    return sum == 0.0f;
}

/* The hot phases of one block, each compiled by itself for one R and one multiply-accumulate, so
 * that every phase has the register file to itself. */
typedef struct lanes_ops {
    int R;
    void (*scores)(lanes_state *s, const lanes_block *b);
    void (*softmax)(lanes_state *s, bool careful);
    void (*values)(lanes_state *s, const lanes_block *b, bool select);
    void (*merge)(lanes_state *s);
    void (*finish)(lanes_state *s);
} lanes_ops;

static void lanes_block_step(lanes_state *s, const lanes_block *b, const lanes_ops *ops)
{
    ops->scores(s, b);
    if (b->to - b->from < ATTN_BK)
        lanes_pad(s, b);
    if (lanes_maximum(s, b) && b->all_visible) {
        ops->softmax(s, false);
        ops->values(s, b, false);
        return;
    }
    lanes_hide(s, b);
    lanes_maximum(s, b);
    ops->softmax(s, true);
    ops->values(s, b, !lanes_values_finite(s->t, b));
}

/* Blocks of the keys from..to-1. */
static void lanes_blocks(lanes_state *s, uint32_t from, uint32_t to, const lanes_ops *ops)
{
    for (uint32_t j = from; j < to;) {
        lanes_block b = {.j0 = j / ATTN_BK * ATTN_BK, .from = j, .to = to};
        if (b.to > b.j0 + ATTN_BK)
            b.to = b.j0 + ATTN_BK;
        b.all_visible = s->common_lo <= b.from && b.to <= s->common_hi;
        lanes_block_step(s, &b, ops);
        j = b.to;
    }
}

static void lanes_reset(float *m, float *l, float *o, size_t lanes, uint32_t dv)
{
    for (size_t lane = 0; lane < lanes; lane++) {
        m[lane] = -INFINITY;
        l[lane] = 0.0f;
    }
    for (size_t i = 0; i < lanes * dv; i++)
        o[i] = 0.0f;
}

/* Splits: each starts fresh, then joins the running state in ascending order. */
static void lanes_splits(lanes_state *s, const lanes_ops *ops)
{
    const uint32_t dv = s->t->w->dv, split = s->t->w->split;
    const size_t lanes = (size_t)s->R * VF_LANES;
    lanes_reset(s->all_m, s->all_l, s->all_o, lanes, dv);
    for (uint32_t from = s->first, to; from < s->last; from = to) {
        to = (from / split + 1) * split;
        to = to < s->last ? to : s->last;
        lanes_reset(s->m, s->l, s->o, lanes, dv);
        lanes_blocks(s, from, to, ops);
        ops->merge(s);
    }
    memcpy(s->l, s->all_l, lanes * sizeof(float));
    s->o = s->all_o;
}

static void lanes_tile(const cpu_tile *t, const lanes_ops *ops)
{
    const size_t lanes = (size_t)ops->R * VF_LANES;
    lanes_state s = {.t = t, .R = ops->R};
    s.p = t->scratch;
    s.q = s.p + ATTN_BK * lanes;
    s.o = s.q + t->w->d * lanes;
    s.all_o = s.o + t->w->dv * lanes;
    lanes_pack(&s);
    lanes_reset(s.m, s.l, s.o, lanes, t->w->dv);
    if (t->w->split)
        lanes_splits(&s, ops);
    else
        lanes_blocks(&s, s.first, s.last, ops);
    ops->finish(&s);
}

static size_t lanes_scratch(const attn_workload *w)
{
    const size_t vectors = ATTN_BK + (size_t)w->d + (size_t)w->dv * (w->split ? 2 : 1);
    return vectors * LANES_MAX * sizeof(float);
}

#define LANES_PHASE static __attribute__((noinline)) void

/* LANES_OPS(R, mac) defines the constant lanes_ops_R. */
#define LANES_OPS(R, mac)                                                                          \
    LANES_PHASE lanes_scores_##R(lanes_state *s, const lanes_block *b)                             \
    {                                                                                              \
        lanes_scores(s, b, R, LANES_KEYS, mac);                                                    \
    }                                                                                              \
    LANES_PHASE lanes_softmax_##R(lanes_state *s, bool careful)                                    \
    {                                                                                              \
        for (int r = 0; r < R; r++)                                                                \
            lanes_softmax(s, R, r, careful, mac);                                                  \
    }                                                                                              \
    LANES_PHASE lanes_plain_values_##R(lanes_state *s, const lanes_block *b)                       \
    {                                                                                              \
        lanes_values(s, b, R, LANES_KEYS, false, mac);                                             \
    }                                                                                              \
    LANES_PHASE lanes_values_##R(lanes_state *s, const lanes_block *b, bool select)                \
    {                                                                                              \
        if (select)                                                                                \
            lanes_values(s, b, R, LANES_KEYS, true, mac);                                          \
        else                                                                                       \
            lanes_plain_values_##R(s, b);                                                          \
    }                                                                                              \
    LANES_PHASE lanes_merge_##R(lanes_state *s)                                                    \
    {                                                                                              \
        lanes_merge(s, R, mac);                                                                    \
    }                                                                                              \
    LANES_PHASE lanes_finish_##R(lanes_state *s)                                                   \
    {                                                                                              \
        lanes_finish(s, R, mac);                                                                   \
    }                                                                                              \
    static const lanes_ops lanes_ops_##R = {R,                                                     \
                                            lanes_scores_##R,                                      \
                                            lanes_softmax_##R,                                     \
                                            lanes_values_##R,                                      \
                                            lanes_merge_##R,                                       \
                                            lanes_finish_##R};

/* LANES_KERNEL(name, mac) defines the kernel `name`: tiles of three vectors of queries, the last
 * one of as many as its rows need. */
#define LANES_KERNEL(name, mac)                                                                    \
    LANES_OPS(1, mac)                                                                              \
    LANES_OPS(2, mac)                                                                              \
    LANES_OPS(3, mac)                                                                              \
    static void lanes_kernel_tile(const cpu_tile *t)                                               \
    {                                                                                              \
        static const lanes_ops *const ops[] = {&lanes_ops_1, &lanes_ops_2, &lanes_ops_3};          \
        lanes_tile(t, ops[(t->rows - 1) / VF_LANES]);                                              \
    }                                                                                              \
    extern const cpu_kernel_impl name;                                                             \
    const cpu_kernel_impl name = {lanes_kernel_tile, lanes_scratch};

#endif
