/* SPDX-License-Identifier: Apache-2.0
 *
 * The two products of a lane kernel (cpu/lanes_tile.h), where its time goes: scores = Q K^T and
 * u = P V, for ISAs whose registers are filled by a broadcast from memory. R (vectors of queries),
 * keys, columns and rules are compile-time constants wherever these are inlined.
 */
#ifndef CPU_X86_X86_PRODUCTS_H
#define CPU_X86_X86_PRODUCTS_H

/* The register tile; kernels that show a smaller one define their own. */
#ifndef LANES_MAX_R
#define LANES_MAX_R 3
#define LANES_KEYS  4
#endif

#include "cpu/lanes_state.h"

/* 12 accumulators, three operand vectors and one broadcast are 16 registers. A product that is not
 * fused needs one more: the third operand vector is then read from memory at every use; compilers
 * that are left to themselves load it once and spill accumulators instead. */
#define LANES_HELD(mac) (VF_REGISTERS >= 32 || (mac) == vf_mac_f ? LANES_MAX_R : 2)

/* The same address, in a way that no compiler can reuse an earlier load from it. */
VF_INLINE const float *lanes_again(const float *p)
{
    __asm__("" : "+r"(p));
    return p;
}

typedef vf lanes_sums[LANES_KEYS][LANES_MAX_R];

VF_INLINE void lanes_clear(lanes_sums acc, int R, int width)
{
    VF_UNROLL
    for (int i = 0; i < width; i++) {
        VF_UNROLL
        for (int r = 0; r < R; r++)
            acc[i][r] = vf_all(0.0f);
    }
}

/* acc[i][r] = MAC(a[r], b[i * step], acc[i][r]) */
VF_INLINE void lanes_outer(lanes_sums acc, const float *a, const float *b, size_t step, int R,
                           int width, vf_mac *mac)
{
    vf held[LANES_MAX_R];
    VF_UNROLL
    for (int r = 0; r < R; r++)
        if (r < LANES_HELD(mac))
            held[r] = vf_load(a + r * VF_LANES);
    VF_UNROLL
    for (int i = 0; i < width; i++) {
        const vf x = vf_all(b[i * step]);
        if (R > LANES_HELD(mac))
            a = lanes_again(a);
        VF_UNROLL
        for (int r = 0; r < R; r++) {
            const vf y = r < LANES_HELD(mac) ? held[r] : vf_load(a + r * VF_LANES);
            acc[i][r] = mac(y, x, acc[i][r]);
        }
    }
}

/* Scores of the keys j..j+keys-1 against all lanes. */
VF_INLINE void lanes_scores_step(const lanes_state *s, const lanes_block *b, uint32_t j, int R,
                                 int keys, lanes_rules rules)
{
    const uint32_t d = s->t->w->d;
    const float *k = b->k + (j - b->from) * b->k_stride, *q = s->q;
    float *p = s->p + (size_t)(j - b->j0) * R * VF_LANES;
    lanes_sums acc;
    lanes_clear(acc, R, keys);
    for (uint32_t c = 0; c < d; c++, q += R * VF_LANES)
        lanes_outer(acc, q, k + c, b->k_stride, R, keys, rules.product);
    const vf s2 = vf_all(s->t->s2);
    VF_UNROLL
    for (int i = 0; i < keys; i++) {
        VF_UNROLL
        for (int r = 0; r < R; r++)
            vf_store(p + (i * R + r) * VF_LANES, rules.free ? acc[i][r] : vf_mul(acc[i][r], s2));
    }
}

/* o = MAC(o, a, u), u = sum over the block of p_j v_j, for `columns` columns of V. Without a
 * contract the sum starts from o * a. */
VF_INLINE void lanes_values_step(lanes_state *s, const lanes_block *b, uint32_t c, int R,
                                 int columns, bool select, lanes_rules rules)
{
    const float *v = b->v + c, *p = s->p + (size_t)(b->from - b->j0) * R * VF_LANES;
    float *o = s->o + (size_t)c * R * VF_LANES;
    lanes_sums acc;
    lanes_clear(acc, R, columns);
    if (rules.free) {
        VF_UNROLL
        for (int i = 0; i < columns; i++) {
            VF_UNROLL
            for (int r = 0; r < R; r++)
                acc[i][r] =
                    vf_mul(vf_load(o + (i * R + r) * VF_LANES), vf_load(s->a + r * VF_LANES));
        }
    }
    for (uint32_t j = b->from; j < b->to; j++, v += b->v_stride, p += R * VF_LANES) {
        lanes_sums before;
        if (select)
            memcpy(before, acc, sizeof before);
        lanes_outer(acc, p, v, 1, R, columns, rules.product);
        if (select)
            for (int i = 0; i < columns; i++)
                for (int r = 0; r < R; r++)
                    acc[i][r] = lanes_unless_hidden(s, r, j, acc[i][r], before[i][r]);
    }
    VF_UNROLL
    for (int i = 0; i < columns; i++) {
        VF_UNROLL
        for (int r = 0; r < R; r++, o += VF_LANES) {
            const vf u = acc[i][r];
            vf_store(o, rules.free ? u : rules.mac(vf_load(o), vf_load(s->a + r * VF_LANES), u));
        }
    }
}

#endif
