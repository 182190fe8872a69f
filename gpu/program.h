/* SPDX-License-Identifier: Apache-2.0
 *
 * A shader on a device: its pipelines, and a list of dispatches recorded for buffers and run any
 * number of times.
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
    VkPipeline pipelines[GPU_MAX_PASSES + 1]; /* by gpu_step.pass */
    VkQueryPool times;                        /* VK_NULL_HANDLE where the queue has no timestamps */
    /* Of gpu_program_bind. Sets and texel views: one, or two, for each piece. */
    VkDescriptorPool descriptors;
    VkDescriptorSet *sets;
    VkBufferView *texels;
    uint32_t piece_count;
    VkCommandBuffer *commands;
    uint32_t command_count;
    bool settled;     /* drivers that compile at the first dispatch have done so */
    double compile_s; /* what the pipelines took */
} gpu_program;

/* One pipeline for each plan->specs with SPEC_PASS = 0 .. plan->passes - 1, and that of merge.comp,
 * `merge`, where the plan merges. */
attn_status gpu_program_open(gpu_context *device, const shader_module *code,
                             const shader_module *merge, const gpu_plan *plan, gpu_program *program,
                             attn_reason *why);
void gpu_program_close(gpu_program *program); /* also when open failed */

/* Binds buffers[BIND_BUFFERS], NULL where the shader uses none, and records plan->steps; a plan
 * without pieces binds whole buffers. Replaces what was bound before. The buffers stay open until
 * the next call or gpu_program_close. */
attn_status gpu_program_bind(gpu_program *program, const gpu_plan *plan, gpu_buffer *const *buffers,
                             attn_reason *why);

/* Submits, waits. device_s: seconds by the device's timestamps, or NAN. */
attn_status gpu_program_run(gpu_program *program, double *device_s, attn_reason *why);

/* program_bind.c, for program.c */
VkDescriptorType gpu_program_binding(uint32_t binding);
void gpu_program_unbind(gpu_program *program);

#endif
