/* SPDX-License-Identifier: Apache-2.0
 *
 * avx512_f_48x4: contract F, 48 queries in three vectors of lanes against 4 keys (or 4 columns
 * of V): 12 accumulators; 8 keys, which 32 registers would hold, are no faster. A last tile of
 * fewer rows takes one or two vectors. The body is cpu/lanes_tile.h.
 */
#include "cpu/x86/avx512.h"

#include "cpu/x86/x86_products.h"

#include "cpu/lanes_kernel.h"

LANES_KERNEL(avx512_f_48x4, LANES_RULES_F)
