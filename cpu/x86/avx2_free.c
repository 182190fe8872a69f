/* SPDX-License-Identifier: Apache-2.0
 *
 * avx2_free: what exactness costs. The tile of avx2_f_24x4 without a contract: the scale is folded
 * into the queries, the rescaling of the output into the products, and 2^x has a shorter
 * polynomial. Tier bounded. The body is cpu/lanes_tile.h.
 */
#include "cpu/x86/avx2.h"

#include "cpu/x86/x86_products.h"

#include "cpu/lanes_kernel.h"

LANES_KERNEL(avx2_free, LANES_RULES_FREE)
