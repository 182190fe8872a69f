/* SPDX-License-Identifier: Apache-2.0
 *
 * One Vulkan device with a compute queue.
 */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <volk.h>

#include "gpu/device_limits.h"
#include "gpu/gpu.h"
#include "gpu/hooks.h"

struct gpu_program;
struct gpu_tuned;

/* What became of the last submission. */
typedef enum {
    GPU_IDLE,
    GPU_AT_WORK, /* not waited for to its end: it may still use its objects */
    GPU_STUCK    /* waited for once more, in vain: its objects are never destroyed */
} gpu_work;

typedef struct gpu_context gpu_context;
struct gpu_context {
    gpu_device_info info;
    gpu_limits limits;             /* in force; info repeats most of them */
    const struct gpu_tuned *tuned; /* sizes for this device, or NULL */
    bool robust;       /* buffers are accessed within their bounds, whatever a shader says */
    uint32_t subgroup; /* operations of compute shaders: VkSubgroupFeatureFlags */
    VkPhysicalDevice physical;
    VkDevice handle;
    struct VolkDeviceTable vk; /* entry points of this device's driver */
    VkQueue queue;
    uint32_t queue_family;
    VkCommandPool pool;
    VkFence fence;   /* of the submission at work: there is one at a time */
    bool shader_fma; /* VK_KHR_shader_fma is enabled, for binary32 */
    VkPhysicalDeviceMemoryProperties memory;
    bool staging; /* the host maps no tensor (gpu/hooks.h) */
    gpu_faults faults;
    gpu_work work;
    bool lost;                 /* or given up: takes no more work */
    uint64_t grace_ns;         /* how long work that was given up may last before it is stuck */
    gpu_context *again;        /* opened once after this one was lost (gpu/start.h), or NULL */
    struct gpu_program *empty; /* gpu/empty.c; NULL until it is wanted */
};

/* Reads properties and limits, lowered by the test hook; opens nothing. index is the position in
 * enumeration order. A device that cannot be used says so in info.unavailable. */
void gpu_context_describe(VkPhysicalDevice physical, uint32_t index, gpu_context *device);

/* Creates the logical device, its queue, command pool and fence. */
attn_status gpu_context_open(gpu_context *device, attn_reason *why);
/* Closes the device and the one opened again; also when open failed. False: something is stuck and
 * was left as it is, so that the instance must stay, too. */
bool gpu_context_close(gpu_context *device);

/* Fills info.duplicate_of of each device whose UUID an earlier one has. */
void gpu_mark_duplicates(gpu_device_info *const *infos, size_t count);

#endif
