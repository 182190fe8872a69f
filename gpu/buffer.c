/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/buffer.h"

#include <inttypes.h>
#include <string.h>

#include "gpu/once.h"
#include "gpu/result.h"
#include "gpu/work.h"

#define STAGING_BYTES (UINT64_C(16) << 20)
#define NO_TYPE       UINT32_MAX
#define HOST          (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

/* The first memory type of the allowed ones that has all wanted properties. */
static uint32_t find_type(const gpu_context *device, uint32_t allowed, VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++)
        if ((allowed >> i & 1) && (device->memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    return NO_TYPE;
}

static attn_status bind_memory(gpu_context *device, VkMemoryPropertyFlags first,
                               VkMemoryPropertyFlags second, gpu_buffer *buffer, attn_reason *why)
{
    VkMemoryRequirements needs;
    device->vk.vkGetBufferMemoryRequirements(device->handle, buffer->handle, &needs);
    uint32_t type = find_type(device, needs.memoryTypeBits, first);
    if (type == NO_TYPE)
        type = find_type(device, needs.memoryTypeBits, second);
    if (type == NO_TYPE)
        return attn_because(why, ATTN_ERROR, "no memory type for a storage buffer");

    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = type};
    attn_status status = gpu_work_allocate(device, &allocate, &buffer->memory, why);
    if (status == ATTN_OK)
        status = gpu_result(
            device->vk.vkBindBufferMemory(device->handle, buffer->handle, buffer->memory, 0),
            "vkBindBufferMemory", why);
    const VkMemoryPropertyFlags flags = device->memory.memoryTypes[type].propertyFlags;
    buffer->coherent = flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const bool visible = flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    const bool for_host = first & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    if (status == ATTN_OK && visible && (for_host || !device->staging))
        status = gpu_result(device->vk.vkMapMemory(device->handle, buffer->memory, 0, VK_WHOLE_SIZE,
                                                   0, &buffer->mapped),
                            "vkMapMemory", why);
    return status;
}

static attn_status open_buffer(gpu_context *device, uint64_t bytes, VkMemoryPropertyFlags first,
                               VkMemoryPropertyFlags second, gpu_buffer *buffer, attn_reason *why)
{
    const VkBufferCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    *buffer = (gpu_buffer){.bytes = bytes};
    attn_status status =
        gpu_result(device->vk.vkCreateBuffer(device->handle, &create, NULL, &buffer->handle),
                   "vkCreateBuffer", why);
    if (status == ATTN_OK)
        status = bind_memory(device, first, second, buffer, why);
    if (status != ATTN_OK)
        gpu_buffer_close(device, buffer);
    return status;
}

attn_status gpu_buffer_open(gpu_context *device, uint64_t bytes, gpu_buffer *buffer,
                            attn_reason *why)
{
    const uint64_t words = bytes < 4 ? 1 : (bytes + 3) / 4;
    return open_buffer(device, 4 * words, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, buffer, why);
}

void gpu_buffer_close(gpu_context *device, gpu_buffer *buffer)
{
    if (!buffer->handle)
        return;
    if (gpu_work_ended(device)) {
        device->vk.vkDestroyBuffer(device->handle, buffer->handle, NULL);
        device->vk.vkFreeMemory(device->handle, buffer->memory, NULL);
    }
    *buffer = (gpu_buffer){0};
}

/* Makes the host's writes visible to the device, or the device's to the host. */
static attn_status synchronize(gpu_context *device, const gpu_buffer *buffer, bool written,
                               attn_reason *why)
{
    const VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                       .memory = buffer->memory,
                                       .size = VK_WHOLE_SIZE};
    if (buffer->coherent)
        return ATTN_OK;
    if (written)
        return gpu_result(device->vk.vkFlushMappedMemoryRanges(device->handle, 1, &range),
                          "vkFlushMappedMemoryRanges", why);
    return gpu_result(device->vk.vkInvalidateMappedMemoryRanges(device->handle, 1, &range),
                      "vkInvalidateMappedMemoryRanges", why);
}

static attn_status copy_once(gpu_context *device, const gpu_buffer *from, uint64_t from_offset,
                             const gpu_buffer *to, uint64_t to_offset, uint64_t bytes,
                             attn_reason *why)
{
    const VkBufferCopy region = {from_offset, to_offset, bytes};
    VkCommandBuffer commands;
    attn_status status = gpu_once_begin(device, &commands, why);
    if (status != ATTN_OK)
        return status;
    device->vk.vkCmdCopyBuffer(commands, from->handle, to->handle, 1, &region);
    return gpu_once_submit(device, commands, why);
}

/* Exactly one of from and to is not NULL. */
static attn_status transfer_staged(gpu_context *device, gpu_buffer *buffer, uint64_t offset,
                                   const char *from, char *to, uint64_t bytes, attn_reason *why)
{
    gpu_buffer staging;
    const uint64_t most = bytes < STAGING_BYTES ? bytes : STAGING_BYTES;
    attn_status status = open_buffer(
        device, most, HOST | (to ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : 0), HOST, &staging, why);

    for (uint64_t done = 0; status == ATTN_OK && done < bytes; done += most) {
        const uint64_t part = bytes - done < most ? bytes - done : most;
        if (from) {
            memcpy(staging.mapped, from + done, part);
            status = copy_once(device, &staging, 0, buffer, offset + done, part, why);
        } else {
            status = copy_once(device, buffer, offset + done, &staging, 0, part, why);
            if (status == ATTN_OK)
                memcpy(to + done, staging.mapped, part);
        }
    }
    gpu_buffer_close(device, &staging);
    return status;
}

attn_status gpu_buffer_write(gpu_context *device, gpu_buffer *buffer, uint64_t offset,
                             const void *from, uint64_t bytes, attn_reason *why)
{
    if (!buffer->mapped)
        return transfer_staged(device, buffer, offset, from, NULL, bytes, why);
    memcpy((char *)buffer->mapped + offset, from, bytes);
    return synchronize(device, buffer, true, why);
}

attn_status gpu_buffer_read(gpu_context *device, gpu_buffer *buffer, uint64_t offset, void *to,
                            uint64_t bytes, attn_reason *why)
{
    /* What a lost device computed is undefined, even where it can still be read. */
    attn_status status = gpu_work_alive(device, why);
    if (status != ATTN_OK)
        return status;
    if (!buffer->mapped)
        return transfer_staged(device, buffer, offset, NULL, to, bytes, why);
    status = synchronize(device, buffer, false, why);
    if (status == ATTN_OK)
        memcpy(to, (const char *)buffer->mapped + offset, bytes);
    return status;
}

attn_status gpu_buffer_fill(gpu_context *device, gpu_buffer *buffer, uint64_t offset,
                            uint64_t bytes, uint32_t word, attn_reason *why)
{
    if (buffer->mapped) {
        uint32_t *words = (uint32_t *)((char *)buffer->mapped + offset);
        for (uint64_t i = 0; i < bytes / 4; i++)
            words[i] = word;
        return synchronize(device, buffer, true, why);
    }
    VkCommandBuffer commands;
    const attn_status status = gpu_once_begin(device, &commands, why);
    if (status != ATTN_OK)
        return status;
    device->vk.vkCmdFillBuffer(commands, buffer->handle, offset, bytes, word);
    return gpu_once_submit(device, commands, why);
}
