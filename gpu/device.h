/* SPDX-License-Identifier: Apache-2.0
 *
 * One Vulkan device with a compute queue.
 */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <volk.h>

#include "gpu/device_limits.h"
#include "gpu/gpu.h"

typedef struct gpu_context {
    gpu_device_info info;
    gpu_limits limits; /* in force; info repeats most of them */
    VkPhysicalDevice physical;
    VkDevice handle;
    struct VolkDeviceTable vk; /* entry points of this device's driver */
    VkQueue queue;
    uint32_t queue_family;
    VkCommandPool pool;
    bool shader_fma; /* VK_KHR_shader_fma is enabled, for binary32 */
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t submits; /* so far */
    uint64_t fault;   /* the submit from which on the device counts as lost, or 0 */
} gpu_context;

/* Reads properties and limits, lowered by the test hook; opens nothing. index is the position in
 * enumeration order. A device that cannot be used says so in info.unavailable. */
void gpu_context_describe(VkPhysicalDevice physical, uint32_t index, gpu_context *device);

/* Creates the logical device, its queue and command pool. */
attn_status gpu_context_open(gpu_context *device, attn_reason *why);
void gpu_context_close(gpu_context *device); /* also when open failed */

/* Submits one command buffer, waits for it and resets the fence. */
attn_status gpu_context_submit(gpu_context *device, VkCommandBuffer commands, VkFence fence,
                               attn_reason *why);

/* Fills info.duplicate_of of each device whose UUID an earlier one has. */
void gpu_mark_duplicates(gpu_device_info *const *infos, size_t count);

#endif
