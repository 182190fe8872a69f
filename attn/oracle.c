/* SPDX-License-Identifier: Apache-2.0
 *
 * Attention by its formula in binary64, with an error bound for binary32 kernels (which
 * oracle_bound.c derives).
 *
 * Products of two widened inputs are exact in binary64, so scores carry only the rounding of
 * their sum, and every error of this file is some 2^-29 of the errors that it bounds; each count
 * of the bound has at least one rounding to spare for them.
 */
#include "attn/oracle.h"

#include <float.h>
#include <math.h>

#include "attn/contract.h"
#include "attn/oracle_row.h"
#include "attn/tensor.h"

/* E2 gives 0 below 2^-60. */
#define CUT   (60.0 * 0.69314718055994530942)
#define LOG2E 1.4426950408889634074

/* Compensated summation: what the sum loses by rounding, exact without a comparison. */
static inline void add(double *sum, double *lost, double x)
{
    const double next = *sum + x, part = next - *sum;

    *lost += (*sum - (next - part)) + (x - part);
    *sum = next;
}

/* A query, or a key or its value, of the row's head. */
static void widen_row(const oracle_row *r, attn_tensor_id tensor, uint32_t index, float *dst)
{
    const attn_rows rows = attn_inputs_rows(r->w, r->in, tensor, r->batch, r->head, index);

    attn_widen(rows.first, r->w->dtype, attn_inputs_shape(r->w, tensor).width, dst);
}

/* Fills score, score_error, max and max_error. */
static void compute_scores(oracle_row *r)
{
    const attn_workload *w = r->w;
    const double scale = w->scale, s2 = fabs(scale) * LOG2E;
    float q[ATTN_MAX_HEAD_SIZE], k[ATTN_MAX_HEAD_SIZE];
    bool query_underflows = false;

    widen_row(r, ATTN_TENSOR_Q, r->query, q);
    for (uint32_t c = 0; c < w->d; c++)
        query_underflows |= q[c] != 0.0f && fabs(q[c]) * s2 < LEAST_NORMAL;
    r->max = -INFINITY;
    r->max_error = 0.0;
    for (uint32_t j = r->span.lo; j < r->span.hi; j++) {
        double dot = 0.0, products = 0.0, keys = 0.0;
        widen_row(r, ATTN_TENSOR_K, j, k);
        for (uint32_t c = 0; c < w->d; c++) {
            const double product = (double)q[c] * k[c];
            dot += product;
            products += fabs(product);
            keys += fabs(k[c]);
        }
        double score = dot * scale;
        if (fabs(score) * LOG2E > FLT_MAX) /* no binary32 holds it */
            score = score > 0.0 ? INFINITY : -INFINITY;
        double underflow = (2.0 * w->d + 3.0) * (1.0 + s2);
        if (query_underflows)
            underflow += keys;
        if (s2 < LEAST_NORMAL)
            underflow += products;
        const double error = products == 0.0 ? 0.0
                                             : oracle_rise(w->d + 3.0) * fabs(scale) * products +
                                                   LEAST_NORMAL * underflow;
        r->score[j - r->span.lo] = score;
        r->score_error[j - r->span.lo] = error;
        if (isnan(score) || isnan(r->max))
            r->max = NAN;
        else if (score > r->max)
            r->max = score;
        if (score > -INFINITY && error > r->max_error)
            r->max_error = error;
    }
}

/* Replaces scores by weights and their errors by the largest change of each weight. */
static void compute_weights(oracle_row *r)
{
    const uint32_t count = r->span.hi - r->span.lo;
    double total = 0.0, lost = 0.0;

    for (uint32_t j = 0; j < count; j++)
        add(&total, &lost, exp(r->score[j] - r->max));
    total += lost;
    r->total_off = 0.0;
    for (uint32_t j = 0; j < count; j++) {
        const double below = r->max - r->score[j];
        const double weight = exp(-below) / total;
        double off = 0.0;
        if (below < INFINITY) {
            const double up = r->log_error[j];
            off = up < 1.0 ? weight * expm1(up) : exp(fmin(up - below, 700.0)) / total;
            if (below + r->score_error[j] + 2.0 * r->max_error > CUT * (1.0 - 0x1p-20))
                off = fmax(off, weight);
        }
        r->weight[j] = weight;
        r->weight_off[j] = off;
        r->total_off += off;
    }
}

/* NaN and inf in V reach the output from every visible key of a block that counts, from weights
 * of 0 as NaN. Runs while the scores are still there. */
static void find_specials(oracle_row *r)
{
    float v[ATTN_MAX_HEAD_SIZE];
    bool counts = false;

    for (uint32_t j = r->span.lo; j < r->span.hi; j++) {
        const double *score = r->score - r->span.lo;
        if (j == r->span.lo || j % ATTN_BK == 0) {
            counts = false;
            for (uint32_t i = j; i < r->span.hi && i / ATTN_BK == j / ATTN_BK; i++)
                counts |= score[i] > -INFINITY;
        }
        if (!counts)
            continue;
        widen_row(r, ATTN_TENSOR_V, j, v);
        const double factor = r->max - score[j] > CUT ? 0.0 : 1.0;
        for (uint32_t c = 0; c < r->w->dv; c++)
            if (!isfinite(v[c]))
                r->columns.special[c] += factor * v[c];
    }
}

/* The value row of a key, 0 where it is not finite. */
static void finite_values(const oracle_row *r, uint32_t key, double v[ATTN_MAX_HEAD_SIZE])
{
    float values[ATTN_MAX_HEAD_SIZE];

    widen_row(r, ATTN_TENSOR_V, key, values);
    for (uint32_t c = 0; c < r->w->dv; c++)
        v[c] = fabsf(values[c]) <= FLT_MAX ? values[c] : 0.0;
}

/* Fills the columns from weights and V; out gets the values. */
static void compute_values(oracle_row *r, double *out)
{
    const oracle_columns *col = &r->columns;
    const uint32_t dv = r->w->dv;
    double v[ATTN_MAX_HEAD_SIZE];

    for (uint32_t j = r->span.lo; j < r->span.hi; j++) {
        const double weight = r->weight[j - r->span.lo];
        finite_values(r, j, v);
        for (uint32_t c = 0; c < dv; c++) {
            add(&col->sum[c], &col->lost[c], weight * v[c]);
            col->absolute[c] += weight * fabs(v[c]);
        }
    }
    for (uint32_t c = 0; c < dv; c++)
        out[c] = col->sum[c] + col->lost[c];
    for (uint32_t j = r->span.lo; j < r->span.hi; j++) {
        const double weight_off = r->weight_off[j - r->span.lo];
        if (weight_off == 0.0)
            continue;
        finite_values(r, j, v);
        for (uint32_t c = 0; c < dv; c++) {
            const double away = fabs(v[c] - out[c]);
            col->deviation[c] += weight_off * away;
            col->farthest[c] = away > col->farthest[c] ? away : col->farthest[c];
        }
    }
}

static attn_status compute_row(oracle_row *r, double *out, double *bound, attn_reason *why)
{
    const uint32_t dv = r->w->dv;

    r->span = attn_mask_row(r->w, r->batch, r->query);
    const size_t count = r->span.hi - r->span.lo;
    double *work = attn_alloc((3 * count + 6 * (size_t)dv) * sizeof *work);
    if (!work)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "oracle: no memory for %zu keys", count);
    r->weight = r->score = work;
    r->weight_off = r->score_error = work + count;
    r->log_error = work + 2 * count;
    double *rest = work + 3 * count;
    r->columns = (oracle_columns){rest,          rest + dv,     rest + 2 * dv,
                                  rest + 3 * dv, rest + 4 * dv, rest + 5 * dv};
    for (uint32_t i = 0; i < 6 * dv; i++)
        rest[i] = 0.0;
    for (uint32_t c = 0; c < dv; c++)
        out[c] = bound[c] = 0.0;
    compute_scores(r);
    if (isnan(r->max) || r->max == INFINITY) {
        for (uint32_t c = 0; c < dv; c++)
            out[c] = NAN;
    } else if (r->max > -INFINITY) {
        find_specials(r);
        oracle_log_errors(r);
        compute_weights(r);
        compute_values(r, out);
        oracle_bound(r, out, bound);
    }
    attn_free(work);
    return ATTN_OK;
}

attn_status attn_oracle_row(const attn_workload *w, const attn_inputs *in, uint32_t batch,
                            uint32_t head, uint32_t query, double *out, double *bound,
                            attn_reason *why)
{
    oracle_row r = {
        .w = w, .in = in, .batch = batch, .head = head, .query = query, .any_order = true};

    return compute_row(&r, out, bound, why);
}

attn_status attn_oracle_row_contract(const attn_workload *w, const attn_inputs *in, uint32_t batch,
                                     uint32_t head, uint32_t query, double *out, double *bound,
                                     attn_reason *why)
{
    oracle_row r = {.w = w, .in = in, .batch = batch, .head = head, .query = query};

    return compute_row(&r, out, bound, why);
}
