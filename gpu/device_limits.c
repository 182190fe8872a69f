/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/device_limits.h"

#include <stdio.h>

#define MESA_LLVMPIPE 13u /* VK_DRIVER_ID_MESA_LLVMPIPE: this file is built without Vulkan too */

uint64_t gpu_limits_loops(uint32_t driver_id, const char *info)
{
    unsigned major;
    /* Mesa's llvmpipe 22.3 ends all loops of an invocation after 65,535 iterations; 25.0 does no
     * more. A quarter is kept in reserve: compilers add a few iterations that no plan foresees. */
    const bool counts =
        driver_id == MESA_LLVMPIPE && (sscanf(info, "Mesa %u.", &major) != 1 || major < 25);
    return counts ? 65535 / 4 * 3 : UINT64_MAX;
}
