/* SPDX-License-Identifier: Apache-2.0
 *
 * A command buffer that is recorded, submitted once and freed.
 */
#ifndef GPU_ONCE_H
#define GPU_ONCE_H

#include "gpu/device.h"

attn_status gpu_once_begin(gpu_context *device, VkCommandBuffer *commands, attn_reason *why);
/* Ends it with a barrier behind its transfers, submits it, waits and frees it, which it also does
 * when it fails. */
attn_status gpu_once_submit(gpu_context *device, VkCommandBuffer commands, attn_reason *why);

#endif
