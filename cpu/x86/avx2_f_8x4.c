/* SPDX-License-Identifier: Apache-2.0
 *
 * avx2_f_8x4: a step of the ladder from the textbook to avx2_f_24x4. 8 queries in the lanes of one
 * vector against 4 keys (or columns of V): four sums in flight, but a load or a broadcast for every
 * multiply-accumulate. The body is cpu/lanes_tile.h.
 */
#include "cpu/x86/avx2.h"

#define LANES_MAX_R 1
#define LANES_KEYS  4
#define LANES_STACK 1
#include "cpu/x86/x86_products.h"

#include "cpu/lanes_kernel.h"

LANES_KERNEL(avx2_f_8x4, LANES_RULES_F)
