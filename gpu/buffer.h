/* SPDX-License-Identifier: Apache-2.0
 *
 * Storage buffers: device-local memory, one allocation each. Transfers go through a staging
 * buffer where the host cannot map the memory.
 */
#ifndef GPU_BUFFER_H
#define GPU_BUFFER_H

#include "gpu/device.h"

typedef struct gpu_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    uint64_t bytes;
    void *mapped;  /* NULL: not visible to the host */
    bool coherent; /* needs no flush */
} gpu_buffer;

/* `bytes` is rounded up to a multiple of 4 and at least 4. */
attn_status gpu_buffer_open(gpu_context *device, uint64_t bytes, gpu_buffer *buffer,
                            attn_reason *why);
void gpu_buffer_close(gpu_context *device, gpu_buffer *buffer);

/* Copies between host memory and buffer[offset, offset + bytes), and waits. */
attn_status gpu_buffer_write(gpu_context *device, gpu_buffer *buffer, uint64_t offset,
                             const void *from, uint64_t bytes, attn_reason *why);
attn_status gpu_buffer_read(gpu_context *device, gpu_buffer *buffer, uint64_t offset, void *to,
                            uint64_t bytes, attn_reason *why);
/* Sets every word of buffer[offset, offset + bytes), multiples of 4, and waits. */
attn_status gpu_buffer_fill(gpu_context *device, gpu_buffer *buffer, uint64_t offset,
                            uint64_t bytes, uint32_t word, attn_reason *why);

#endif
