/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/device_limits.h"

#include <stdio.h>

#define MESA_LLVMPIPE 13u /* VK_DRIVER_ID_MESA_LLVMPIPE: this file is built without Vulkan too */

uint64_t gpu_limits_loops(uint32_t driver_id, const char *info)
{
    unsigned major;
    /* Mesa's llvmpipe counts 65,535 iterations per invocation; 22.3 does, 25.0 does no more. */
    const bool counts =
        driver_id == MESA_LLVMPIPE && (sscanf(info, "Mesa %u.", &major) != 1 || major < 25);
    return counts ? 65535 : UINT64_MAX;
}
