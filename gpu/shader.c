/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/shader.h"

#include <stdlib.h>

#include "gpu/result.h"
#include "gpu/spirv_fma.h"

static attn_status make_module(const gpu_context *device, const uint32_t *words, size_t count,
                               VkShaderModule *module, attn_reason *why)
{
    const VkShaderModuleCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = count * sizeof *words,
                                             .pCode = words};
    return gpu_result(device->vk.vkCreateShaderModule(device->handle, &create, NULL, module),
                      "vkCreateShaderModule", why);
}

attn_status gpu_shader_open(const gpu_context *device, const uint32_t *words, size_t count,
                            VkShaderModule *module, attn_reason *why)
{
    if (!device->shader_fma)
        return make_module(device, words, count, module, why);
    uint32_t *fused;
    size_t fused_count;
    attn_status status = gpu_spirv_fma(words, count, &fused, &fused_count, why);
    if (status == ATTN_OK)
        status = make_module(device, fused, fused_count, module, why);
    free(fused);
    return status;
}
