/* SPDX-License-Identifier: Apache-2.0
 *
 * The comparator of the bounded tier.
 */
#include <math.h>

#include "attn/oracle.h"

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
