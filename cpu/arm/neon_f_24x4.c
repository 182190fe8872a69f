/* SPDX-License-Identifier: Apache-2.0
 *
 * neon_f_24x4: contract F, 24 queries in six vectors of lanes against 4 keys (or 4 columns of
 * V): 24 accumulators, which outnumber latency times pipes of every core. A last tile of fewer
 * rows takes as many vectors as it needs. The body is cpu/lanes_tile.h.
 */
#include "cpu/arm/neon.h"

#include "cpu/arm/neon_products.h"

#include "cpu/lanes_kernel.h"

LANES_KERNEL(neon_f_24x4, LANES_RULES_F)
