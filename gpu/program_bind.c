/* SPDX-License-Identifier: Apache-2.0
 *
 * A program's descriptor sets and command buffers.
 */
#include <stdlib.h>

#include "attn/clock.h"
#include "gpu/once.h"
#include "gpu/program.h"
#include "gpu/result.h"
#include "gpu/work.h"

#define TEXELS (BIND_COUNT - BIND_BUFFERS)

VkDescriptorType gpu_program_binding(uint32_t binding)
{
    return binding < BIND_BUFFERS ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                  : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
}

static attn_status make_sets(gpu_program *program, uint32_t count, attn_reason *why)
{
    const gpu_context *device = program->device;
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count * BIND_BUFFERS},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, count * TEXELS}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = count,
                                             .poolSizeCount = sizeof sizes / sizeof sizes[0],
                                             .pPoolSizes = sizes};
    program->sets = calloc(count, sizeof *program->sets);
    program->texels = calloc((size_t)count * TEXELS, sizeof *program->texels);
    if (!program->sets || !program->texels)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the list of bindings");
    program->piece_count = count;
    attn_status status = gpu_result(
        device->vk.vkCreateDescriptorPool(device->handle, &pool, NULL, &program->descriptors),
        "vkCreateDescriptorPool", why);
    for (uint32_t i = 0; i < count && status == ATTN_OK; i++) {
        const VkDescriptorSetAllocateInfo allocate = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = program->descriptors,
            .descriptorSetCount = 1,
            .pSetLayouts = &program->set_layout};
        status = gpu_result(
            device->vk.vkAllocateDescriptorSets(device->handle, &allocate, &program->sets[i]),
            "vkAllocateDescriptorSets", why);
    }
    return status;
}

/* The part of a buffer that a piece binds. What ends the buffer ends it with its tail, as far as
 * the device lets it reach: no shader reads there, and tests see it if one does. */
static VkDescriptorBufferInfo bound(const gpu_program *program, const gpu_plan *plan,
                                    uint32_t piece, uint32_t binding, const gpu_buffer *buffer)
{
    VkDescriptorBufferInfo info = {buffer->handle, 0, buffer->bytes};
    if (plan->pieces && binding <= BIND_OUT) {
        info.offset = plan->pieces[piece].bound[binding].offset;
        info.range = plan->pieces[piece].bound[binding].bytes;
        if (piece + 1 == plan->piece_count)
            info.range = gpu_smaller(buffer->bytes - info.offset, program->device->limits.range);
    }
    return info;
}

static attn_status bind_texels(gpu_program *program, uint32_t texel_words, uint32_t piece,
                               uint32_t i, const VkDescriptorBufferInfo *info, attn_reason *why)
{
    const VkFormat format = texel_words == 4 ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32_UINT;
    const uint64_t texel_bytes = 4 * texel_words,
                   most = texel_bytes * program->device->limits.texels;
    const gpu_context *device = program->device;
    VkBufferView *texels = &program->texels[piece * TEXELS + i];
    const VkBufferViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = info->buffer,
        .format = format,
        .offset = info->offset,
        .range = gpu_smaller(info->range / texel_bytes * texel_bytes, most)};
    const attn_status status =
        gpu_result(device->vk.vkCreateBufferView(device->handle, &view, NULL, texels),
                   "vkCreateBufferView", why);
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = program->sets[piece],
                                        .dstBinding = BIND_BUFFERS + i,
                                        .descriptorCount = 1,
                                        .descriptorType = gpu_program_binding(BIND_BUFFERS + i),
                                        .pTexelBufferView = texels};
    if (status == ATTN_OK)
        device->vk.vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
    return status;
}

static attn_status write_set(gpu_program *program, const gpu_plan *plan, uint32_t piece,
                             gpu_buffer *const *buffers, attn_reason *why)
{
    static const uint32_t texel_sources[TEXELS] = {BIND_K, BIND_V};
    const gpu_context *device = program->device;
    for (uint32_t i = 0; i < BIND_BUFFERS; i++) {
        if (!buffers[i] || !buffers[i]->handle)
            continue;
        const VkDescriptorBufferInfo info = bound(program, plan, piece, i, buffers[i]);
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = program->sets[piece],
                                            .dstBinding = i,
                                            .descriptorCount = 1,
                                            .descriptorType = gpu_program_binding(i),
                                            .pBufferInfo = &info};
        device->vk.vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
    }
    attn_status status = ATTN_OK;
    for (uint32_t i = 0; i < TEXELS && plan->texel_words > 0 && status == ATTN_OK; i++) {
        const VkDescriptorBufferInfo info =
            bound(program, plan, piece, texel_sources[i], buffers[texel_sources[i]]);
        status = bind_texels(program, plan->texel_words, piece, i, &info, why);
    }
    return status;
}

static void barrier(const gpu_program *program, VkCommandBuffer commands, VkPipelineStageFlags to,
                    VkAccessFlags access)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                    .dstAccessMask = access};
    program->device->vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, to, 0,
                                             1, &memory, 0, NULL, 0, NULL);
}

static void record_step(const gpu_program *program, VkCommandBuffer commands, const gpu_step *step)
{
    const gpu_context *device = program->device;
    const uint32_t most = device->limits.groups;
    const uint32_t groups = step->push.group_end - step->push.group_begin;
    const uint32_t x = groups < most ? groups : most;

    if (step->waits)
        barrier(program, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    device->vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->layout, 0,
                                       1, &program->sets[step->piece], 0, NULL);
    device->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                 program->pipelines[step->pass]);
    device->vk.vkCmdPushConstants(commands, program->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  sizeof step->push, &step->push);
    device->vk.vkCmdDispatch(commands, x, (groups + x - 1) / x, 1);
}

/* All steps in one or several command buffers, the first timestamp before the first step, the
 * second after what makes the writes of all visible. */
static attn_status record(gpu_program *program, const gpu_plan *plan, attn_reason *why)
{
    gpu_context *device = program->device;
    program->commands = calloc(plan->count, sizeof *program->commands);
    if (!program->commands)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the list of submissions");
    attn_status status = ATTN_OK;
    for (size_t i = 0; i < plan->count && status == ATTN_OK;) {
        VkCommandBuffer commands;
        status = gpu_commands_begin(device, 0, &commands, why);
        if (status != ATTN_OK)
            return status;
        program->commands[program->command_count++] = commands;
        if (i == 0 && program->times) {
            device->vk.vkCmdResetQueryPool(commands, program->times, 0, 2);
            device->vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                           program->times, 0);
        }
        double work = 0;
        do {
            record_step(program, commands, &plan->steps[i]);
            work += plan->steps[i].work;
        } while (++i < plan->count && work + plan->steps[i].work <= plan->submit_work);
        if (i == plan->count) {
            barrier(program, commands,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
                        VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
            if (program->times)
                device->vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                               program->times, 1);
        }
        status = gpu_result(device->vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer", why);
    }
    return status;
}

/* Some drivers compile at the first dispatch: one without a workgroup makes them do it now, and
 * not in the first run. */
static attn_status settle(gpu_program *program, attn_reason *why)
{
    static const shader_push nothing;
    gpu_context *device = program->device;
    VkCommandBuffer commands;
    const double start = clock_seconds();
    attn_status status = gpu_once_begin(device, &commands, why);
    if (status != ATTN_OK)
        return status;
    device->vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->layout, 0,
                                       1, &program->sets[0], 0, NULL);
    device->vk.vkCmdPushConstants(commands, program->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  sizeof nothing, &nothing);
    for (uint32_t i = 0; i <= GPU_PASS_MERGE; i++) {
        if (!program->pipelines[i])
            continue;
        device->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                     program->pipelines[i]);
        device->vk.vkCmdDispatch(commands, 0, 0, 0);
    }
    status = gpu_once_submit(device, commands, why);
    program->compile_s += clock_seconds() - start;
    program->settled = true;
    return status;
}

attn_status gpu_program_bind(gpu_program *program, const gpu_plan *plan, gpu_buffer *const *buffers,
                             attn_reason *why)
{
    const uint32_t pieces = plan->pieces ? plan->piece_count : 1;
    gpu_program_unbind(program);
    attn_status status = make_sets(program, pieces, why);
    for (uint32_t i = 0; i < pieces && status == ATTN_OK; i++)
        status = write_set(program, plan, i, buffers, why);
    if (status == ATTN_OK && !program->settled)
        status = settle(program, why);
    if (status == ATTN_OK)
        status = record(program, plan, why);
    return status;
}

static void destroy(gpu_program *program)
{
    const gpu_context *device = program->device;
    if (program->command_count > 0)
        device->vk.vkFreeCommandBuffers(device->handle, device->pool, program->command_count,
                                        program->commands);
    for (uint32_t i = 0; i < program->piece_count * TEXELS; i++)
        device->vk.vkDestroyBufferView(device->handle, program->texels[i], NULL);
    device->vk.vkDestroyDescriptorPool(device->handle, program->descriptors, NULL);
}

void gpu_program_unbind(gpu_program *program)
{
    if (gpu_work_ended(program->device))
        destroy(program);
    free(program->commands);
    free(program->texels);
    free(program->sets);
    program->descriptors = VK_NULL_HANDLE;
    program->commands = NULL;
    program->texels = NULL;
    program->sets = NULL;
    program->command_count = program->piece_count = 0;
}
