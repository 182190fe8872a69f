/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/tool.h"

attn_status gpu_tool_program(gpu_context *device, const char *module, const gpu_tool_size *size,
                             gpu_buffer *const *buffers, gpu_program *program, attn_reason *why)
{
    const uint32_t local = size->local ? size->local : GPU_TOOL_LOCAL;
    gpu_step step = {.pass = size->pass, .push = {.group_end = size->groups, .count = size->count}};
    const gpu_plan plan = {
        .specs = {local, 1, 1, 1, 1}, .passes = size->passes, .steps = &step, .count = 1};
    attn_status status = ATTN_OK;
    if (!program->device)
        status = gpu_program_open(device, shader_module_find(module), NULL, &plan, program, why);
    return status == ATTN_OK ? gpu_program_bind(program, &plan, buffers, why) : status;
}

attn_status gpu_tool_open(gpu_context *device, const char *module, const gpu_tool_size *size,
                          gpu_tool *tool, attn_reason *why)
{
    *tool = (gpu_tool){.device = device};
    gpu_buffer *buffers[BIND_BUFFERS] = {[BIND_Q] = &tool->in, [BIND_OUT] = &tool->out};

    attn_status status = gpu_buffer_open(device, size->in_bytes, &tool->in, why);
    if (status == ATTN_OK)
        status = gpu_buffer_open(device, size->out_bytes, &tool->out, why);
    if (status == ATTN_OK)
        status = gpu_tool_program(device, module, size, buffers, &tool->program, why);
    return status;
}

void gpu_tool_close(gpu_tool *tool)
{
    gpu_program_close(&tool->program);
    gpu_buffer_close(tool->device, &tool->in);
    gpu_buffer_close(tool->device, &tool->out);
}

attn_status gpu_tool_run(gpu_tool *tool, const void *in, void *out, double *device_s,
                         attn_reason *why)
{
    gpu_context *device = tool->device;
    attn_status status = gpu_buffer_write(device, &tool->in, 0, in, tool->in.bytes, why);
    if (status == ATTN_OK)
        status = gpu_program_run(&tool->program, device_s, why);
    if (status == ATTN_OK)
        status = gpu_buffer_read(device, &tool->out, 0, out, tool->out.bytes, why);
    return status;
}
