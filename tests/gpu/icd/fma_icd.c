/* SPDX-License-Identifier: Apache-2.0
 *
 * A Vulkan driver for tests: lavapipe with VK_KHR_shader_fma. It demands that the extension is
 * enabled as Vulkan asks, and makes OpFmaKHR of the sum of an exact product in binary64, which
 * differs from fma() only where that sum lies within 2^-29 of a tie. Nothing else is touched.
 */
#include "gpu/extensions.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_icd.h>

#define DRIVER "libvulkan_lvp.so"
#define NAME   "VK_KHR_shader_fma"
#define EXPORT __attribute__((visibility("default")))

enum {
    HEADER_WORDS = 5,
    BOUND = 3,
    OP_CAPABILITY = 17,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_F_CONVERT = 115,
    OP_F_ADD = 129,
    OP_F_MUL = 133,
    OP_FMA_KHR = 4427,
    FLOAT64 = 10,
    FMA_KHR = 6030,
    MOST_WORDS = 26, /* of what becomes of one instruction */
};

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;
static PFN_vkEnumerateDeviceExtensionProperties next_extensions;
static PFN_vkGetPhysicalDeviceFeatures2 next_features;
static PFN_vkCreateDevice next_create_device;
static PFN_vkCreateShaderModule next_create_module;

static VKAPI_ATTR VkResult VKAPI_CALL extensions(VkPhysicalDevice physical, const char *layer,
                                                 uint32_t *count, VkExtensionProperties *list)
{
    const uint32_t room = *count;
    VkResult result = next_extensions(physical, layer, count, list);
    if (result != VK_SUCCESS)
        return result;
    if (list && *count == room)
        return VK_INCOMPLETE;
    if (list)
        list[*count] = (VkExtensionProperties){NAME, 1};
    ++*count;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *to)
{
    next_features(physical, to);
    for (VkBaseOutStructure *at = to->pNext; at; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FMA_FEATURES_KHR)
            ((VkPhysicalDeviceShaderFmaFeaturesKHR *)(void *)at)->shaderFmaFloat32 = VK_TRUE;
}

/* For a program that enables nothing beside: the driver gets neither the name nor the structure. */
static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    const VkPhysicalDeviceShaderFmaFeaturesKHR *fma = info->pNext;
    while (fma && fma->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FMA_FEATURES_KHR)
        fma = fma->pNext;
    if (!fma || fma->shaderFmaFloat32 != VK_TRUE)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    if (info->enabledExtensionCount != 1 || strcmp(info->ppEnabledExtensionNames[0], NAME) != 0)
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    const VkPhysicalDeviceFeatures binary64 = {.shaderFloat64 = VK_TRUE};
    VkDeviceCreateInfo plain = *info;
    plain.enabledExtensionCount = 0;
    plain.pNext = NULL;
    plain.pEnabledFeatures = &binary64;
    return next_create_device(physical, &plain, allocator, device);
}

typedef struct module {
    uint32_t *words;
    size_t count;
    uint32_t *wide; /* by id of a type: the id of its counterpart in binary64, or 0 */
} module;

static void put(module *m, uint32_t op, size_t operands, const uint32_t *operand)
{
    m->words[m->count++] = (uint32_t)(operands + 1) << 16 | op;
    memcpy(&m->words[m->count], operand, operands * sizeof *operand);
    m->count += operands;
}

static uint32_t fresh(module *m)
{
    return m->words[BOUND]++;
}

/* in: OpFmaKHR, type, result, a, b, c */
static void put_fma(module *m, const uint32_t *in)
{
    const uint32_t type = m->wide[in[1]];
    uint32_t operand[3];
    for (int i = 0; i < 3; i++) {
        operand[i] = fresh(m);
        put(m, OP_F_CONVERT, 3, (uint32_t[]){type, operand[i], in[3 + i]});
    }
    const uint32_t product = fresh(m), sum = fresh(m);
    put(m, OP_F_MUL, 4, (uint32_t[]){type, product, operand[0], operand[1]});
    put(m, OP_F_ADD, 4, (uint32_t[]){type, sum, product, operand[2]});
    put(m, OP_F_CONVERT, 3, (uint32_t[]){in[1], in[2], sum});
}

static void put_instruction(module *m, const uint32_t *in)
{
    const uint32_t op = in[0] & 0xffff, words = in[0] >> 16;
    if (op == OP_FMA_KHR) {
        put_fma(m, in);
        return;
    }
    if (op == OP_CAPABILITY && in[1] == FMA_KHR)
        put(m, op, 1, (uint32_t[]){FLOAT64});
    else
        put(m, op, words - 1, &in[1]);
    if (op == OP_TYPE_FLOAT && in[2] == 32) {
        m->wide[in[1]] = fresh(m);
        put(m, op, 2, (uint32_t[]){m->wide[in[1]], 64});
    } else if (op == OP_TYPE_VECTOR && m->wide[in[2]]) {
        m->wide[in[1]] = fresh(m);
        put(m, op, 3, (uint32_t[]){m->wide[in[1]], m->wide[in[2]], in[3]});
    }
}

/* Modules are the program's own: they are well formed. */
static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *made)
{
    const uint32_t *in = info->pCode;
    const size_t count = info->codeSize / sizeof *in;
    module m = {.words = malloc(MOST_WORDS * info->codeSize),
                .count = HEADER_WORDS,
                .wide = calloc(in[BOUND], sizeof *m.wide)};
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (m.words && m.wide) {
        memcpy(m.words, in, HEADER_WORDS * sizeof *in);
        for (size_t at = HEADER_WORDS; at < count; at += in[at] >> 16)
            put_instruction(&m, &in[at]);
        VkShaderModuleCreateInfo wide = *info;
        wide.pCode = m.words;
        wide.codeSize = m.count * sizeof *m.words;
        result = next_create_module(device, &wide, allocator, made);
    }
    free(m.words);
    free(m.wide);
    return result;
}

/* The driver's function of that name, or ours before it, which keeps it in *next. */
#define WRAP(function, next, own)                                                                  \
    if (strcmp(name, #function) == 0) {                                                            \
        next = (PFN_##function)found;                                                              \
        return (PFN_vkVoidFunction)own;                                                            \
    }

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction found = next_device_proc(device, name);
    WRAP(vkCreateShaderModule, next_create_module, create_module)
    return found;
}

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
                                                                          const char *name)
{
    const PFN_vkVoidFunction found = next_instance_proc(instance, name);
    if (!found)
        return NULL;
    WRAP(vkGetDeviceProcAddr, next_device_proc, device_proc)
    WRAP(vkEnumerateDeviceExtensionProperties, next_extensions, extensions)
    WRAP(vkGetPhysicalDeviceFeatures2, next_features, features)
    WRAP(vkCreateDevice, next_create_device, create_device)
    return found;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    void *driver = dlopen(DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (!driver)
        return VK_ERROR_INCOMPATIBLE_DRIVER;
    PFN_vkNegotiateLoaderICDInterfaceVersion negotiate;
    /* POSIX lets a symbol be a function, ISO C has no cast for that. */
    *(void **)&negotiate = dlsym(driver, "vk_icdNegotiateLoaderICDInterfaceVersion");
    *(void **)&next_instance_proc = dlsym(driver, "vk_icdGetInstanceProcAddr");
    if (!negotiate || !next_instance_proc)
        return VK_ERROR_INCOMPATIBLE_DRIVER;
    if (*version > 5)
        *version = 5;
    return negotiate(version);
}
