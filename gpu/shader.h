/* SPDX-License-Identifier: Apache-2.0
 *
 * SPIR-V as a device gets it.
 */
#ifndef GPU_SHADER_H
#define GPU_SHADER_H

#include "gpu/device.h"

/* words[count]. Where the device has VK_KHR_shader_fma, fma() becomes its instruction. The caller
 * destroys the module. */
attn_status gpu_shader_open(const gpu_context *device, const uint32_t *words, size_t count,
                            VkShaderModule *module, attn_reason *why);

#endif
