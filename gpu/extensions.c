/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/extensions.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/result.h"

/* A device that has it demands that it is enabled. */
#define PORTABILITY "VK_KHR_portability_subset"
#define SHADER_FMA  "VK_KHR_shader_fma"

bool gpu_extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    return false;
}

/* Whether a device that lists the extension has its instruction for binary32. */
static bool has_float32(VkPhysicalDevice physical)
{
    VkPhysicalDeviceShaderFmaFeaturesKHR fma = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FMA_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &fma};
    vkGetPhysicalDeviceFeatures2(physical, &features);
    return fma.shaderFmaFloat32 == VK_TRUE;
}

attn_status gpu_extensions_find(VkPhysicalDevice physical, gpu_extensions *extensions,
                                attn_reason *why)
{
    uint32_t count = 0;
    *extensions =
        (gpu_extensions){.fma = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FMA_FEATURES_KHR,
                                 .shaderFmaFloat32 = VK_TRUE}};
    VkResult result = vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
    VkExtensionProperties *list = calloc(count + 1, sizeof *list);
    if (!list)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the device's extensions");
    if (result == VK_SUCCESS)
        result = vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list);
    if (result == VK_SUCCESS && gpu_extension_listed(list, count, PORTABILITY))
        extensions->names[extensions->count++] = PORTABILITY;
    if (result == VK_SUCCESS && gpu_extension_listed(list, count, SHADER_FMA) &&
        has_float32(physical)) {
        extensions->names[extensions->count++] = SHADER_FMA;
        extensions->shader_fma = true;
        extensions->features = &extensions->fma;
    }
    free(list);
    return gpu_result(result, "vkEnumerateDeviceExtensionProperties", why);
}
