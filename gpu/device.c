/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/empty.h"
#include "gpu/extensions.h"
#include "gpu/result.h"
#include "gpu/work.h"

#define GRACE_NS     (UINT64_C(10) * 1000 * 1000 * 1000)
#define MAX_FAMILIES 32

/* Bytes; a binding that begins at whole texels has its elements in whole texels, too. */
#define WIDEST_TEXEL 16

/* Workgroups at a time: a software device has a core for each, of 64 at most; large GPUs have some
 * 200 parts and hide latency by several workgroups on each. */
#define FILL_SOFTWARE 64
#define FILL_GPU      1024

static const char *type_name(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

/* Copies a driver's text as one line. */
static void copy_line(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
    for (char *c = to; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

static void describe_identity(const VkPhysicalDeviceProperties *base,
                              const VkPhysicalDeviceIDProperties *id,
                              const VkPhysicalDeviceDriverProperties *driver, gpu_device_info *info)
{
    copy_line(info->name, sizeof info->name, base->deviceName);
    for (size_t i = 0; i < VK_UUID_SIZE; i++)
        snprintf(info->uuid + 2 * i, 3, "%02x", id->deviceUUID[i]);
    char text[sizeof info->driver];
    const char *space = driver->driverName[0] && driver->driverInfo[0] ? " " : "";
    snprintf(text, sizeof text, "%.120s%s%.120s", driver->driverName, space, driver->driverInfo);
    copy_line(info->driver, sizeof info->driver, text);
    snprintf(info->type, sizeof info->type, "%s", type_name(base->deviceType));
    snprintf(info->api_version, sizeof info->api_version, "%u.%u.%u",
             VK_API_VERSION_MAJOR(base->apiVersion) & 0xffu,
             VK_API_VERSION_MINOR(base->apiVersion) & 0xfffu,
             VK_API_VERSION_PATCH(base->apiVersion) & 0xfffu);
    info->vendor_id = base->vendorID;
    info->device_id = base->deviceID;
    info->driver_id = (uint32_t)driver->driverID;
    info->driver_version = base->driverVersion;
    info->software = base->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

/* How many of a subgroup's lanes share loads by shuffles; 0 where compute shaders have none. */
static uint32_t shared_width(const gpu_context *device)
{
    uint32_t width = 8;
    if (!(device->subgroup & VK_SUBGROUP_FEATURE_SHUFFLE_BIT))
        return 0;
    while (width > device->limits.subgroup)
        width /= 2;
    return width;
}

static attn_status describe_limits(const VkPhysicalDeviceLimits *from, uint64_t allocation,
                                   const char *driver_info, gpu_context *device, attn_reason *why)
{
    gpu_limits *limits = &device->limits;
    *limits = (gpu_limits){
        .shared = from->maxComputeSharedMemorySize,
        .invocations = from->maxComputeWorkGroupInvocations,
        .group_x = from->maxComputeWorkGroupSize[0],
        .group_y = from->maxComputeWorkGroupSize[1],
        .groups = (uint32_t)gpu_smaller(from->maxComputeWorkGroupCount[0],
                                        from->maxComputeWorkGroupCount[1]),
        .range = from->maxStorageBufferRange / 4 * 4,
        .allocation = allocation,
        .align = gpu_larger(from->minStorageBufferOffsetAlignment,
                            gpu_larger(from->minTexelBufferOffsetAlignment, WIDEST_TEXEL)),
        .texels = from->maxTexelBufferElements,
        .subgroup = device->info.subgroup_size,
        .timestamps = 64,
        .loops = gpu_limits_loops(device->info.driver_id, driver_info),
        .work = GPU_ANY_WORK,
        .fill = device->info.software ? FILL_SOFTWARE : FILL_GPU,
    };
    attn_status status = gpu_hook_limits(getenv("ATTNMARK_GPU_LIMITS"), limits, why);
    limits->width = shared_width(device);
    if (status == ATTN_OK)
        status = gpu_hook_faults(getenv("ATTNMARK_GPU_FAULT"), device->info.selector,
                                 &device->faults, why);
    device->staging = gpu_hook_staging();

    gpu_device_info *info = &device->info;
    info->max_shared_bytes = limits->shared;
    info->max_invocations = limits->invocations;
    info->max_group_x = limits->group_x;
    info->max_groups_x = limits->groups;
    info->max_buffer_range = limits->range;
    info->subgroup_size = limits->subgroup;
    info->timestamp_period_ns = from->timestampPeriod;
    return status;
}

/* The first family with compute, preferring one with timestamps. */
static bool find_queue(gpu_context *device)
{
    VkQueueFamilyProperties families[MAX_FAMILIES];
    uint32_t count = MAX_FAMILIES;
    bool found = false;

    vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t valid = families[i].timestampValidBits, most = device->limits.timestamps;
        const uint32_t bits = valid < most ? valid : most;
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
            continue;
        if (!found || (device->info.timestamp_bits == 0 && bits > 0)) {
            device->queue_family = i;
            device->info.timestamp_bits = bits;
        }
        found = true;
    }
    return found;
}

void gpu_context_describe(VkPhysicalDevice physical, uint32_t index, gpu_context *device)
{
    gpu_device_info *info = &device->info;
    VkPhysicalDeviceProperties base;
    attn_reason why;

    device->physical = physical;
    snprintf(info->selector, sizeof info->selector, "vk%" PRIu32, index);
    vkGetPhysicalDeviceProperties(physical, &base);
    copy_line(info->name, sizeof info->name, base.deviceName);
    if (base.apiVersion < VK_API_VERSION_1_1) {
        snprintf(info->unavailable, sizeof info->unavailable, "Vulkan 1.0 only, 1.1 is needed");
        return;
    }

    VkPhysicalDeviceMaintenance3Properties memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &memory};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, .pNext = &driver};
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
                                       .pNext = &subgroup};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    vkGetPhysicalDeviceMemoryProperties(physical, &device->memory);
    describe_identity(&base, &id, &driver, info);
    info->subgroup_size = subgroup.subgroupSize;
    if (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT)
        device->subgroup = subgroup.supportedOperations;
    if (describe_limits(&base.limits, memory.maxMemoryAllocationSize, driver.driverInfo, device,
                        &why) != ATTN_OK)
        snprintf(info->unavailable, sizeof info->unavailable, "%.150s", why.text);
    else if (!find_queue(device))
        snprintf(info->unavailable, sizeof info->unavailable, "no queue that computes");
}

attn_status gpu_context_open(gpu_context *device, attn_reason *why)
{
    const float priority = 1.0f;
    gpu_extensions extensions;
    attn_status status = gpu_extensions_find(device->physical, &extensions, why);
    if (status != ATTN_OK)
        return status;
    device->shader_fma = extensions.shader_fma;

    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = device->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkPhysicalDeviceFeatures features = {.robustBufferAccess = device->robust};
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = extensions.features,
                                       .pEnabledFeatures = &features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = extensions.count,
                                       .ppEnabledExtensionNames = extensions.names};
    status = gpu_result(vkCreateDevice(device->physical, &create, NULL, &device->handle),
                        "vkCreateDevice", why);
    if (status != ATTN_OK)
        return status;
    volkLoadDeviceTable(&device->vk, device->handle);
    device->vk.vkGetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
    device->grace_ns = GRACE_NS;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = device->queue_family};
    status = gpu_result(device->vk.vkCreateCommandPool(device->handle, &pool, NULL, &device->pool),
                        "vkCreateCommandPool", why);
    if (status != ATTN_OK)
        return status;
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    return gpu_result(device->vk.vkCreateFence(device->handle, &fence, NULL, &device->fence),
                      "vkCreateFence", why);
}

bool gpu_context_close(gpu_context *device)
{
    bool ended = gpu_work_ended(device);
    if (device->handle && ended) {
        gpu_empty_close(device);
        device->vk.vkDestroyFence(device->handle, device->fence, NULL);
        device->vk.vkDestroyCommandPool(device->handle, device->pool, NULL);
        device->vk.vkDestroyDevice(device->handle, NULL);
    }
    device->handle = NULL;
    if (device->again)
        ended = gpu_context_close(device->again) && ended;
    free(device->again);
    device->again = NULL;
    return ended;
}

void gpu_mark_duplicates(gpu_device_info *const *infos, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i && !infos[i]->duplicate_of[0]; j++)
            if (infos[i]->uuid[0] && strcmp(infos[i]->uuid, infos[j]->uuid) == 0)
                memcpy(infos[i]->duplicate_of, infos[j]->selector, sizeof infos[j]->selector);
}
