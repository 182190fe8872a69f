/* SPDX-License-Identifier: Apache-2.0
 *
 * Attention by its formula in binary64, with an error bound for binary32 kernels.
 *
 * Products of two widened inputs are exact in binary64, so scores carry only the rounding of
 * their sum, and every error of this file is some 2^-29 of the errors that it bounds; each count
 * below has at least one rounding to spare for them.
 *
 * The bound. u = 2^-24. k roundings change a value by a factor within exp(+-k*u*(1+u)); the bound
 * therefore adds exponents and takes rise(k) = expm1(k*u*(1+u)), which is gamma(k) to first order
 * and stays valid for every k. Natural-log units throughout. For one row:
 *
 *   s_j     exact score, w_j = exp(s_j) / sum exp(s), out_c = sum w_j v_jc
 *   score   d+2 roundings (scale, product, d-1 sums, scaling before or after):
 *           ds_j = rise(d+3) * |scale| * sum_c |q_c k_jc|, and what underflow may add
 *   x       t_j - m is rounded, in steps when the maximum m rises; the steps add up to at most
 *           |t_j - m|. Twice u, for kernels that multiply by log2(e) after subtracting. An error
 *           of m is common to all keys and cancels.
 *   E2      4 ulp = 2^-21, once for p_j and once more for each later block (or split) that may
 *           raise the maximum: counted from the scores, an unraised maximum multiplies by 1.
 *           Blocks of 64, or of 16 for kernels of any order
 *   X       p_j is rounded to 12 bits: 2^-12
 *
 * All these act on weights, alike in numerator and denominator. If w_j changes by the factor
 * 1 + e_j with |e_j| <= expm1(L_j), L_j the sum of the above, then exactly
 *   out'_c - out_c = sum w_j e_j (v_jc - out_c) / (1 + sum w_j e_j).
 * Where E2 may have cut a weight below 2^-60 to 0, |e_j| is at least 1. Weights are never
 * negative, so out' also stays within max_j |v_jc - out_c| of out: the limit when the errors are
 * so large that the quotient says nothing.
 *
 *   sums    numerator: product and chain of 64, one sum per block, two per split, one product per
 *           risen maximum, the final product; denominator: 7 in a block, and the same merges;
 *           the reciprocal is within 8 roundings. A kernel that sums in any order has at most one
 *           rounding per visible key on top.
 *   floor   2^-126 for each operation that may underflow (flushed to zero at worst)
 */
#include "attn/oracle.h"

#include <float.h>
#include <math.h>

#include "attn/contract.h"
#include "attn/tensor.h"

#define UNIT         0x1p-24
#define E2_ERROR     0x1p-21
#define X_ERROR      0x1p-12
#define LEAST_NORMAL 0x1p-126
/* E2 gives 0 below 2^-60. */
#define CUT   (60.0 * 0.69314718055994530942)
#define LOG2E 1.4426950408889634074

/* The smallest block of keys after which a kernel of any order rescales its running sums. */
enum { ANY_ORDER_BLOCK = 16 };

/* What is known of the output elements, [dv] each. */
typedef struct columns {
    double *sum, *lost; /* compensated: the value is their sum */
    double *absolute;   /* sum w |v| */
    double *deviation;  /* sum w |e| |v - out| */
    double *farthest;   /* max |v - out| */
    double *special;    /* 0, or what visible NaN and inf in V make of the output */
} columns;

/* One row. Arrays are indexed by key - span.lo. */
typedef struct row {
    const attn_workload *w;
    const attn_inputs *in;
    uint32_t batch, head, query;
    bool any_order; /* else the contract's */
    attn_span span;
    double *score, *score_error;
    double *log_error;  /* L_j */
    double *weight;     /* w_j: takes the place of score */
    double *weight_off; /* largest |w_j e_j|: takes the place of score_error */
    columns columns;
    double max, max_error; /* of the scores; the largest score error */
    double total_off;      /* sum of weight_off */
    uint32_t rescales;     /* most factors that any weight meets after its own block */
} row;

static double rise(double roundings)
{
    return expm1(roundings * UNIT * (1.0 + UNIT));
}

/* Compensated summation: what the sum loses by rounding, exact without a comparison. */
static inline void add(double *sum, double *lost, double x)
{
    const double next = *sum + x, part = next - *sum;

    *lost += (*sum - (next - part)) + (x - part);
    *sum = next;
}

static void widen_row(const void *tensor, const attn_workload *w, uint64_t index, uint32_t width,
                      float *dst)
{
    const char *start = (const char *)tensor + index * width * attn_dtype_size(w->dtype);

    attn_widen(start, w->dtype, width, dst);
}

static uint64_t key_row(const row *r, uint32_t key)
{
    const uint32_t kv_head = r->head / (r->w->h / r->w->hk);

    return ((uint64_t)r->batch * r->w->hk + kv_head) * r->w->m + key;
}

/* Fills score, score_error, max and max_error. */
static void compute_scores(row *r)
{
    const attn_workload *w = r->w;
    const double scale = w->scale, s2 = fabs(scale) * LOG2E;
    float q[ATTN_MAX_HEAD_SIZE], k[ATTN_MAX_HEAD_SIZE];
    bool query_underflows = false;

    widen_row(r->in->q, w, ((uint64_t)r->batch * w->h + r->head) * w->n + r->query, w->d, q);
    for (uint32_t c = 0; c < w->d; c++)
        query_underflows |= q[c] != 0.0f && fabs(q[c]) * s2 < LEAST_NORMAL;
    r->max = -INFINITY;
    r->max_error = 0.0;
    for (uint32_t j = r->span.lo; j < r->span.hi; j++) {
        double dot = 0.0, products = 0.0, keys = 0.0;
        widen_row(r->in->k, w, key_row(r, j), w->d, k);
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
        const double error =
            products == 0.0 ? 0.0
                            : rise(w->d + 3.0) * fabs(scale) * products + LEAST_NORMAL * underflow;
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

/* The end of key's group, where groups of `width` are aligned to the absolute key index. */
static uint32_t group_end(uint32_t key, uint32_t end, uint32_t width)
{
    const uint64_t next = ((uint64_t)key / width + 1) * width;

    return next < end ? (uint32_t)next : end;
}

/* The keys of [begin, end) in groups of `width`: adds E2's
 * error to each key's log_error once for every later group that may raise the maximum, which it
 * may not if its highest possible score is no higher than an earlier key's lowest. Returns the
 * number of such groups. */
static uint32_t add_rescales(row *r, uint32_t begin, uint32_t end, uint32_t width)
{
    uint32_t raises = 0;

    for (int applying = 0; applying < 2; applying++) {
        double before = -INFINITY;
        uint32_t seen = 0;
        for (uint32_t g = begin; g < end;) {
            const uint32_t stop = group_end(g, end, width);
            double lowest = -INFINITY, highest = -INFINITY;
            for (uint32_t j = g - r->span.lo; j < stop - r->span.lo; j++) {
                if (r->score[j] == -INFINITY)
                    continue;
                lowest = fmax(lowest, r->score[j] - r->score_error[j]);
                highest = fmax(highest, r->score[j] + r->score_error[j]);
            }
            seen += before > -INFINITY && highest > before;
            before = fmax(before, lowest);
            if (applying)
                for (uint32_t j = g - r->span.lo; j < stop - r->span.lo; j++)
                    r->log_error[j] += E2_ERROR * (raises - seen);
            raises = applying ? raises : seen;
            g = stop;
        }
    }
    return raises;
}

/* Fills log_error and rescales. */
static void compute_log_errors(row *r)
{
    const attn_workload *w = r->w;
    const attn_span span = r->span;
    const double each = E2_ERROR + (w->dtype == ATTN_F32 ? 0.0 : X_ERROR * (1.0 + X_ERROR));
    const uint32_t block = r->any_order ? ANY_ORDER_BLOCK : ATTN_BK;
    uint32_t most = 0;

    for (uint32_t j = 0; j < span.hi - span.lo; j++)
        r->log_error[j] =
            each + r->score_error[j] + 2.0 * UNIT * (r->max - r->score[j] + 2.0 * r->max_error);
    if (!w->split) {
        r->rescales = add_rescales(r, span.lo, span.hi, block);
        return;
    }
    for (uint32_t g = span.lo; g < span.hi;) {
        const uint32_t stop = group_end(g, span.hi, w->split);
        const uint32_t raises = add_rescales(r, g, stop, block);
        most = raises > most ? raises : most;
        for (uint32_t j = g - span.lo; j < stop - span.lo; j++)
            r->log_error[j] += E2_ERROR; /* its split's own merge */
        g = stop;
    }
    r->rescales = 1 + most + add_rescales(r, span.lo, span.hi, w->split);
}

/* Replaces scores by weights and their errors by the largest change of each weight. */
static void compute_weights(row *r)
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
static void find_specials(row *r)
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
        widen_row(r->in->v, r->w, key_row(r, j), r->w->dv, v);
        const double factor = r->max - score[j] > CUT ? 0.0 : 1.0;
        for (uint32_t c = 0; c < r->w->dv; c++)
            if (!isfinite(v[c]))
                r->columns.special[c] += factor * v[c];
    }
}

/* The value row of a key, 0 where it is not finite. */
static void finite_values(const row *r, uint32_t key, double v[ATTN_MAX_HEAD_SIZE])
{
    float values[ATTN_MAX_HEAD_SIZE];

    widen_row(r->in->v, r->w, key_row(r, key), r->w->dv, values);
    for (uint32_t c = 0; c < r->w->dv; c++)
        v[c] = fabsf(values[c]) <= FLT_MAX ? values[c] : 0.0;
}

/* Fills the columns from weights and V; out gets the values. */
static void compute_values(row *r, double *out)
{
    const columns *col = &r->columns;
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

/* Puts the parts together. */
static void compute_bound(const row *r, double *out, double *bound)
{
    const columns *col = &r->columns;
    const double keys = (double)r->span.hi - r->span.lo;
    const double blocks = keys / ATTN_BK + 2.0;
    const double splits = r->w->split ? keys / r->w->split + 2.0 : 0.0;
    const double merges = blocks + 2.0 * splits + r->rescales + (r->any_order ? keys : 0.0);
    const double numerator = rise(66.0 + merges), denominator = rise(16.0 + merges);
    const double underflow = LEAST_NORMAL * (2.0 * keys + 4.0 * merges + 4.0);
    const double left = 1.0 - r->total_off;

    for (uint32_t c = 0; c < r->w->dv; c++) {
        if (!isfinite(col->special[c])) {
            out[c] = col->special[c];
            bound[c] = 0.0;
            continue;
        }
        const double size = fabs(out[c]), weighed = col->absolute[c] + col->deviation[c];
        double off = col->farthest[c], absolute = off + size;
        if (left > 0.0) {
            off = fmin(off, col->deviation[c] / left);
            absolute = fmin(absolute, (weighed + r->total_off * size) / left);
        }
        bound[c] = off + denominator * (size + off) + (1.0 + denominator) * numerator * absolute +
                   underflow;
    }
}

static attn_status compute_row(row *r, double *out, double *bound, attn_reason *why)
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
    r->columns =
        (columns){rest, rest + dv, rest + 2 * dv, rest + 3 * dv, rest + 4 * dv, rest + 5 * dv};
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
        compute_log_errors(r);
        compute_weights(r);
        compute_values(r, out);
        compute_bound(r, out, bound);
    }
    attn_free(work);
    return ATTN_OK;
}

attn_status attn_oracle_row(const attn_workload *w, const attn_inputs *in, uint32_t batch,
                            uint32_t head, uint32_t query, double *out, double *bound,
                            attn_reason *why)
{
    row r = {.w = w, .in = in, .batch = batch, .head = head, .query = query, .any_order = true};

    return compute_row(&r, out, bound, why);
}

attn_status attn_oracle_row_contract(const attn_workload *w, const attn_inputs *in, uint32_t batch,
                                     uint32_t head, uint32_t query, double *out, double *bound,
                                     attn_reason *why)
{
    row r = {.w = w, .in = in, .batch = batch, .head = head, .query = query};

    return compute_row(&r, out, bound, why);
}

attn_comparison attn_compare(const float *got, const double *want, const double *bound,
                             size_t count)
{
    attn_comparison result = {.count = count, .first_bad = count};

    for (size_t i = 0; i < count; i++) {
        const double g = got[i];
        bool good;
        if (!isfinite(g) || !isfinite(want[i])) {
            good = g == want[i] || (isnan(g) && isnan(want[i]));
        } else {
            const double error = fabs(g - want[i]);
            good = error <= bound[i];
            result.max_abs_error = fmax(result.max_abs_error, error);
            if (want[i] != 0.0)
                result.max_rel_error = fmax(result.max_rel_error, error / fabs(want[i]));
            if (error > 0.0)
                result.max_bound_share = fmax(result.max_bound_share, error / bound[i]);
        }
        if (!good && result.first_bad == count)
            result.first_bad = i;
    }
    result.pass = count > 0 && result.first_bad == count;
    return result;
}
