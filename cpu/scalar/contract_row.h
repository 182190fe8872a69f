/* SPDX-License-Identifier: Apache-2.0
 *
 * The scalar reference of the numerics contract: one query row, in the steps and with the names
 * of docs/numerics.md. Every other exact kernel must return these bits. It is the plainest loop
 * over that page and is meant to be read beside it.
 */
#ifndef CPU_SCALAR_CONTRACT_ROW_H
#define CPU_SCALAR_CONTRACT_ROW_H

#include <stdbool.h>

#include "attn/tensor.h"
#include "cpu/scalar/contract_math.h"
#include "cpu/tile.h"

typedef struct contract_state {
    float m, l; /* row maximum so far (in units of log 2), sum of weights relative to it */
    float *o;   /* [dv] weighted sum of value rows */
} contract_state;

static inline float contract_at(const void *tensor, attn_dtype dtype, size_t index)
{
    switch (dtype) {
    case ATTN_F16:
        return attn_f16_to_f32(((const uint16_t *)tensor)[index]);
    case ATTN_BF16:
        return attn_bf16_to_f32(((const uint16_t *)tensor)[index]);
    default:
        return ((const float *)tensor)[index];
    }
}

/* Contracts F and M store binary32 only. */
static inline attn_dtype contract_dtype(const cpu_tile *t, bool x)
{
    return x ? t->w->dtype : ATTN_F32;
}

static inline void contract_reset(contract_state *state, uint32_t dv)
{
    state->m = -INFINITY;
    state->l = 0.0f;
    for (uint32_t c = 0; c < dv; c++)
        state->o[c] = 0.0f;
}

/* Step 1: the score of key j in units of log 2. */
static inline float contract_score(const cpu_tile *t, const float *q, uint32_t j, contract_mac *mac,
                                   attn_dtype dtype)
{
    const uint32_t d = t->w->d;
    float sum = 0.0f;
    for (uint32_t c = 0; c < d; c++)
        sum = mac(q[c], contract_at(t->k, dtype, j * t->k_stride + c), sum);
    return sum * t->s2;
}

/* The sum of a block's 64 weights: 16 lanes, then a tree. */
static inline float contract_block_sum(const float p[ATTN_BK])
{
    float lane[16];
    for (int r = 0; r < 16; r++)
        lane[r] = ((p[r] + p[r + 16]) + p[r + 32]) + p[r + 48];
    for (int s = 8; s >= 1; s /= 2)
        for (int r = 0; r < s; r++)
            lane[r] += lane[r + s];
    return lane[0];
}

/* Step 2 for the block of keys that starts at j0; visible keys are lo..hi-1. `merge` is the
 * multiply-accumulate of E2 and of the merges. Returns false when a visible score is NaN or
 * +inf, which makes the row NaN. */
static inline bool contract_block(const cpu_tile *t, const float *q, uint32_t j0, uint32_t lo,
                                  uint32_t hi, contract_mac *mac, contract_mac *merge, bool x,
                                  contract_state *state)
{
    const uint32_t dv = t->w->dv;
    float p[ATTN_BK] = {0.0f};
    float m = state->m;
    bool counts = false;
    for (uint32_t j = lo; j < hi; j++) {
        float score = contract_score(t, q, j, mac, contract_dtype(t, x));
        if (isnan(score) || score == INFINITY)
            return false;
        p[j - j0] = score;
        m = fmaxf(m, score);
        counts |= score > -INFINITY;
    }
    if (!counts)
        return true;

    for (uint32_t j = lo; j < hi; j++) {
        float weight = contract_e2(p[j - j0] - m, merge);
        p[j - j0] = x ? contract_round12(weight) : weight;
    }
    float a = contract_e2(state->m - m, merge);
    state->l = merge(state->l, a, contract_block_sum(p));
    for (uint32_t c = 0; c < dv; c++) {
        float u = 0.0f;
        for (uint32_t j = lo; j < hi; j++)
            u = mac(p[j - j0], contract_at(t->v, contract_dtype(t, x), j * t->v_stride + c), u);
        state->o[c] = merge(state->o[c], a, u);
    }
    state->m = m;
    return true;
}

/* Merges the state of one split into the running state. */
static inline void contract_merge(contract_state *into, const contract_state *part, uint32_t dv,
                                  contract_mac *merge)
{
    if (part->m == -INFINITY)
        return;
    float m = fmaxf(into->m, part->m);
    float a = contract_e2(into->m - m, merge);
    float b = contract_e2(part->m - m, merge);
    into->l = merge(into->l, a, part->l * b);
    for (uint32_t c = 0; c < dv; c++)
        into->o[c] = merge(into->o[c], a, part->o[c] * b);
    into->m = m;
}

static inline uint32_t contract_min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Steps 2 and 3 for one row of the tile; scratch holds the query and two states. */
static inline void contract_row(const cpu_tile *t, uint32_t row, contract_mac *mac,
                                contract_mac *merge, bool x)
{
    const uint32_t dv = t->w->dv, hi = t->spans[row].hi;
    const uint32_t split = t->w->split ? t->w->split : ATTN_MAX_LENGTH;
    float *out = t->out + (size_t)row * dv;
    float *q = t->scratch;
    contract_state all = {.o = q + t->w->d}, part = {.o = all.o + dv};
    for (uint32_t c = 0; c < t->w->d; c++)
        q[c] = contract_at(t->q, contract_dtype(t, x), row * t->q_stride + c);
    contract_reset(&all, dv);

    for (uint32_t j = t->spans[row].lo; j < hi;) {
        const uint32_t split_end = contract_min(hi, (j / split + 1) * split);
        contract_reset(&part, dv);
        while (j < split_end) {
            const uint32_t j0 = j / ATTN_BK * ATTN_BK, end = contract_min(split_end, j0 + ATTN_BK);
            if (!contract_block(t, q, j0, j, end, mac, merge, x, &part)) {
                for (uint32_t c = 0; c < dv; c++)
                    out[c] = attn_float_of(ATTN_NAN_BITS);
                return;
            }
            j = end;
        }
        contract_merge(&all, &part, dv, merge);
    }

    float r = all.l == 0.0f ? 0.0f : contract_recip(all.l, merge);
    for (uint32_t c = 0; c < dv; c++)
        out[c] = all.l == 0.0f ? 0.0f : all.o[c] * r;
}

static inline size_t contract_scratch(const attn_workload *w)
{
    return ((size_t)w->d + 2 * (size_t)w->dv) * sizeof(float);
}

#endif
