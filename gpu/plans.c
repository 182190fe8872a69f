/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/plans.h"

#include <string.h>

#define FLAT_SIZES                                                                                 \
    {                                                                                              \
        {32, 1, 1}, {64, 1, 1}, {128, 1, 1},                                                       \
        {                                                                                          \
            256, 1, 1                                                                              \
        }                                                                                          \
    }

const gpu_plan_kind gpu_plan_kinds[] = {
    {"naive", gpu_plan_naive, 1024, 1, 1, false, FLAT_SIZES},
    /* A wider workgroup could not stage one row of the widest values. */
    {"tile",
     gpu_plan_tile,
     16,
     1024,
     16,
     false,
     {{16, 16, 4}, {16, 8, 4}, {8, 16, 4}, {8, 8, 8}, {16, 8, 8}, {16, 4, 4}}},
    {"lanes", gpu_plan_lanes, 1024, 1, 16, true, {{8, 1, 1}, {8, 1, 2}, {8, 1, 4}}},
    {"rows", gpu_plan_rows, 1024, 1, 1, false, FLAT_SIZES},
    {"decode", gpu_plan_decode, 64, 1, 64, false, {{64, 1, 1}, {64, 1, 2}, {64, 1, 4}, {64, 1, 8}}},
};
const size_t gpu_plan_kind_count = sizeof gpu_plan_kinds / sizeof gpu_plan_kinds[0];

const gpu_plan_kind *gpu_plan_kind_find(const char *name)
{
    for (size_t i = 0; i < gpu_plan_kind_count; i++)
        if (strcmp(gpu_plan_kinds[i].name, name) == 0)
            return &gpu_plan_kinds[i];
    return NULL;
}

const gpu_plan_kind *gpu_plan_kind_of(gpu_plan_function *plan)
{
    for (size_t i = 0; i < gpu_plan_kind_count; i++)
        if (gpu_plan_kinds[i].plan == plan)
            return &gpu_plan_kinds[i];
    return NULL;
}
