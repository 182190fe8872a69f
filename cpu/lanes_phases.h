/* SPDX-License-Identifier: Apache-2.0
 *
 * The phases of a lane kernel (cpu/lanes_tile.h) that are worth a register tile. R (vectors of
 * queries), keys, columns and mac are compile-time constants wherever these are inlined.
 */
#ifndef CPU_LANES_PHASES_H
#define CPU_LANES_PHASES_H

#include "cpu/lanes_state.h"

/* 12 accumulators, two operand vectors, one broadcast and one product (contract M) are 16
 * registers. A third operand vector is therefore read from memory at every use; compilers that
 * are left to themselves load it once and spill accumulators instead. */
#define LANES_HELD (VF_REGISTERS >= 32 ? LANES_MAX_R : 2)

/* The same address, in a way that no compiler can reuse an earlier load from it. */
VF_INLINE const float *lanes_again(const float *p)
{
    __asm__("" : "+r"(p));
    return p;
}

/* Scores of `keys` consecutive keys against all lanes. */
VF_INLINE void lanes_scores_step(const lanes_state *s, const float *k, float *p, int R, int keys,
                                 vf_mac *mac)
{
    const uint32_t d = s->t->w->d;
    const float *q = s->q;
    vf acc[LANES_KEYS][LANES_MAX_R], held[LANES_MAX_R];
    for (int j = 0; j < keys; j++)
        for (int r = 0; r < R; r++)
            acc[j][r] = vf_all(0.0f);
    for (uint32_t c = 0; c < d; c++, q += R * VF_LANES) {
        for (int r = 0; r < R && r < LANES_HELD; r++)
            held[r] = vf_load(q + r * VF_LANES);
        const float *again = q;
        for (int j = 0; j < keys; j++) {
            const vf kv = vf_all(k[(size_t)j * d + c]);
            again = lanes_again(again);
            for (int r = 0; r < R; r++)
                acc[j][r] =
                    mac(r < LANES_HELD ? held[r] : vf_load(again + r * VF_LANES), kv, acc[j][r]);
        }
    }
    const vf s2 = vf_all(s->t->s2);
    for (int j = 0; j < keys; j++)
        for (int r = 0; r < R; r++)
            vf_store(p + (j * R + r) * VF_LANES, vf_mul(acc[j][r], s2));
}

VF_INLINE void lanes_scores(lanes_state *s, const lanes_block *b, int R, int keys, vf_mac *mac)
{
    const uint32_t d = s->t->w->d;
    const float *k = (const float *)s->t->k + (size_t)b->from * d;
    float *p = s->p + (size_t)(b->from - b->j0) * R * VF_LANES;
    uint32_t left = b->to - b->from;
    for (; left >= (uint32_t)keys; left -= keys, k += (size_t)keys * d, p += keys * R * VF_LANES)
        lanes_scores_step(s, k, p, R, keys, mac);
    for (; left >= 2; left -= 2, k += 2 * (size_t)d, p += 2 * R * VF_LANES)
        lanes_scores_step(s, k, p, R, 2, mac);
    if (left)
        lanes_scores_step(s, k, p, R, 1, mac);
}

/* Weights E2(score - m) of the four keys that share a summation lane, stored and summed in order.
 */
VF_INLINE vf lanes_weigh4(float *p, int R, vf m, vfm keep, bool careful, vf_mac *mac)
{
    vf w[4];
    for (int i = 0; i < 4; i++) {
        float *at = p + (size_t)i * 16 * R * VF_LANES;
        w[i] = vf_e2(vf_sub(vf_load(at), m), mac);
        if (careful)
            w[i] = vf_where(keep, w[i]);
        vf_store(at, w[i]);
    }
    return vf_add(vf_add(vf_add(w[0], w[1]), w[2]), w[3]);
}

/* Row maximum, rescale factor, weights and their sum for one vector of lanes. */
VF_INLINE void lanes_softmax(lanes_state *s, int R, int r, bool careful, vf_mac *mac)
{
    float *p = s->p + r * VF_LANES;
    const vf before = vf_load(s->m + r * VF_LANES);
    const vf m = vf_max(vf_load(s->top + r * VF_LANES), before);
    vf a = vf_e2(vf_sub(before, m), mac);
    const vfm keep = careful ? s->counts[r] : vfm_none();
    if (careful)
        a = vf_select(keep, a, vf_all(1.0f));
    vf_store(s->m + r * VF_LANES, m);
    vf_store(s->a + r * VF_LANES, a);

    vf sum[8];
    for (int i = 0; i < 8; i++) {
        const vf low = lanes_weigh4(p + (size_t)i * R * VF_LANES, R, m, keep, careful, mac);
        const vf high = lanes_weigh4(p + (size_t)(i + 8) * R * VF_LANES, R, m, keep, careful, mac);
        sum[i] = vf_add(low, high);
    }
    for (int half = 4; half >= 1; half /= 2)
        for (int i = 0; i < half; i++)
            sum[i] = vf_add(sum[i], sum[i + half]);
    const vf l = vf_load(s->l + r * VF_LANES);
    vf_store(s->l + r * VF_LANES, mac(l, a, sum[0]));
}

/* Contract: keys that a lane does not see are left out, even if their value is not finite. */
VF_INLINE vf lanes_unless_hidden(const lanes_state *s, int r, uint32_t j, vf with, vf without)
{
    const vfm seen = vf_between(s->lo + r * VF_LANES, j, s->hi + r * VF_LANES);
    return vf_select(vfm_and(s->counts[r], seen), with, without);
}

/* o = MAC(o, a, u), u = sum over the block of p_j v_j, for `columns` columns of V. */
VF_INLINE void lanes_values_step(lanes_state *s, const lanes_block *b, uint32_t c, int R,
                                 int columns, bool select, vf_mac *mac)
{
    const uint32_t dv = s->t->w->dv;
    const float *v = (const float *)s->t->v + (size_t)b->from * dv + c;
    const float *p = s->p + (size_t)(b->from - b->j0) * R * VF_LANES;
    vf acc[LANES_KEYS][LANES_MAX_R], held[LANES_MAX_R];
    for (int i = 0; i < columns; i++)
        for (int r = 0; r < R; r++)
            acc[i][r] = vf_all(0.0f);
    for (uint32_t j = b->from; j < b->to; j++, v += dv, p += R * VF_LANES) {
        for (int r = 0; r < R && r < LANES_HELD; r++)
            held[r] = vf_load(p + r * VF_LANES);
        const float *again = p;
        for (int i = 0; i < columns; i++) {
            const vf vv = vf_all(v[i]);
            again = lanes_again(again);
            for (int r = 0; r < R; r++) {
                const vf weight = r < LANES_HELD ? held[r] : vf_load(again + r * VF_LANES);
                const vf u = mac(weight, vv, acc[i][r]);
                acc[i][r] = select ? lanes_unless_hidden(s, r, j, u, acc[i][r]) : u;
            }
        }
    }
    float *o = s->o + (size_t)c * R * VF_LANES;
    for (int i = 0; i < columns; i++)
        for (int r = 0; r < R; r++, o += VF_LANES)
            vf_store(o, mac(vf_load(o), vf_load(s->a + r * VF_LANES), acc[i][r]));
}

VF_INLINE void lanes_values(lanes_state *s, const lanes_block *b, int R, int columns, bool select,
                            vf_mac *mac)
{
    const uint32_t dv = s->t->w->dv;
    uint32_t c = 0;
    for (; c + columns <= dv; c += columns)
        lanes_values_step(s, b, c, R, columns, select, mac);
    for (; c + 2 <= dv; c += 2)
        lanes_values_step(s, b, c, R, 2, select, mac);
    if (c < dv)
        lanes_values_step(s, b, c, R, 1, select, mac);
}

/* The split's state (m, l, o) joins the running state; lanes it did not count for stay. */
VF_INLINE void lanes_merge(lanes_state *s, int R, vf_mac *mac)
{
    const uint32_t dv = s->t->w->dv;
    for (int r = 0; r < R; r++) {
        const vf m0 = vf_load(s->all_m + r * VF_LANES), m1 = vf_load(s->m + r * VF_LANES);
        const vf l0 = vf_load(s->all_l + r * VF_LANES), l1 = vf_load(s->l + r * VF_LANES);
        const vfm counts = vf_not_equal(l1, vf_all(0.0f));
        const vf m = vf_max(m0, m1);
        const vf a = vf_e2(vf_sub(m0, m), mac), b = vf_e2(vf_sub(m1, m), mac);
        vf_store(s->all_m + r * VF_LANES, m);
        vf_store(s->all_l + r * VF_LANES, vf_select(counts, mac(l0, a, vf_mul(l1, b)), l0));
        for (uint32_t c = 0; c < dv; c++) {
            float *o0 = s->all_o + ((size_t)c * R + r) * VF_LANES;
            const vf o1 = vf_load(s->o + ((size_t)c * R + r) * VF_LANES), o = vf_load(o0);
            vf_store(o0, vf_select(counts, mac(o, a, vf_mul(o1, b)), o));
        }
    }
}

/* Step 3: out = o * RECIP(l), transposed back; rows that saw no key are +0. */
VF_INLINE void lanes_finish(lanes_state *s, int R, vf_mac *mac)
{
    const uint32_t dv = s->t->w->dv, stride = (uint32_t)R * VF_LANES;
    float r[LANES_MAX];
    for (int i = 0; i < R; i++) {
        const vf l = vf_load(s->l + i * VF_LANES);
        vf_store(r + i * VF_LANES, vf_where(vf_not_equal(l, vf_all(0.0f)), vf_recip(l, mac)));
    }
    for (uint32_t row = 0; row < s->t->rows; row++)
        for (uint32_t c = 0; c < dv; c++)
            s->t->out[(size_t)row * dv + c] = s->o[(size_t)c * stride + row] * r[row];
}

#endif
