/* SPDX-License-Identifier: Apache-2.0
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
#include "attn/oracle_row.h"

#include <math.h>

#include "attn/contract.h"

#define UNIT     0x1p-24
#define E2_ERROR 0x1p-21
#define X_ERROR  0x1p-12

/* The smallest block of keys after which a kernel of any order rescales its running sums. */
enum { ANY_ORDER_BLOCK = 16 };

double oracle_rise(double roundings)
{
    return expm1(roundings * UNIT * (1.0 + UNIT));
}

/* The end of key's group, where groups of `width` are aligned to the absolute key index. */
static uint32_t group_end(uint32_t key, uint32_t end, uint32_t width)
{
    const uint64_t next = ((uint64_t)key / width + 1) * width;

    return next < end ? (uint32_t)next : end;
}

/* The keys of [begin, end) in groups of `width`: adds E2's error to each key's log_error once for
 * every later group that may raise the maximum, which it may not if its highest possible score is
 * no higher than an earlier key's lowest. Returns the number of such groups. */
static uint32_t add_rescales(oracle_row *r, uint32_t begin, uint32_t end, uint32_t width)
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

void oracle_log_errors(oracle_row *r)
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

void oracle_bound(const oracle_row *r, double *out, double *bound)
{
    const oracle_columns *col = &r->columns;
    const double keys = (double)r->span.hi - r->span.lo;
    const double blocks = keys / ATTN_BK + 2.0;
    const double splits = r->w->split ? keys / r->w->split + 2.0 : 0.0;
    const double merges = blocks + 2.0 * splits + r->rescales + (r->any_order ? keys : 0.0);
    const double numerator = oracle_rise(66.0 + merges), denominator = oracle_rise(16.0 + merges);
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
