/* SPDX-License-Identifier: Apache-2.0
 *
 * Does a shader keep to the interface? Where it does not, Vulkan leaves open what a driver does, up
 * to a crash: so it is refused before a driver sees it.
 */
#ifndef GPU_REFLECT_H
#define GPU_REFLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "attn/status.h"
#include "shaders/modules.h"

/* What a shader that keeps to the interface asks of device and host beyond it. */
typedef struct gpu_needs {
    uint32_t subgroup; /* VkSubgroupFeatureFlags */
    bool texels;       /* K or V as texel buffers */
} gpu_needs;

/* One entry point "main" of a compute shader, its workgroup size by SPEC_LOCAL_X and SPEC_LOCAL_Y,
 * bindings and push constants of shaders/interface.h, no feature beyond Vulkan 1.1's but subgroups.
 * ATTN_ERROR says what is wrong. */
attn_status gpu_reflect(const shader_module *code, gpu_needs *needs, attn_reason *why);

#endif
