/* SPDX-License-Identifier: Apache-2.0
 *
 * What the frame (frame.c) hands to a CPU kernel: one tile of query rows of one head. Kernels
 * know no threads, no heads and no allocation.
 */
#ifndef CPU_TILE_H
#define CPU_TILE_H

#include "attn/mask.h"

typedef struct cpu_tile {
    const attn_workload *w;
    const void *q;          /* [rows][d], elements of w->dtype, as all three */
    const void *k;          /* [m][d] of this head's key head */
    const void *v;          /* [m][dv] */
    float *out;             /* [rows][dv] */
    const attn_span *spans; /* [rows] visible keys */
    uint32_t rows;          /* 1..tile_q of the kernel's row; n when tile_q is 0 */
    float s2;               /* attn_workload_s2 */
    void *scratch;          /* 64-byte aligned, scratch(w) bytes, contents undefined */
} cpu_tile;

/* A kernel file defines one of these, named like the file. */
typedef struct cpu_kernel_impl {
    void (*tile)(const cpu_tile *tile);
    size_t (*scratch)(const attn_workload *w); /* bytes for one thread */
} cpu_kernel_impl;

#endif
