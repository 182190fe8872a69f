/* SPDX-License-Identifier: Apache-2.0
 *
 * A tool shader (probe, roof): one dispatch from an input buffer to an output buffer.
 */
#ifndef GPU_TOOL_H
#define GPU_TOOL_H

#include "gpu/program.h"

#define GPU_TOOL_LOCAL 64 /* invocations of a workgroup */

typedef struct gpu_tool {
    gpu_program program;
    gpu_buffer in, out;
} gpu_tool;

typedef struct gpu_tool_size {
    uint32_t passes, pass;        /* of the shader, and the one to run */
    uint32_t groups, count;       /* of the dispatch, push.count */
    uint64_t in_bytes, out_bytes; /* multiples of 4 */
} gpu_tool_size;

attn_status gpu_tool_open(gpu_context *device, const char *module, const gpu_tool_size *size,
                          gpu_tool *tool, attn_reason *why);
void gpu_tool_close(gpu_tool *tool); /* also when open failed */

/* in[in_bytes], out[out_bytes]; device_s as gpu_program_run. */
attn_status gpu_tool_run(gpu_tool *tool, const void *in, void *out, double *device_s,
                         attn_reason *why);

#endif
