/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/empty.h"

#include <stdlib.h>

#include "gpu/tool.h"

static attn_status open_empty(gpu_context *device, attn_reason *why)
{
    static const gpu_tool_size size = {.passes = 1, .local = 1, .groups = 1};
    gpu_buffer *const buffers[BIND_BUFFERS] = {NULL};
    device->empty = calloc(1, sizeof *device->empty);
    if (!device->empty)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for an empty submission");
    const attn_status status =
        gpu_tool_program(device, "void_m", &size, buffers, device->empty, why);
    if (status != ATTN_OK)
        gpu_empty_close(device);
    return status;
}

attn_status gpu_empty_run(gpu_context *device, double *device_s, attn_reason *why)
{
    const attn_status status = device->empty ? ATTN_OK : open_empty(device, why);
    return status == ATTN_OK ? gpu_program_run(device->empty, device_s, why) : status;
}

void gpu_empty_close(gpu_context *device)
{
    if (device->empty)
        gpu_program_close(device->empty);
    free(device->empty);
    device->empty = NULL;
}
