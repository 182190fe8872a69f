/* SPDX-License-Identifier: Apache-2.0
 *
 * avx2_f_24x4: contract F, 24 queries in three vectors of lanes against 4 keys (or 4 columns of
 * V): 12 accumulators, 3 loads and 4 broadcasts for 12 multiply-accumulates. A last tile of fewer
 * rows takes one or two vectors. The body is cpu/lanes_tile.h.
 */
#include "cpu/x86/avx2.h"

#include "cpu/lanes_tile.h"

LANES_OPS(1, 4, vf_mac_f)
LANES_OPS(2, 4, vf_mac_f)
LANES_OPS(3, 4, vf_mac_f)

static void tile(const cpu_tile *t)
{
    lanes_tile(t, t->rows > 2 * VF_LANES ? &lanes_ops_3
                  : t->rows > VF_LANES   ? &lanes_ops_2
                                         : &lanes_ops_1);
}

extern const cpu_kernel_impl avx2_f_24x4;
const cpu_kernel_impl avx2_f_24x4 = {tile, lanes_scratch};
