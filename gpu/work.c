/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/work.h"

#include "gpu/result.h"

#define WAIT_NS (UINT64_C(3600) * 1000 * 1000 * 1000) /* software devices are slow */

attn_status gpu_work_alive(const gpu_context *device, attn_reason *why)
{
    return device->lost ? attn_because(why, ATTN_DEVICE_LOST, "the device was lost before")
                        : ATTN_OK;
}

attn_status gpu_work_result(gpu_context *device, VkResult result, const char *call,
                            attn_reason *why)
{
    if (result == VK_ERROR_DEVICE_LOST) {
        /* A lost device keeps nobody waiting, and after this call nothing counts as in use, though
         * a submission that failed with the loss does. */
        device->vk.vkDeviceWaitIdle(device->handle);
        device->work = GPU_IDLE;
        device->lost = true;
    }
    return gpu_result(result, call, why);
}

static VkResult submit(gpu_context *device, const VkCommandBuffer *commands, VkFence fence)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = commands};
    if (gpu_hook_fails(&device->faults, GPU_FAULT_SUBMIT))
        return VK_ERROR_DEVICE_LOST;
    return device->vk.vkQueueSubmit(device->queue, 1, &info, fence);
}

/* Waits for the fence of the last of `count` submissions. */
static VkResult wait(gpu_context *device, uint32_t count)
{
    bool lasts = false;
    for (uint32_t i = 0; i < count; i++)
        lasts = gpu_hook_fails(&device->faults, GPU_FAULT_TIMEOUT) || lasts;
    return lasts ? VK_TIMEOUT
                 : device->vk.vkWaitForFences(device->handle, 1, &device->fence, VK_TRUE, WAIT_NS);
}

attn_status gpu_work_submit(gpu_context *device, const VkCommandBuffer *commands, uint32_t count,
                            attn_reason *why)
{
    attn_status status = gpu_work_alive(device, why);
    if (status == ATTN_OK)
        status = gpu_result(device->vk.vkResetFences(device->handle, 1, &device->fence),
                            "vkResetFences", why);
    if (status != ATTN_OK)
        return status;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = submit(device, &commands[i], i + 1 == count ? device->fence : VK_NULL_HANDLE);
    if (result != VK_SUCCESS) {
        device->vk.vkQueueWaitIdle(device->queue); /* for those before the one that failed */
        return gpu_work_result(device, result, "vkQueueSubmit", why);
    }
    device->work = GPU_AT_WORK;
    result = wait(device, count);
    if (result == VK_SUCCESS)
        device->work = GPU_IDLE;
    else
        device->lost = true;
    return gpu_work_result(device, result, "vkWaitForFences", why);
}

bool gpu_work_ended(gpu_context *device)
{
    if (device->work == GPU_AT_WORK) {
        const VkResult result = device->vk.vkWaitForFences(device->handle, 1, &device->fence,
                                                           VK_TRUE, device->grace_ns);
        /* A loss ends all work, too. */
        device->work =
            result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST ? GPU_IDLE : GPU_STUCK;
    }
    return device->work == GPU_IDLE;
}

attn_status gpu_work_allocate(gpu_context *device, const VkMemoryAllocateInfo *info,
                              VkDeviceMemory *memory, attn_reason *why)
{
    const VkResult result = gpu_hook_fails(&device->faults, GPU_FAULT_MEMORY)
                                ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                                : device->vk.vkAllocateMemory(device->handle, info, NULL, memory);
    return gpu_result(result, "vkAllocateMemory", why);
}

attn_status gpu_work_pipeline(gpu_context *device, const VkComputePipelineCreateInfo *info,
                              VkPipeline *pipeline, attn_reason *why)
{
    /* What MoltenVK says of a shader that Metal does not compile. */
    const VkResult result = gpu_hook_fails(&device->faults, GPU_FAULT_PIPELINE)
                                ? VK_ERROR_INITIALIZATION_FAILED
                                : device->vk.vkCreateComputePipelines(
                                      device->handle, VK_NULL_HANDLE, 1, info, NULL, pipeline);
    return gpu_result(result, "vkCreateComputePipelines", why);
}
