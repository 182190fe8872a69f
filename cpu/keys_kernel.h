/* SPDX-License-Identifier: Apache-2.0
 *
 * KEYS_KERNEL(name, rules) and KEYS_KERNEL_X(name) define the kernel `name` with one key per lane
 * (cpu/keys_tile.h).
 */
#ifndef CPU_KEYS_KERNEL_H
#define CPU_KEYS_KERNEL_H

#include "cpu/keys_tile.h"

#define KEYS_PHASE static __attribute__((noinline))

/* The split's state (m, l, o) of a row joins the running state. */
VF_INLINE void keys_merge(keys_state *s, uint32_t row, lanes_rules rules)
{
    const uint32_t dv = s->t->w->dv;
    const float m0 = s->all_m[row], m1 = s->m[row], m = m1 > m0 ? m1 : m0;
    const vf a = vf_e2(vf_all(m0 - m), rules.mac), b = vf_e2(vf_all(m1 - m), rules.mac);
    float x[VF_LANES];
    vf_store(x, rules.mac(vf_all(s->all_l[row]), a, vf_mul(vf_all(s->l[row]), b)));
    s->all_l[row] = x[0];
    s->all_m[row] = m;
    for (uint32_t c = 0; c < dv; c += VF_LANES) {
        float *o0 = s->all_o + (size_t)row * dv + c;
        const vf o1 = vf_load_first(s->o + (size_t)row * dv + c, dv - c);
        vf_store_first(o0, rules.mac(vf_load_first(o0, dv - c), a, vf_mul(o1, b)), dv - c);
    }
}

/* Step 3: out = o * RECIP(l); a row that saw no key is +0. */
VF_INLINE void keys_finish(keys_state *s, uint32_t row, lanes_rules rules)
{
    const uint32_t dv = s->t->w->dv;
    const float *o = s->o + (size_t)row * dv;
    float *out = s->t->out + (size_t)row * dv, r[VF_LANES];
    vf_store(r, vf_recip(vf_all(s->l[row]), rules.mac));
    for (uint32_t c = 0; c < dv; c++)
        out[c] = s->l[row] == 0.0f ? 0.0f : o[c] * r[0];
}

#define KEYS_ROWS_OPS(id, rows, dtype, rules)                                                      \
    KEYS_PHASE void keys_scores_##id##_##rows(const keys_state *s, uint32_t row, uint32_t j,       \
                                              float *p)                                            \
    {                                                                                              \
        keys_scores(s, row, j, p, rows, dtype, rules);                                             \
    }                                                                                              \
    KEYS_PHASE void keys_values_##id##_##rows(const keys_state *s, const float *p, uint32_t row,   \
                                              uint32_t from, uint32_t to)                          \
    {                                                                                              \
        keys_values(s, p, row, from, to, rows, dtype, rules);                                      \
    }

/* The constant keys_ops_<id>. */
#define KEYS_OPS(id, dtype, rules)                                                                 \
    KEYS_PHASE void keys_pack_##id(keys_state *s, uint32_t j, uint32_t to)                         \
    {                                                                                              \
        keys_pack(s, j, to, dtype);                                                                \
    }                                                                                              \
    KEYS_ROWS_OPS(id, 1, dtype, rules)                                                             \
    KEYS_ROWS_OPS(id, 2, dtype, rules)                                                             \
    KEYS_ROWS_OPS(id, 3, dtype, rules)                                                             \
    KEYS_ROWS_OPS(id, 4, dtype, rules)                                                             \
    KEYS_ROWS_OPS(id, 5, dtype, rules)                                                             \
    KEYS_ROWS_OPS(id, 6, dtype, rules)                                                             \
    KEYS_PHASE bool keys_softmax_##id(keys_state *s, float *p, uint32_t row, uint32_t from,        \
                                      uint32_t to)                                                 \
    {                                                                                              \
        return keys_softmax(s, p, row, from, to, rules);                                           \
    }                                                                                              \
    KEYS_PHASE void keys_merge_##id(keys_state *s, uint32_t row)                                   \
    {                                                                                              \
        keys_merge(s, row, rules);                                                                 \
    }                                                                                              \
    KEYS_PHASE void keys_finish_##id(keys_state *s, uint32_t row)                                  \
    {                                                                                              \
        keys_finish(s, row, rules);                                                                \
    }                                                                                              \
    static const keys_ops keys_ops_##id = {                                                        \
        keys_pack_##id,                                                                            \
        {keys_scores_##id##_1, keys_scores_##id##_2, keys_scores_##id##_3, keys_scores_##id##_4,   \
         keys_scores_##id##_5, keys_scores_##id##_6},                                              \
        keys_softmax_##id,                                                                         \
        {keys_values_##id##_1, keys_values_##id##_2, keys_values_##id##_3, keys_values_##id##_4,   \
         keys_values_##id##_5, keys_values_##id##_6},                                              \
        keys_merge_##id,                                                                           \
        keys_finish_##id};

#define KEYS_KERNEL_OF(name, ops)                                                                  \
    static void kernel_tile(const cpu_tile *t)                                                     \
    {                                                                                              \
        keys_tile(t, ops);                                                                         \
    }                                                                                              \
    static void kernel_part(const cpu_tile *t, uint32_t split, void *state)                        \
    {                                                                                              \
        keys_part(t, ops, split, state);                                                           \
    }                                                                                              \
    static void kernel_merge(const cpu_tile *t, void *states, uint32_t count)                      \
    {                                                                                              \
        keys_join(t, ops, states, count);                                                          \
    }                                                                                              \
    extern const cpu_kernel_impl name;                                                             \
    const cpu_kernel_impl name = {                                                                 \
        kernel_tile,      keys_scratch,           KEYS_STACK, kernel_part, kernel_merge,           \
        keys_state_bytes, KEYS_STACK * KEYS_ROWS, KEYS_ROWS};

/* Contracts F and M. */
#define KEYS_KERNEL(name, rules)                                                                   \
    KEYS_OPS(f32, ATTN_F32, rules)                                                                 \
    KEYS_KERNEL_OF(name, &keys_ops_f32)

/* Contract X: every f16 is ordinary (see vf_ordinary), so its products may be fused. */
#define KEYS_KERNEL_X(name)                                                                        \
    KEYS_OPS(f16, ATTN_F16, LANES_RULES_X_FUSED)                                                   \
    KEYS_OPS(bf16, ATTN_BF16, LANES_RULES_X)                                                       \
    KEYS_KERNEL_OF(name, t->w->dtype == ATTN_F16 ? &keys_ops_f16 : &keys_ops_bf16)

#endif
