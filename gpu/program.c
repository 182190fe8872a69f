/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/program.h"

#include <string.h>

#include "attn/clock.h"
#include "gpu/result.h"
#include "gpu/shader.h"
#include "gpu/timer.h"
#include "gpu/work.h"

static attn_status make_layouts(gpu_program *program, attn_reason *why)
{
    const gpu_context *device = program->device;
    VkDescriptorSetLayoutBinding bindings[BIND_COUNT];
    for (uint32_t i = 0; i < BIND_COUNT; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = gpu_program_binding(i),
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

/* Makes pipelines[index] from a module. */
static attn_status make_pipeline(gpu_program *program, VkShaderModule module,
                                 const uint32_t specs[SPEC_COUNT], uint32_t index, attn_reason *why)
{
    VkSpecializationMapEntry entries[SPEC_COUNT];
    for (uint32_t i = 0; i < SPEC_COUNT; i++)
        entries[i] = (VkSpecializationMapEntry){i, 4 * i, 4};
    const VkSpecializationInfo specialization = {SPEC_COUNT, entries, 4 * SPEC_COUNT, specs};
    const VkComputePipelineCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = program->layout};
    return gpu_work_pipeline(program->device, &create, &program->pipelines[index], why);
}

/* Makes `count` pipelines from `first` on, each with its number as SPEC_PASS. */
static attn_status make_pipelines(gpu_program *program, const shader_module *code,
                                  const uint32_t specs[SPEC_COUNT], uint32_t first, uint32_t count,
                                  attn_reason *why)
{
    const gpu_context *device = program->device;
    VkShaderModule module;
    attn_status status = gpu_shader_open(device, code->words, code->bytes / 4, &module, why);
    if (status != ATTN_OK)
        return status;
    for (uint32_t pass = first; status == ATTN_OK && pass < first + count; pass++) {
        uint32_t values[SPEC_COUNT];
        memcpy(values, specs, sizeof values);
        values[SPEC_PASS] = pass;
        status = make_pipeline(program, module, values, pass, why);
    }
    device->vk.vkDestroyShaderModule(device->handle, module, NULL);
    return status;
}

static attn_status make_merge(gpu_program *program, const shader_module *code, const gpu_plan *plan,
                              attn_reason *why)
{
    uint32_t specs[SPEC_COUNT];
    memcpy(specs, plan->specs, sizeof specs);
    specs[SPEC_LOCAL_X] = MERGE_LOCAL;
    specs[SPEC_LOCAL_Y] = 1;
    return make_pipelines(program, code, specs, GPU_PASS_MERGE, 1, why);
}

static attn_status make_times(gpu_program *program, attn_reason *why)
{
    const gpu_context *device = program->device;
    const VkQueryPoolCreateInfo times = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = 2};
    if (device->info.timestamp_bits == 0)
        return ATTN_OK;
    return gpu_result(device->vk.vkCreateQueryPool(device->handle, &times, NULL, &program->times),
                      "vkCreateQueryPool", why);
}

attn_status gpu_program_open(gpu_context *device, const shader_module *code,
                             const shader_module *merge, const gpu_plan *plan, gpu_program *program,
                             attn_reason *why)
{
    *program = (gpu_program){.device = device};
    attn_status status = make_layouts(program, why);
    const double start = clock_seconds();
    if (status == ATTN_OK)
        status = make_pipelines(program, code, plan->specs, 0, plan->passes, why);
    if (status == ATTN_OK && plan->merges)
        status = make_merge(program, merge, plan, why);
    program->compile_s = clock_seconds() - start;
    if (status == ATTN_OK)
        status = make_times(program, why);
    return status;
}

static void destroy(gpu_program *program)
{
    const gpu_context *device = program->device;
    device->vk.vkDestroyQueryPool(device->handle, program->times, NULL);
    for (uint32_t i = 0; i <= GPU_PASS_MERGE; i++)
        device->vk.vkDestroyPipeline(device->handle, program->pipelines[i], NULL);
    device->vk.vkDestroyPipelineLayout(device->handle, program->layout, NULL);
    device->vk.vkDestroyDescriptorSetLayout(device->handle, program->set_layout, NULL);
}

void gpu_program_close(gpu_program *program)
{
    if (!program->device)
        return;
    gpu_program_unbind(program);
    if (gpu_work_ended(program->device))
        destroy(program);
    *program = (gpu_program){0};
}

attn_status gpu_program_run(gpu_program *program, double *device_s, attn_reason *why)
{
    gpu_context *device = program->device;
    uint64_t times[2] = {0, 0};
    attn_status status = gpu_work_submit(device, program->commands, program->command_count, why);
    if (status == ATTN_OK && program->times)
        status =
            gpu_work_result(device,
                            device->vk.vkGetQueryPoolResults(
                                device->handle, program->times, 0, 2, sizeof times, times,
                                sizeof times[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                            "vkGetQueryPoolResults", why);
    *device_s = gpu_timer_seconds(times[0], times[1], device->info.timestamp_bits,
                                  device->info.timestamp_period_ns);
    return status;
}
