/* SPDX-License-Identifier: Apache-2.0
 *
 * The binary64 oracle: attention by its formula, and how far a kernel may be from it.
 */
#ifndef ATTN_ORACLE_H
#define ATTN_ORACLE_H

#include "attn/inputs.h"
#include "attn/mask.h"

/* One output row (batch, head, query) in binary64. out[dv] is the value, bound[dv] the a-priori
 * error bound:
 *   |got - out[c]| <= bound[c]  for every correct kernel of contracts F, M and X, and of any
 * binary32 kernel that sums in another order ("bounded" tier: exp within 4 ulp, no rescaling of
 * running sums or one after each block of a multiple of 16 keys). Its largest part is one
 * rounding per visible key.
 * A row whose visible scores hold NaN or +inf gives NaN, a row without a visible score above -inf
 * gives 0, both with bound 0. A score that no binary32 holds counts as infinite. NaN or inf in V
 * at a visible key (of a block of 64 that counts) gives NaN or that inf, bound 0; an inf whose
 * weight is below 2^-60 gives NaN, as 0 * inf does (a kernel may keep the inf when the row maximum
 * rose to it in steps of less than 60: such rows are outside what the oracle judges).
 * The bound supposes that no partial sum overflows binary32 and that f32 inputs are not
 * subnormal; results may underflow. Hidden keys and values are never read.
 * Returns ATTN_OUT_OF_MEMORY when it cannot allocate 3 doubles per visible key. */
attn_status attn_oracle_row(const attn_workload *w, const attn_inputs *in, uint32_t batch,
                            uint32_t head, uint32_t query, double *out, double *bound,
                            attn_reason *why);
/* The same value with the tighter bound of the contract's own order (chains of 64 keys, then
 * blocks, then splits): for kernels of contracts F, M and X alone. */
attn_status attn_oracle_row_contract(const attn_workload *w, const attn_inputs *in, uint32_t batch,
                                     uint32_t head, uint32_t query, double *out, double *bound,
                                     attn_reason *why);

/* The comparator of the bounded tier. NaN equals only NaN; infinities only themselves. */
typedef struct attn_comparison {
    bool pass;
    size_t count;           /* compared; 0 is not a pass */
    size_t first_bad;       /* index of the first value outside its bound, or count */
    double max_abs_error;   /* over finite pairs */
    double max_rel_error;   /* |got - want| / |want|, over finite pairs with want != 0 */
    double max_bound_share; /* |got - want| / bound, over finite pairs; may be infinite */
} attn_comparison;
attn_comparison attn_compare(const float *got, const double *want, const double *bound,
                             size_t count);

#endif
