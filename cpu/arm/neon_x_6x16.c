/* SPDX-License-Identifier: Apache-2.0
 *
 * neon_x_6x16: contract X (f16, bf16), 6 queries against 16 keys (or 16 columns of V) in vectors of
 * lanes; for one to three queries, as in decode, against 32. The body is cpu/keys_tile.h.
 */
#include "cpu/arm/neon.h"

#include "cpu/keys_kernel.h"

KEYS_KERNEL_X(neon_x_6x16)
