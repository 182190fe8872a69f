/* SPDX-License-Identifier: Apache-2.0
 *
 * The two products of a lane kernel (cpu/lanes_tile.h), where its time goes: scores = Q K^T and
 * u = P V, as cpu/x86/x86_products.h has them, but with multiply-accumulate by element: four
 * neighbouring elements of a row of K or V lie in one register and each multiplies a vector of
 * queries, so that broadcasts cost neither loads nor instructions. R (vectors of queries), keys,
 * columns and rules are compile-time constants wherever these are inlined.
 *
 * 24 accumulators (6 vectors of queries x 4 keys), 4 vectors of keys, one of queries and one
 * product (contract M) are 30 of 32 registers.
 */
#ifndef CPU_ARM_NEON_PRODUCTS_H
#define CPU_ARM_NEON_PRODUCTS_H

#define LANES_MAX_R 6
#define LANES_KEYS  4

#include "cpu/lanes_state.h"

/* The instructions themselves, in this order: compilers that schedule the arithmetic of a whole
 * register tile load operands early until accumulators spill, which costs gcc's loops a third. */
#define NEON_FMA(lane)                                                                             \
    __asm__ volatile("fmla %0.4s, %1.4s, %2.s[" #lane "]" : "+w"(*acc) : "w"(a), "w"(b))
#define NEON_MUL_ADD(lane)                                                                         \
    __asm__ volatile("fmul %1.4s, %2.4s, %3.s[" #lane "]\n\tfadd %0.4s, %1.4s, %0.4s"              \
                     : "+w"(*acc), "=w"(product)                                                   \
                     : "w"(a), "w"(b))
#define NEON_SELECT(instruction, lane)                                                             \
    switch (lane) {                                                                                \
    case 0:                                                                                        \
        instruction(0);                                                                            \
        break;                                                                                     \
    case 1:                                                                                        \
        instruction(1);                                                                            \
        break;                                                                                     \
    case 2:                                                                                        \
        instruction(2);                                                                            \
        break;                                                                                     \
    default:                                                                                       \
        instruction(3);                                                                            \
    }

/* *acc = MAC(a, b[lane], *acc), the MAC being that of the contract that mac belongs to. */
VF_INLINE void lanes_mac_element(vf *acc, vf a, vf b, int lane, vf_mac *mac)
{
    if (mac == vf_mac_f) {
        NEON_SELECT(NEON_FMA, lane)
    } else {
        vf product;
        NEON_SELECT(NEON_MUL_ADD, lane)
    }
}

/* The first `count` (4, 2 or 1) of four floats: what lies past them is not read. */
VF_INLINE vf lanes_load_first(const float *p, int count)
{
    if (count == VF_LANES)
        return vf_load(p);
    return count == 2 ? vcombine_f32(vld1_f32(p), vdup_n_f32(0.0f)) : vf_all(*p);
}

/* One column: element `lane` of each of the keys against all vectors of queries. */
VF_INLINE void lanes_scores_column(vf acc[LANES_KEYS][LANES_MAX_R], const float *q, const vf *k,
                                   int lane, int R, int keys, vf_mac *mac)
{
    for (int r = 0; r < R; r++) {
        const vf query = vf_load(q + r * VF_LANES);
        for (int i = 0; i < keys; i++)
            lanes_mac_element(&acc[i][r], query, k[i], lane, mac);
    }
}

/* Scores of the keys j..j+keys-1 against all lanes. */
VF_INLINE void lanes_scores_step(const lanes_state *s, const lanes_block *b, uint32_t j, int R,
                                 int keys, lanes_rules rules)
{
    const uint32_t d = s->t->w->d;
    const size_t stride = b->k_stride, column = (size_t)R * VF_LANES;
    const float *k = b->k + (j - b->from) * stride, *q = s->q;
    float *p = s->p + (size_t)(j - b->j0) * R * VF_LANES;
    vf acc[LANES_KEYS][LANES_MAX_R], row[LANES_KEYS];
    for (int i = 0; i < keys; i++)
        for (int r = 0; r < R; r++)
            acc[i][r] = vf_all(0.0f);
    uint32_t c = 0;
    for (; c + VF_LANES <= d; c += VF_LANES, q += VF_LANES * column) {
        for (int i = 0; i < keys; i++)
            row[i] = vf_load(k + i * stride + c);
        lanes_scores_column(acc, q, row, 0, R, keys, rules.product);
        lanes_scores_column(acc, q + column, row, 1, R, keys, rules.product);
        lanes_scores_column(acc, q + 2 * column, row, 2, R, keys, rules.product);
        lanes_scores_column(acc, q + 3 * column, row, 3, R, keys, rules.product);
    }
    for (; c < d; c++, q += column) {
        for (int i = 0; i < keys; i++)
            row[i] = vf_all(k[i * stride + c]);
        lanes_scores_column(acc, q, row, 0, R, keys, rules.product);
    }
    const vf s2 = vf_all(s->t->s2);
    for (int i = 0; i < keys; i++)
        for (int r = 0; r < R; r++)
            vf_store(p + (i * R + r) * VF_LANES, vf_mul(acc[i][r], s2));
}

/* o = MAC(o, a, u), u = sum over the block of p_j v_j, for `columns` columns of V. */
VF_INLINE void lanes_values_step(lanes_state *s, const lanes_block *b, uint32_t c, int R,
                                 int columns, bool select, lanes_rules rules)
{
    const float *v = b->v + c;
    const float *p = s->p + (size_t)(b->from - b->j0) * R * VF_LANES;
    vf acc[LANES_KEYS][LANES_MAX_R];
    for (int i = 0; i < columns; i++)
        for (int r = 0; r < R; r++)
            acc[i][r] = vf_all(0.0f);
    for (uint32_t j = b->from; j < b->to; j++, v += b->v_stride, p += R * VF_LANES) {
        const vf row = lanes_load_first(v, columns);
        for (int r = 0; r < R; r++) {
            const vf weight = vf_load(p + r * VF_LANES);
            for (int i = 0; i < columns; i++) {
                vf u = acc[i][r];
                lanes_mac_element(&u, weight, row, i, rules.product);
                acc[i][r] = select ? lanes_unless_hidden(s, r, j, u, acc[i][r]) : u;
            }
        }
    }
    float *o = s->o + (size_t)c * R * VF_LANES;
    for (int i = 0; i < columns; i++)
        for (int r = 0; r < R; r++, o += VF_LANES)
            vf_store(o, rules.mac(vf_load(o), vf_load(s->a + r * VF_LANES), acc[i][r]));
}

#endif
