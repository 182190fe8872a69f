/* SPDX-License-Identifier: Apache-2.0
 *
 * avx2_f_8x1: a step of the ladder from the textbook to avx2_f_24x4. 8 queries in the lanes of one
 * vector against one key (or column of V) at a time: vectors, but one sum in flight, so each
 * multiply-accumulate waits for the one before. The body is cpu/lanes_tile.h.
 */
#include "cpu/x86/avx2.h"

#define LANES_MAX_R 1
#define LANES_KEYS  1
#define LANES_STACK 1
#include "cpu/x86/x86_products.h"

#include "cpu/lanes_kernel.h"

LANES_KERNEL(avx2_f_8x1, LANES_RULES_F)
