/* SPDX-License-Identifier: Apache-2.0
 *
 * The roof of a device: its rate of multiply-accumulates in registers.
 */
#ifndef GPU_ROOF_H
#define GPU_ROOF_H

#include "attn/kernel.h"
#include "gpu/tool.h"

typedef struct gpu_roof {
    gpu_context *device;
    gpu_tool tool;  /* for `count` loop iterations; opened by the first run, and after a loss */
    uint32_t count; /* 0: not open */
} gpu_roof;

/* The roof of a contract on an open device; `roof` becomes its context. */
attn_roof gpu_roof_make(gpu_context *device, attn_contract contract, gpu_roof *roof);
void gpu_roof_close(gpu_roof *roof);

#endif
