/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/instance.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpu/extensions.h"
#include "gpu/result.h"
#include "gpu/validation.h"

#define LAYER "VK_LAYER_KHRONOS_validation"

/* The message of the layer carries its own prefix; one line each. */
static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT type,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    gpu_instance *instance = user;
    (void)severity, (void)type;
    instance->messages++;
    fprintf(stderr, "attnmark: vulkan: %s\n", data->pMessage);
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(gpu_instance *instance)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = instance};
}

/* Drivers that are not fully conformant are listed only on request, where the loader knows it. */
static bool has_portability(void)
{
    uint32_t count = 0;
    bool found = false;
    if (vkEnumerateInstanceExtensionProperties(NULL, &count, NULL) != VK_SUCCESS)
        return false;
    VkExtensionProperties *list = calloc(count + 1, sizeof *list);
    if (list && vkEnumerateInstanceExtensionProperties(NULL, &count, list) == VK_SUCCESS)
        found = gpu_extension_listed(list, count, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    free(list);
    return found;
}

/* What the layer does beside core checks; returns how many. */
static uint32_t enabled_features(unsigned checks, VkValidationFeatureEnableEXT enabled[3])
{
    uint32_t count = 0;
    if (checks & GPU_VALIDATION_SYNC)
        enabled[count++] = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    if (checks & GPU_VALIDATION_GPU) {
        enabled[count++] = VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT;
        enabled[count++] = VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT;
    }
    return count;
}

static VkResult create(gpu_instance *instance, unsigned checks)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "attnmark",
                                           .apiVersion = VK_API_VERSION_1_1};
    /* Messages of vkCreateInstance itself need a messenger in the chain. */
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(instance);
    VkValidationFeatureEnableEXT enabled[3];
    static const VkValidationFeatureDisableEXT core = VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT;
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = enabled_features(checks, enabled),
        .pEnabledValidationFeatures = enabled,
        .disabledValidationFeatureCount = checks & GPU_VALIDATION_CORE ? 0 : 1,
        .pDisabledValidationFeatures = &core};
    const bool portability = has_portability();
    const char *const layers[] = {LAYER};
    const char *extensions[2];
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application,
                                 .ppEnabledExtensionNames = extensions};
    if (portability) {
        info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
        extensions[info.enabledExtensionCount++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    }
    if (checks) {
        info.pNext = &features;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = layers;
        extensions[info.enabledExtensionCount++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    }
    return vkCreateInstance(&info, NULL, &instance->handle);
}

attn_status gpu_instance_open(gpu_instance *instance, attn_reason *why)
{
    unsigned checks;
    *instance = (gpu_instance){0};
    const attn_status status = gpu_validation_parse(getenv("ATTNMARK_VALIDATION"), &checks, why);
    if (status != ATTN_OK)
        return status;
    if (volkInitialize() != VK_SUCCESS)
        return attn_because(why, ATTN_UNAVAILABLE, "no Vulkan loader (libvulkan.so.1)");
    if (volkGetInstanceVersion() < VK_API_VERSION_1_1)
        return attn_because(why, ATTN_UNAVAILABLE, "the Vulkan loader is older than Vulkan 1.1");

    const VkResult result = create(instance, checks);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        return attn_because(why, ATTN_UNAVAILABLE, "no Vulkan driver");
    if (result == VK_ERROR_LAYER_NOT_PRESENT)
        return attn_because(why, ATTN_UNAVAILABLE, "ATTNMARK_VALIDATION: no " LAYER);
    if (result != VK_SUCCESS)
        return gpu_result(result, "vkCreateInstance", why);
    volkLoadInstanceOnly(instance->handle);
    if (!checks)
        return ATTN_OK;
    const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(instance);
    return gpu_result(
        vkCreateDebugUtilsMessengerEXT(instance->handle, &info, NULL, &instance->messenger),
        "vkCreateDebugUtilsMessengerEXT", why);
}

void gpu_instance_close(gpu_instance *instance, bool all)
{
    if (!instance->handle)
        return;
    if (instance->messenger)
        vkDestroyDebugUtilsMessengerEXT(instance->handle, instance->messenger, NULL);
    if (all)
        vkDestroyInstance(instance->handle, NULL);
    instance->handle = NULL;
}
