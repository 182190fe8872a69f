/* SPDX-License-Identifier: Apache-2.0
 *
 * A shader of the program on a device: its pipelines, its buffers bound, a list of dispatches
 * recorded once and run any number of times.
 */
#ifndef GPU_PROGRAM_H
#define GPU_PROGRAM_H

#include "gpu/buffer.h"
#include "gpu/plan.h"
#include "shaders/modules.h"

typedef struct gpu_program {
    gpu_context *device;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipelines[GPU_MAX_PASSES];
    VkBufferView texels[BIND_COUNT - BIND_BUFFERS];
    VkDescriptorPool descriptors;
    VkDescriptorSet set;
    VkCommandBuffer commands;
    VkQueryPool times; /* VK_NULL_HANDLE where the queue has no timestamps */
    VkFence fence;
} gpu_program;

/* One pipeline for each plan->specs with SPEC_PASS = 0 .. plan->passes - 1.
 * buffers[BIND_BUFFERS]: NULL where the shader uses none; they stay open until gpu_program_close.
 * Records plan->steps. */
attn_status gpu_program_open(gpu_context *device, const shader_module *code, const gpu_plan *plan,
                             gpu_buffer *const *buffers, gpu_program *program, attn_reason *why);
void gpu_program_close(gpu_program *program); /* also when open failed */

/* Submits, waits. device_s: seconds by the device's timestamps, or NAN. */
attn_status gpu_program_run(gpu_program *program, double *device_s, attn_reason *why);

#endif
