/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device is asked to do and may fail at: submissions, memory, pipelines. Each can be made to
 * fail (gpu/hooks.h).
 */
#ifndef GPU_WORK_H
#define GPU_WORK_H

#include "gpu/device.h"

/* Submits command buffers, each by itself, and waits for all. After ATTN_DEVICE_LOST, ATTN_TIMEOUT
 * or another failure of the wait the device is lost: it takes no more work. */
attn_status gpu_work_submit(gpu_context *device, const VkCommandBuffer *commands, uint32_t count,
                            attn_reason *why);

/* ATTN_DEVICE_LOST when the device is lost. */
attn_status gpu_work_alive(const gpu_context *device, attn_reason *why);

/* As gpu_result, and notes when the device is lost. */
attn_status gpu_work_result(gpu_context *device, VkResult result, const char *call,
                            attn_reason *why);

/* May objects of this device be destroyed? Work that was given up gets a last chance to end. */
bool gpu_work_ended(gpu_context *device);

attn_status gpu_work_allocate(gpu_context *device, const VkMemoryAllocateInfo *info,
                              VkDeviceMemory *memory, attn_reason *why);
attn_status gpu_work_pipeline(gpu_context *device, const VkComputePipelineCreateInfo *info,
                              VkPipeline *pipeline, attn_reason *why);

#endif
