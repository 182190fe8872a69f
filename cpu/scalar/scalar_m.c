/* SPDX-License-Identifier: Apache-2.0
 *
 * scalar_m: contract M (multiply, then add) as its definition reads.
 */
#include "cpu/scalar/contract_row.h"

static void tile(const cpu_tile *t)
{
    for (uint32_t row = 0; row < t->rows; row++)
        contract_row(t, row, contract_mac_m, contract_mac_m, false);
}

extern const cpu_kernel_impl scalar_m;
const cpu_kernel_impl scalar_m = {.tile = tile, .scratch = contract_scratch};
