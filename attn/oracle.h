/* SPDX-License-Identifier: Apache-2.0
 *
 * The binary64 oracle: attention by its formula, and how far a kernel may be from it.
 */
#ifndef ATTN_ORACLE_H
#define ATTN_ORACLE_H

#include "attn/inputs.h"
#include "attn/mask.h"

/* One output row (batch, head, query) in binary64. out[dv] is the value, bound[dv] the a-priori
 * error bound of the contract's arithmetic (binary32, blocks of 64; split merges counted):
 *   |got - out[c]| <= bound[c]  for every correct kernel of contracts F, M and X, and of any
 * binary32 kernel that sums in another order ("bounded" tier, exp within 4 ulp).
 * A row whose visible scores hold NaN or +inf gives NaN (bound 0: the kernel must give NaN).
 * Returns ATTN_OUT_OF_MEMORY when it cannot allocate m doubles. */
attn_status attn_oracle_row(const attn_workload *w, const attn_inputs *in, uint32_t batch,
                            uint32_t head, uint32_t query, double *out, double *bound,
                            attn_reason *why);

/* The comparator of the bounded tier. NaN equals only NaN; infinities only themselves. */
typedef struct attn_comparison {
    bool pass;
    size_t count;           /* compared; 0 is not a pass */
    size_t first_bad;       /* index of the first value outside its bound, or count */
    double max_abs_error;   /* over finite pairs */
    double max_rel_error;   /* |got - want| / max(|got|, |want|), over pairs that differ */
    double max_bound_share; /* max |got - want| / bound */
} attn_comparison;
attn_comparison attn_compare(const float *got, const double *want, const double *bound,
                             size_t count);

#endif
