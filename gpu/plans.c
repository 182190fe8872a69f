/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/plans.h"

#include <string.h>

const gpu_plan_kind gpu_plan_kinds[] = {
    {"naive", gpu_plan_naive, 1024, 1, 1, false},
    /* A wider workgroup could not stage one row of the widest values. */
    {"tile", gpu_plan_tile, 16, 1024, 16, false},
    {"lanes", gpu_plan_lanes, 1024, 1, 16, true},
    {"rows", gpu_plan_rows, 1024, 1, 1, false},
    {"decode", gpu_plan_decode, 64, 1, 64, false},
};
const size_t gpu_plan_kind_count = sizeof gpu_plan_kinds / sizeof gpu_plan_kinds[0];

const gpu_plan_kind *gpu_plan_kind_find(const char *name)
{
    for (size_t i = 0; i < gpu_plan_kind_count; i++)
        if (strcmp(gpu_plan_kinds[i].name, name) == 0)
            return &gpu_plan_kinds[i];
    return NULL;
}
