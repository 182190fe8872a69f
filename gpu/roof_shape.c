/* SPDX-License-Identifier: Apache-2.0
 *
 * Grids and memory of the roofs: enough work at once for a large device, and dispatches that a
 * small one does in a moment.
 */
#include <limits.h>

#include "attn/cache.h"
#include "gpu/roof.h"

#define MIB UINT64_C(1048576)

/* Vulkan does not tell what caches hold. As much as this is in few GPUs. */
#define GPU_CACHES (128 * MIB)

#define LEAST_MEMORY (256 * MIB)

static uint64_t floor_power_of_two(uint64_t value)
{
    uint64_t power = 1;
    while (power <= value / 2)
        power *= 2;
    return power;
}

/* Of the largest heap of the device's own memory. */
static uint64_t heap_bytes(const gpu_context *device)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < device->memory.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &device->memory.memoryHeaps[i];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap->size > most)
            most = heap->size;
    }
    return most;
}

uint64_t gpu_roof_caches(const gpu_context *device)
{
    return device->info.software ? attn_cache_bytes(UINT_MAX) : GPU_CACHES;
}

/* Four times the caches, as far as the device's memory and its largest binding go. A device that
 * runs on the CPU does the invocations of a workgroup one vector after another: there a workgroup
 * is one vector, and its part of the memory one stream. */
static gpu_roof_shape memory_shape(const gpu_context *device, attn_roof_kind kind)
{
    const bool software = device->info.software;
    const uint64_t beyond = 4 * gpu_roof_caches(device);
    const uint64_t wanted = beyond > LEAST_MEMORY ? beyond : LEAST_MEMORY;
    const uint64_t bytes =
        gpu_smaller(gpu_smaller(wanted, heap_bytes(device) / 4) / 2, device->limits.range);
    const uint32_t lanes = software ? device->info.subgroup_size : GPU_TOOL_LOCAL;
    const uint64_t local = floor_power_of_two(gpu_smaller(lanes, device->limits.invocations));
    const uint64_t row = 16 * local, least = BANDWIDTH_ROWS * row;
    const uint64_t buffer_bytes = floor_power_of_two(bytes < least ? least : bytes);
    const uint64_t groups = gpu_smaller(software ? 256 : 2048, buffer_bytes / least);
    return (gpu_roof_shape){.local = (uint32_t)local,
                            .groups = (uint32_t)groups,
                            .work = (kind == ATTN_ROOF_TRIAD ? 3 : 2) * groups * least,
                            .buffer_bytes = buffer_bytes};
}

gpu_roof_shape gpu_roof_shape_of(const gpu_context *device, attn_roof_kind kind)
{
    if (attn_roof_moves(kind))
        return memory_shape(device, kind);
    const uint32_t groups = device->info.software ? 1024 : 16384;
    return (gpu_roof_shape){.local = GPU_TOOL_LOCAL,
                            .groups = groups,
                            .work = 2 * UINT64_C(4) * ROOF_CHAINS * ROOF_STEPS * GPU_TOOL_LOCAL *
                                    groups};
}

/* Filled, so that there is memory behind every page. */
static attn_status open_filled(gpu_roof *roof, uint32_t binding, uint64_t bytes, attn_reason *why)
{
    gpu_buffer *buffer = &roof->buffers[binding];
    const attn_status status = gpu_buffer_open(roof->device, bytes, buffer, why);
    if (status != ATTN_OK)
        return status;
    return gpu_buffer_fill(roof->device, buffer, 0, bytes, 0x5a5a5a5au, why);
}

attn_status gpu_roof_open_buffers(gpu_roof *roof, attn_roof_kind kind, attn_reason *why)
{
    /* Factor, summand, start; the last is a sum that no invocation reaches. */
    static const float inputs[4] = {0.5f, 1.0f, 1.0f, -1.0f};
    const uint64_t bytes = gpu_roof_shape_of(roof->device, kind).buffer_bytes;
    attn_status status =
        gpu_buffer_open(roof->device, sizeof(uint32_t), &roof->buffers[BIND_OUT], why);
    if (status == ATTN_OK && attn_roof_moves(kind)) {
        status = open_filled(roof, BIND_K, bytes, why);
        return status == ATTN_OK ? open_filled(roof, BIND_V, bytes, why) : status;
    }
    gpu_buffer *buffer = &roof->buffers[BIND_Q];
    if (status == ATTN_OK)
        status = gpu_buffer_open(roof->device, sizeof inputs, buffer, why);
    if (status == ATTN_OK)
        status = gpu_buffer_write(roof->device, buffer, 0, inputs, sizeof inputs, why);
    return status;
}
