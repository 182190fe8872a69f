/* SPDX-License-Identifier: Apache-2.0
 *
 * scalar_x: contract X (f16 or bf16 storage) as its definition reads.
 */
#include "cpu/scalar/contract_row.h"

static void tile(const cpu_tile *t)
{
    for (uint32_t row = 0; row < t->rows; row++)
        contract_row(t, row, contract_mac_m, contract_mac_m, true);
}

extern const cpu_kernel_impl scalar_x;
const cpu_kernel_impl scalar_x = {.tile = tile, .scratch = contract_scratch};
