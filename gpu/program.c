/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/program.h"

#include <string.h>

#include "gpu/result.h"
#include "gpu/timer.h"
#include "shaders/modules.h"

static VkDescriptorType binding_type(uint32_t binding)
{
    return binding < BIND_BUFFERS ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                  : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
}

static attn_status make_layouts(gpu_program *program, attn_reason *why)
{
    const gpu_context *device = program->device;
    VkDescriptorSetLayoutBinding bindings[BIND_COUNT];
    for (uint32_t i = 0; i < BIND_COUNT; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = binding_type(i),
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BIND_COUNT,
        .pBindings = bindings};
    attn_status status = gpu_result(
        device->vk.vkCreateDescriptorSetLayout(device->handle, &set, NULL, &program->set_layout),
        "vkCreateDescriptorSetLayout", why);
    if (status != ATTN_OK)
        return status;

    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(shader_push)};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &program->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &push};
    return gpu_result(
        device->vk.vkCreatePipelineLayout(device->handle, &layout, NULL, &program->layout),
        "vkCreatePipelineLayout", why);
}

static attn_status make_pipeline(gpu_program *program, VkShaderModule module, const gpu_plan *plan,
                                 uint32_t pass, attn_reason *why)
{
    VkSpecializationMapEntry entries[SPEC_COUNT];
    uint32_t values[SPEC_COUNT];
    for (uint32_t i = 0; i < SPEC_COUNT; i++) {
        entries[i] = (VkSpecializationMapEntry){i, 4 * i, 4};
        values[i] = i == SPEC_PASS ? pass : plan->specs[i];
    }
    const VkSpecializationInfo specialization = {SPEC_COUNT, entries, sizeof values, values};
    const VkComputePipelineCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = program->layout};
    const gpu_context *device = program->device;
    return gpu_result(device->vk.vkCreateComputePipelines(device->handle, VK_NULL_HANDLE, 1,
                                                          &create, NULL, &program->pipelines[pass]),
                      "vkCreateComputePipelines", why);
}

static attn_status make_pipelines(gpu_program *program, const char *name, const gpu_plan *plan,
                                  attn_reason *why)
{
    const gpu_context *device = program->device;
    const shader_module *words = NULL;
    for (size_t i = 0; i < shader_module_count && !words; i++)
        if (strcmp(shader_modules[i].name, name) == 0)
            words = &shader_modules[i];
    if (!words)
        return attn_because(why, ATTN_ERROR, "no shader %s", name);

    const VkShaderModuleCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = words->bytes,
                                             .pCode = words->words};
    VkShaderModule module;
    attn_status status =
        gpu_result(device->vk.vkCreateShaderModule(device->handle, &create, NULL, &module),
                   "vkCreateShaderModule", why);
    if (status != ATTN_OK)
        return status;
    for (uint32_t pass = 0; status == ATTN_OK && pass < plan->passes; pass++)
        status = make_pipeline(program, module, plan, pass, why);
    device->vk.vkDestroyShaderModule(device->handle, module, NULL);
    return status;
}

static attn_status make_set(gpu_program *program, attn_reason *why)
{
    const gpu_context *device = program->device;
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BIND_BUFFERS},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, BIND_COUNT - BIND_BUFFERS}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = sizeof sizes / sizeof sizes[0],
                                             .pPoolSizes = sizes};
    attn_status status = gpu_result(
        device->vk.vkCreateDescriptorPool(device->handle, &pool, NULL, &program->descriptors),
        "vkCreateDescriptorPool", why);
    if (status != ATTN_OK)
        return status;
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = program->descriptors,
        .descriptorSetCount = 1,
        .pSetLayouts = &program->set_layout};
    return gpu_result(device->vk.vkAllocateDescriptorSets(device->handle, &allocate, &program->set),
                      "vkAllocateDescriptorSets", why);
}

static void bind_buffers(gpu_program *program, gpu_buffer *const *buffers)
{
    const gpu_context *device = program->device;
    for (uint32_t i = 0; i < BIND_BUFFERS; i++) {
        if (!buffers[i])
            continue;
        const VkDescriptorBufferInfo info = {buffers[i]->handle, 0, buffers[i]->bytes};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = program->set,
                                            .dstBinding = i,
                                            .descriptorCount = 1,
                                            .descriptorType = binding_type(i),
                                            .pBufferInfo = &info};
        device->vk.vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
    }
}

/* K and V as texel buffers, as far as the device lets one reach; plans keep the tensors within. */
static attn_status bind_texels(gpu_program *program, gpu_buffer *const *buffers,
                               uint32_t texel_words, attn_reason *why)
{
    const VkFormat format = texel_words == 4 ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32_UINT;
    const uint64_t texel_bytes = 4 * texel_words;
    static const uint32_t sources[] = {BIND_K, BIND_V};
    const gpu_context *device = program->device;
    for (uint32_t i = 0; i < BIND_COUNT - BIND_BUFFERS; i++) {
        const gpu_buffer *buffer = buffers[sources[i]];
        const uint64_t most = texel_bytes * device->limits.texels;
        const uint64_t bytes = buffer->bytes < most ? buffer->bytes : most;
        const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                             .buffer = buffer->handle,
                                             .format = format,
                                             .range = bytes / texel_bytes * texel_bytes};
        const attn_status status = gpu_result(
            device->vk.vkCreateBufferView(device->handle, &view, NULL, &program->texels[i]),
            "vkCreateBufferView", why);
        if (status != ATTN_OK)
            return status;
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = program->set,
                                            .dstBinding = BIND_BUFFERS + i,
                                            .descriptorCount = 1,
                                            .descriptorType = binding_type(BIND_BUFFERS + i),
                                            .pTexelBufferView = &program->texels[i]};
        device->vk.vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
    }
    return ATTN_OK;
}

static attn_status make_objects(gpu_program *program, attn_reason *why)
{
    const gpu_context *device = program->device;
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    attn_status status =
        gpu_result(device->vk.vkCreateFence(device->handle, &fence, NULL, &program->fence),
                   "vkCreateFence", why);
    if (status == ATTN_OK && device->info.timestamp_bits > 0) {
        const VkQueryPoolCreateInfo times = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                             .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                             .queryCount = 2};
        status =
            gpu_result(device->vk.vkCreateQueryPool(device->handle, &times, NULL, &program->times),
                       "vkCreateQueryPool", why);
    }
    if (status != ATTN_OK)
        return status;
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = device->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    return gpu_result(
        device->vk.vkAllocateCommandBuffers(device->handle, &allocate, &program->commands),
        "vkAllocateCommandBuffers", why);
}

static void barrier(const gpu_program *program, VkPipelineStageFlags to, VkAccessFlags access)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                    .dstAccessMask = access};
    program->device->vk.vkCmdPipelineBarrier(program->commands,
                                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, to, 0, 1,
                                             &memory, 0, NULL, 0, NULL);
}

static void record_step(const gpu_program *program, const gpu_step *step)
{
    const gpu_context *device = program->device;
    const uint32_t most = device->limits.groups, groups = step->push.groups;
    const uint32_t x = groups < most ? groups : most;

    device->vk.vkCmdBindPipeline(program->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                 program->pipelines[step->pass]);
    device->vk.vkCmdPushConstants(program->commands, program->layout, VK_SHADER_STAGE_COMPUTE_BIT,
                                  0, sizeof step->push, &step->push);
    device->vk.vkCmdDispatch(program->commands, x, (groups + x - 1) / x, 1);
}

static attn_status record(gpu_program *program, const gpu_plan *plan, attn_reason *why)
{
    const gpu_context *device = program->device;
    const VkCommandBuffer commands = program->commands;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const attn_status status =
        gpu_result(device->vk.vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer", why);
    if (status != ATTN_OK)
        return status;

    device->vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->layout, 0,
                                       1, &program->set, 0, NULL);
    if (program->times) {
        device->vk.vkCmdResetQueryPool(commands, program->times, 0, 2);
        device->vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, program->times,
                                       0);
    }
    for (size_t i = 0; i < plan->count; i++) {
        if (i > 0)
            barrier(program, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
        record_step(program, &plan->steps[i]);
    }
    if (program->times)
        device->vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                       program->times, 1);
    barrier(program,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
                VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                VK_ACCESS_HOST_READ_BIT);
    return gpu_result(device->vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer", why);
}

attn_status gpu_program_open(gpu_context *device, const char *module, const gpu_plan *plan,
                             gpu_buffer *const *buffers, gpu_program *program, attn_reason *why)
{
    *program = (gpu_program){.device = device};
    attn_status status = make_layouts(program, why);
    if (status == ATTN_OK)
        status = make_pipelines(program, module, plan, why);
    if (status == ATTN_OK)
        status = make_set(program, why);
    if (status == ATTN_OK)
        bind_buffers(program, buffers);
    if (status == ATTN_OK && plan->texel_words)
        status = bind_texels(program, buffers, plan->texel_words, why);
    if (status == ATTN_OK)
        status = make_objects(program, why);
    if (status == ATTN_OK)
        status = record(program, plan, why);
    return status;
}

void gpu_program_close(gpu_program *program)
{
    gpu_context *device = program->device;
    if (!device)
        return;
    if (program->commands)
        device->vk.vkFreeCommandBuffers(device->handle, device->pool, 1, &program->commands);
    for (uint32_t i = 0; i < BIND_COUNT - BIND_BUFFERS; i++)
        device->vk.vkDestroyBufferView(device->handle, program->texels[i], NULL);
    device->vk.vkDestroyQueryPool(device->handle, program->times, NULL);
    device->vk.vkDestroyFence(device->handle, program->fence, NULL);
    device->vk.vkDestroyDescriptorPool(device->handle, program->descriptors, NULL);
    for (uint32_t i = 0; i < GPU_MAX_PASSES; i++)
        device->vk.vkDestroyPipeline(device->handle, program->pipelines[i], NULL);
    device->vk.vkDestroyPipelineLayout(device->handle, program->layout, NULL);
    device->vk.vkDestroyDescriptorSetLayout(device->handle, program->set_layout, NULL);
    *program = (gpu_program){0};
}

attn_status gpu_program_run(gpu_program *program, double *device_s, attn_reason *why)
{
    gpu_context *device = program->device;
    uint64_t times[2] = {0, 0};
    attn_status status = gpu_context_submit(device, program->commands, program->fence, why);
    if (status == ATTN_OK && program->times)
        status = gpu_result(device->vk.vkGetQueryPoolResults(
                                device->handle, program->times, 0, 2, sizeof times, times,
                                sizeof times[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                            "vkGetQueryPoolResults", why);
    *device_s = gpu_timer_seconds(times[0], times[1], device->info.timestamp_bits,
                                  device->info.timestamp_period_ns);
    return status;
}
