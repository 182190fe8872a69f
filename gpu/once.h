/* SPDX-License-Identifier: Apache-2.0
 *
 * Command buffers, and those that are recorded, submitted once and freed.
 */
#ifndef GPU_ONCE_H
#define GPU_ONCE_H

#include "gpu/device.h"

/* Allocates a command buffer and begins it; there is none when that failed. */
attn_status gpu_commands_begin(gpu_context *device, VkCommandBufferUsageFlags usage,
                               VkCommandBuffer *commands, attn_reason *why);

attn_status gpu_once_begin(gpu_context *device, VkCommandBuffer *commands, attn_reason *why);
/* Ends it with a barrier behind its transfers, submits it, waits and frees it, which it also does
 * when it fails. */
attn_status gpu_once_submit(gpu_context *device, VkCommandBuffer commands, attn_reason *why);

#endif
