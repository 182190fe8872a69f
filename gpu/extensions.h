/* SPDX-License-Identifier: Apache-2.0
 *
 * The extensions of a device that are enabled where it has them.
 */
#ifndef GPU_EXTENSIONS_H
#define GPU_EXTENSIONS_H

#include <stdbool.h>
#include <volk.h>

#include "attn/status.h"

#ifndef VK_KHR_shader_fma /* headers before 2025 */
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FMA_FEATURES_KHR ((VkStructureType)1000579000)
typedef struct VkPhysicalDeviceShaderFmaFeaturesKHR {
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderFmaFloat16, shaderFmaFloat32, shaderFmaFloat64;
} VkPhysicalDeviceShaderFmaFeaturesKHR;
#endif

typedef struct gpu_extensions {
    const char *names[2];
    uint32_t count;
    bool shader_fma; /* VK_KHR_shader_fma, for binary32 */
    VkPhysicalDeviceShaderFmaFeaturesKHR fma;
    void *features; /* &fma or NULL: what vkCreateDevice gets beside the names */
} gpu_extensions;

/* Is an extension of this name among those listed? */
bool gpu_extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name);

/* What vkCreateDevice gets. *extensions must not move. */
attn_status gpu_extensions_find(VkPhysicalDevice physical, gpu_extensions *extensions,
                                attn_reason *why);

#endif
