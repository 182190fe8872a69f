/* SPDX-License-Identifier: Apache-2.0
 *
 * avx2_f_6x16: contract F, 6 queries against 16 keys (or 16 columns of V) in vectors of lanes; for
 * one to three queries, as in decode, against 32. The body is cpu/keys_tile.h.
 */
#include "cpu/x86/avx2.h"

#include "cpu/keys_kernel.h"

KEYS_KERNEL(avx2_f_6x16, LANES_RULES_F)
