/* SPDX-License-Identifier: Apache-2.0
 *
 * scalar_f: contract F (fused multiply-accumulate) as its definition reads.
 */
#include "cpu/scalar/contract_row.h"

static void tile(const cpu_tile *t)
{
    for (uint32_t row = 0; row < t->rows; row++)
        contract_row(t, row, contract_mac_f, contract_mac_f, false);
}

extern const cpu_kernel_impl scalar_f;
const cpu_kernel_impl scalar_f = {.tile = tile, .scratch = contract_scratch};
