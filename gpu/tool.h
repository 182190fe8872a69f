/* SPDX-License-Identifier: Apache-2.0
 *
 * Tool shaders (probe, roofs, void): one dispatch, whatever the buffers.
 */
#ifndef GPU_TOOL_H
#define GPU_TOOL_H

#include "gpu/program.h"

#define GPU_TOOL_LOCAL 64 /* invocations of a workgroup unless the size says otherwise */

typedef struct gpu_tool_size {
    uint32_t passes, pass;        /* of the shader, and the one to run */
    uint32_t local;               /* invocations of a workgroup; 0: GPU_TOOL_LOCAL */
    uint32_t groups, count;       /* of the dispatch, push.count */
    uint64_t in_bytes, out_bytes; /* of the buffers of a gpu_tool; multiples of 4 */
} gpu_tool_size;

/* Opens the program, all zeros before, or, where it is open, records the dispatch anew: groups,
 * count and pass may be others. buffers[BIND_BUFFERS]: NULL where the shader uses none; they stay
 * open until gpu_program_close, which is due even when this failed. */
attn_status gpu_tool_program(gpu_context *device, const char *module, const gpu_tool_size *size,
                             gpu_buffer *const *buffers, gpu_program *program, attn_reason *why);

/* A tool with buffers of its own: from the input to the output. */
typedef struct gpu_tool {
    gpu_context *device;
    gpu_program program;
    gpu_buffer in, out;
} gpu_tool;

attn_status gpu_tool_open(gpu_context *device, const char *module, const gpu_tool_size *size,
                          gpu_tool *tool, attn_reason *why);
void gpu_tool_close(gpu_tool *tool); /* also when open failed */

/* in[in_bytes], out[out_bytes]; device_s as gpu_program_run. */
attn_status gpu_tool_run(gpu_tool *tool, const void *in, void *out, double *device_s,
                         attn_reason *why);

#endif
