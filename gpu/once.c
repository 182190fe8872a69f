/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/once.h"

#include "gpu/result.h"
#include "gpu/work.h"

attn_status gpu_commands_begin(gpu_context *device, VkCommandBufferUsageFlags usage,
                               VkCommandBuffer *commands, attn_reason *why)
{
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = device->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = usage};
    attn_status status =
        gpu_result(device->vk.vkAllocateCommandBuffers(device->handle, &allocate, commands),
                   "vkAllocateCommandBuffers", why);
    if (status != ATTN_OK)
        return status;
    status =
        gpu_result(device->vk.vkBeginCommandBuffer(*commands, &begin), "vkBeginCommandBuffer", why);
    if (status != ATTN_OK)
        device->vk.vkFreeCommandBuffers(device->handle, device->pool, 1, commands);
    return status;
}

attn_status gpu_once_begin(gpu_context *device, VkCommandBuffer *commands, attn_reason *why)
{
    return gpu_commands_begin(device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, commands, why);
}

attn_status gpu_once_submit(gpu_context *device, VkCommandBuffer commands, attn_reason *why)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask =
                                         VK_ACCESS_HOST_READ_BIT | VK_ACCESS_SHADER_READ_BIT |
                                         VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                                         VK_ACCESS_TRANSFER_WRITE_BIT};
    device->vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                    VK_PIPELINE_STAGE_HOST_BIT |
                                        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT,
                                    0, 1, &barrier, 0, NULL, 0, NULL);
    attn_status status =
        gpu_result(device->vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer", why);
    if (status == ATTN_OK)
        status = gpu_work_submit(device, &commands, 1, why);
    if (gpu_work_ended(device))
        device->vk.vkFreeCommandBuffers(device->handle, device->pool, 1, &commands);
    return status;
}
