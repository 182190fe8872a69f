/* SPDX-License-Identifier: Apache-2.0
 *
 * What the frame (frame.c) hands to a CPU kernel: query rows that share a key head. Kernels know
 * no threads, no heads and no allocation.
 */
#ifndef CPU_TILE_H
#define CPU_TILE_H

#include "attn/mask.h"

typedef struct cpu_tile {
    const attn_workload *w;
    const void *q;                       /* [rows][d], elements of w->dtype, as all three */
    const void *k;                       /* [m][d] of the key head */
    const void *v;                       /* [m][dv] */
    size_t q_stride, k_stride, v_stride; /* elements between two rows */
    float *out;                          /* [rows][dv] */
    const attn_span *spans;              /* [rows] visible keys */
    uint32_t rows; /* 1..stack * tile_q of the kernel; any number when its tile_q is 0 */
    float s2;      /* attn_workload_s2 */
    void *scratch; /* 64-byte aligned, scratch(w) bytes, contents undefined */
} cpu_tile;

/* A kernel file defines one of these, named like the file. */
typedef struct cpu_kernel_impl {
    void (*tile)(const cpu_tile *tile);
    size_t (*scratch)(const attn_workload *w); /* bytes for one thread */
    uint32_t stack; /* tiles of tile_q rows that a call may take, to share its keys; 0: one */

    /* The same in pieces, so that threads share the keys of few rows; NULL where a kernel cannot.
     * part: split number `split` of w alone, left unnormalised in `state`; merge: joins the
     * `count` states of all splits in order and writes the rows. */
    void (*part)(const cpu_tile *tile, uint32_t split, void *state);
    void (*merge)(const cpu_tile *tile, void *states, uint32_t count);
    /* Bytes of one state of a call of `rows` rows, a multiple of 64. */
    size_t (*state)(const attn_workload *w, uint32_t rows);

    /* Query heads of fewer rows than this are dealt together with those of their key head. */
    uint32_t few;

    /* Queries per tile, which the kernel's row in kernels.def must state, too; 0: any number. */
    uint32_t tile_q;
} cpu_kernel_impl;

static inline uint32_t cpu_kernel_stack(const cpu_kernel_impl *impl)
{
    return impl->stack ? impl->stack : 1;
}

#endif
