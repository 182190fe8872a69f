/* SPDX-License-Identifier: Apache-2.0
 *
 * The phases of a lane kernel (cpu/lanes_tile.h) around its products. R (vectors of queries) and
 * rules are compile-time constants wherever these are inlined.
 */
#ifndef CPU_LANES_PHASES_H
#define CPU_LANES_PHASES_H

#include "cpu/lanes_state.h"

/* One vector of queries, transposed: lane i of vector c is element c of query row i. Lanes beyond
 * the last row repeat it. */
VF_INLINE void lanes_pack_vector(lanes_state *s, int R, uint32_t lane, lanes_rules rules)
{
    const cpu_tile *t = s->t;
    const uint32_t d = t->w->d;
    const size_t stride = (size_t)R * VF_LANES;
    vfm ordinary = vfm_not(vfm_none());
    for (uint32_t c = 0; c < d; c += VF_LANES) {
        const uint32_t columns = d - c < VF_LANES ? d - c : VF_LANES;
        float *q = s->q + c * stride + lane;
        vf x[VF_LANES];
        VF_UNROLL
        for (uint32_t i = 0; i < VF_LANES; i++) {
            const uint32_t in = lane + i < s->rows ? lane + i : s->rows - 1;
            const size_t at = (s->row + in) * t->q_stride + c;
            x[i] = vf_load_elements(t->q, at, rules.x ? t->w->dtype : ATTN_F32, columns);
            if (rules.x)
                ordinary = vfm_and(ordinary, vf_ordinary(x[i]));
            if (rules.free)
                x[i] = vf_mul(x[i], vf_all(t->s2));
        }
        vf_transpose(x);
        for (uint32_t i = 0; i < columns; i++)
            vf_store(q + i * stride, x[i]);
    }
    if (!vfm_all(ordinary))
        s->ordinary = false;
}

VF_INLINE void lanes_pack(lanes_state *s, int R, lanes_rules rules)
{
    s->ordinary = true;
    for (int r = 0; r < R; r++)
        lanes_pack_vector(s, R, (uint32_t)r * VF_LANES, rules);
}

/* `rows` rows of K or V from number `row` on, 16 bits wide in memory, to rows of `columns` floats.
 * Is every element ordinary? */
VF_INLINE bool lanes_widen(float *to, const void *tensor, size_t row, size_t stride, uint32_t rows,
                           uint32_t columns, attn_dtype dtype)
{
    vfm ordinary = vfm_not(vfm_none());
    for (uint32_t j = 0; j < rows; j++, to += columns)
        for (uint32_t c = 0; c < columns; c += VF_LANES) {
            const vf x = vf_load_elements(tensor, (row + j) * stride + c, dtype, columns - c);
            if (dtype == ATTN_BF16)
                ordinary = vfm_and(ordinary, vf_ordinary(x));
            vf_store_first(to + c, x, columns - c);
        }
    return vfm_all(ordinary) != 0;
}

/* x - x is +0 for finite x, NaN otherwise. */
VF_INLINE bool lanes_finite(const float *p, size_t stride, uint32_t rows, uint32_t columns)
{
    vf sum[4];
    VF_UNROLL
    for (int i = 0; i < 4; i++)
        sum[i] = vf_all(0.0f);
    for (uint32_t j = 0; j < rows; j++, p += stride)
        for (uint32_t c = 0; c < columns; c += 4 * VF_LANES) {
            VF_UNROLL
            for (uint32_t i = 0; i < 4; i++)
                if (c + i * VF_LANES < columns) {
                    const uint32_t at = c + i * VF_LANES;
                    const vf x = vf_load_first(p + at, columns - at);
                    sum[i] = vf_add(sum[i], vf_sub(x, x));
                }
        }
    const vf all = vf_add(vf_add(sum[0], sum[1]), vf_add(sum[2], sum[3]));
    return !vfm_any(vf_not_equal(all, vf_all(0.0f)));
}

VF_INLINE void lanes_scores(lanes_state *s, const lanes_block *b, int R, lanes_rules rules)
{
    uint32_t j = b->from;
    for (; j + LANES_KEYS <= b->to; j += LANES_KEYS)
        lanes_scores_step(s, b, j, R, LANES_KEYS, rules);
    for (; LANES_KEYS > 2 && j + 2 <= b->to; j += 2)
        lanes_scores_step(s, b, j, R, 2, rules);
    if (LANES_KEYS > 1 && j < b->to)
        lanes_scores_step(s, b, j, R, 1, rules);
}

/* Largest score of each lane over all 64 keys into s->top; NaN is passed over. Returns whether
 * every lane has one above -inf: only then does the block surely count for all. */
VF_INLINE bool lanes_maximum(lanes_state *s, int R)
{
    vfm all = vfm_not(vfm_none());
    for (int r = 0; r < R; r++) {
        const float *p = s->p + r * VF_LANES;
        vf top[4];
        VF_UNROLL
        for (int i = 0; i < 4; i++)
            top[i] = vf_all(-INFINITY);
        for (int j = 0; j < ATTN_BK; j += 4, p += 4 * R * VF_LANES) {
            VF_UNROLL
            for (int i = 0; i < 4; i++)
                top[i] = vf_max(vf_load(p + i * R * VF_LANES), top[i]);
        }
        top[0] = vf_max(vf_max(top[0], top[1]), vf_max(top[2], top[3]));
        vf_store(s->top + r * VF_LANES, top[0]);
        all = vfm_and(all, vf_not_equal(top[0], vf_all(-INFINITY)));
    }
    return vfm_all(all) != 0;
}

/* Weights E2(score - m) of the four keys that share a summation lane, stored and summed in order.
 */
VF_INLINE vf lanes_weigh4(float *p, int R, vf m, vfm keep, bool careful, lanes_rules rules)
{
    const size_t apart = (size_t)16 * R * VF_LANES;
    vf w[4];
    VF_UNROLL
    for (int i = 0; i < 4; i++)
        w[i] = vf_sub(vf_load(p + i * apart), m);
    /* Fused, a core overlaps four chains by itself; split, they are too long for it. */
    if (rules.mac == vf_mac_m)
        vf_e2_each(w, 4, rules.mac);
    VF_UNROLL
    for (int i = 0; i < 4; i++) {
        if (rules.mac == vf_mac_f)
            w[i] = rules.free ? vf_e2_free(w[i]) : vf_e2(w[i], rules.mac);
        if (rules.x)
            w[i] = vf_round12(w[i]);
        if (careful)
            w[i] = vf_where(keep, w[i]);
        vf_store(p + i * apart, w[i]);
    }
    return vf_add(vf_add(vf_add(w[0], w[1]), w[2]), w[3]);
}

/* Row maximum, rescale factor, weights and their sum for one vector of lanes. */
VF_INLINE void lanes_softmax(lanes_state *s, int R, int r, bool careful, lanes_rules rules)
{
    float *p = s->p + r * VF_LANES;
    const vf before = vf_load(s->m + r * VF_LANES);
    const vf m = vf_max(vf_load(s->top + r * VF_LANES), before);
    vf a = vf_e2(vf_sub(before, m), rules.mac);
    const vfm keep = careful ? s->counts[r] : vfm_none();
    if (careful)
        a = vf_select(keep, a, vf_all(1.0f));
    vf_store(s->m + r * VF_LANES, m);
    vf_store(s->a + r * VF_LANES, a);

    float sums[8 * VF_LANES];
    for (int i = 0; i < 8; i++) {
        const vf low = lanes_weigh4(p + (size_t)i * R * VF_LANES, R, m, keep, careful, rules);
        const vf high =
            lanes_weigh4(p + (size_t)(i + 8) * R * VF_LANES, R, m, keep, careful, rules);
        vf_store(sums + i * VF_LANES, vf_add(low, high));
    }
    vf sum[8];
    VF_UNROLL
    for (int i = 0; i < 4; i++)
        sum[i] = vf_add(vf_load(sums + i * VF_LANES), vf_load(sums + (i + 4) * VF_LANES));
    sum[0] = vf_add(vf_add(sum[0], sum[2]), vf_add(sum[1], sum[3]));
    const vf l = vf_load(s->l + r * VF_LANES);
    vf_store(s->l + r * VF_LANES, rules.mac(l, a, sum[0]));
}

VF_INLINE void lanes_values(lanes_state *s, const lanes_block *b, int R, bool select,
                            lanes_rules rules)
{
    const uint32_t dv = s->t->w->dv;
    uint32_t c = 0;
    for (; c + LANES_KEYS <= dv; c += LANES_KEYS)
        lanes_values_step(s, b, c, R, LANES_KEYS, select, rules);
    for (; LANES_KEYS > 2 && c + 2 <= dv; c += 2)
        lanes_values_step(s, b, c, R, 2, select, rules);
    if (LANES_KEYS > 1 && c < dv)
        lanes_values_step(s, b, c, R, 1, select, rules);
}

/* The split's state (m, l, o) joins the running state; lanes it did not count for stay. */
VF_INLINE void lanes_merge(lanes_state *s, int R, lanes_rules rules)
{
    const uint32_t dv = s->t->w->dv;
    for (int r = 0; r < R; r++) {
        const vf m0 = vf_load(s->all_m + r * VF_LANES), m1 = vf_load(s->m + r * VF_LANES);
        const vf l0 = vf_load(s->all_l + r * VF_LANES), l1 = vf_load(s->l + r * VF_LANES);
        const vfm counts = vf_not_equal(l1, vf_all(0.0f));
        const vf m = vf_max(m0, m1);
        const vf a = vf_e2(vf_sub(m0, m), rules.mac), b = vf_e2(vf_sub(m1, m), rules.mac);
        vf_store(s->all_m + r * VF_LANES, m);
        vf_store(s->all_l + r * VF_LANES, vf_select(counts, rules.mac(l0, a, vf_mul(l1, b)), l0));
        for (uint32_t c = 0; c < dv; c++) {
            float *o0 = s->all_o + ((size_t)c * R + r) * VF_LANES;
            const vf o1 = vf_load(s->o + ((size_t)c * R + r) * VF_LANES), o = vf_load(o0);
            vf_store(o0, vf_select(counts, rules.mac(o, a, vf_mul(o1, b)), o));
        }
    }
}

/* Step 3: out = o * RECIP(l), transposed back; rows that saw no key are +0. */
VF_INLINE void lanes_finish(lanes_state *s, int R, lanes_rules rules)
{
    const uint32_t dv = s->t->w->dv, stride = (uint32_t)R * VF_LANES;
    for (uint32_t lane = 0; lane < s->rows; lane += VF_LANES) {
        const uint32_t rows = s->rows - lane < VF_LANES ? s->rows - lane : VF_LANES;
        float *out = s->t->out + (size_t)(s->row + lane) * dv;
        const vf l = vf_load(s->l + lane);
        const vf r = vf_where(vf_not_equal(l, vf_all(0.0f)), vf_recip(l, rules.mac));
        uint32_t c = 0;
        for (; rows == VF_LANES && c + VF_LANES <= dv; c += VF_LANES) {
            vf x[VF_LANES];
            VF_UNROLL
            for (int i = 0; i < VF_LANES; i++)
                x[i] = vf_mul(vf_load(s->o + (size_t)(c + i) * stride + lane), r);
            vf_transpose(x);
            VF_UNROLL
            for (int i = 0; i < VF_LANES; i++)
                vf_store(out + (size_t)i * dv + c, x[i]);
        }
        for (; c < dv; c++) {
            float x[VF_LANES];
            vf_store(x, vf_mul(vf_load(s->o + (size_t)c * stride + lane), r));
            for (uint32_t i = 0; i < rows; i++)
                out[(size_t)i * dv + c] = x[i];
        }
    }
}

#endif
