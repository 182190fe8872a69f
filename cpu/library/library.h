/* SPDX-License-Identifier: Apache-2.0
 *
 * Attention from a library's matrix products: for each block of queries and each block of keys
 * one product, a vector softmax, another product. A library brings the products; blocks, masks,
 * threads and storage types are common to all. The score block stays in the L2 cache, and no key
 * is multiplied that none of a block's queries sees.
 */
#ifndef CPU_LIBRARY_LIBRARY_H
#define CPU_LIBRARY_LIBRARY_H

#include "attn/kernel.h"
#include "cpu/tile.h"

/* Queries and keys of a block: 512 KiB of scores. Of those measured, with OpenBLAS 0.3 and oneDNN
 * 2.6, the best over full and causal masks and one and two threads. Taller blocks multiply more
 * hidden keys; a matrix of all keys leaves the L2 cache, which costs oneDNN 5 % from 2048 keys. */
enum { LIBRARY_QUERIES = 128, LIBRARY_KEYS = 1024 };

/* c[rows][columns] = a[rows][depth] * b + beta * c, beta 0 (c is not read) or 1. Row-major; b is
 * [columns][depth] when transposed, else [depth][columns]. ld*: floats from row to row. */
typedef struct library_product {
    uint32_t rows, columns, depth;
    const float *a, *b;
    float *c;
    size_t lda, ldb, ldc;
    bool transposed;
    float beta;
} library_product;

typedef void library_multiply(const library_product *p);

/* The tile function and scratch of a library kernel. Everything is f32. */
void library_tile(const cpu_tile *t, library_multiply *multiply);
size_t library_scratch(const attn_workload *w);

/* attn_kernel.impl of a library kernel: first what the frame runs, so that a pointer to one is a
 * pointer to the other. */
typedef struct library_impl {
    cpu_kernel_impl kernel;
    void (*start)(void); /* before any job; may be NULL */
    /* NULL, or what runs where queries and keys are bf16 and d, in pairs of them, is half: NULL
     * again if this CPU does not multiply bf16. Values and weights are f32. */
    const cpu_kernel_impl *(*bf16)(void);
} library_impl;

/* The operations of library kernels, around those of the frame (cpu/frame.h). */
extern const attn_kernel_ops library_kernel_ops;

/* NULL, or why no library kernel can run on this CPU. Static. */
const char *library_unavailable(void);

#endif
