/* SPDX-License-Identifier: Apache-2.0
 *
 * avx2_x_24x4: contract X (f16, bf16), 24 queries in three vectors of lanes against 4 keys (or 4
 * columns of V): 12 accumulators, 3 loads and 4 broadcasts for 12 multiply-accumulates. A last tile
 * of fewer rows takes one or two vectors. The body is cpu/lanes_tile.h.
 */
#include "cpu/x86/avx2.h"

#include "cpu/x86/x86_products.h"

#include "cpu/lanes_kernel.h"

LANES_KERNEL_X(avx2_x_24x4)
