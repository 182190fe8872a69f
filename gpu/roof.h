/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofs of a device: its rates of multiply-accumulates in registers, of reading memory, of
 * copying it and of triad, by shader.
 */
#ifndef GPU_ROOF_H
#define GPU_ROOF_H

#include "attn/kernel.h"
#include "gpu/tool.h"

/* How a roof's shader is dispatched. */
typedef struct gpu_roof_shape {
    uint32_t local, groups; /* invocations of a workgroup, workgroups */
    uint64_t work;          /* FLOPs or bytes of one loop iteration of all invocations */
    uint64_t buffer_bytes;  /* of a roof of memory: of either buffer */
} gpu_roof_shape;

/* What roofs of one shader share. Opened by the first run, closed by release. */
typedef struct gpu_roof {
    gpu_context *named;  /* the device of the row */
    gpu_context *device; /* the same, or as it was opened again */
    gpu_buffer buffers[BIND_BUFFERS];
    gpu_program programs[BANDWIDTH_PASSES]; /* by pass */
    uint32_t counts[BANDWIDTH_PASSES];      /* loop iterations of a dispatch; 0: not open */
    double count_s[BANDWIDTH_PASSES];       /* shortest time of one; 0: unknown */
} gpu_roof;

#define GPU_ROOFS 6 /* contracts M, F and X, reading, copying, triad */

attn_contract gpu_roof_contract(size_t index);
/* Roof `index` of an open device; contexts[GPU_ROOFS] are the device's. */
attn_roof gpu_roof_make(gpu_context *device, size_t index, gpu_roof *contexts);
void gpu_roof_close(gpu_roof *roof); /* also when it never ran */

/* roof_shape.c */
gpu_roof_shape gpu_roof_shape_of(const gpu_context *device, attn_roof_kind kind);
/* Buffers for every roof of this kind; closed by gpu_roof_close even when this failed. */
attn_status gpu_roof_open_buffers(gpu_roof *roof, attn_roof_kind kind, attn_reason *why);
/* Bytes that the last-level caches of a device may hold. */
uint64_t gpu_roof_caches(const gpu_context *device);

#endif
