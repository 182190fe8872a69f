/* SPDX-License-Identifier: Apache-2.0
 *
 * Owned buffers, 16-bit conversion and .npy files.
 */
#ifndef ATTN_TENSOR_H
#define ATTN_TENSOR_H

#include "attn/workload.h"

/* 64-byte aligned, not initialised; NULL when out of memory. bytes may be 0. From 2 MiB on, in
 * large pages where the system has them. Free with attn_free. */
void *attn_alloc(size_t bytes);
void attn_free(void *p);

/* A buffer that ends exactly at an unreadable page (and starts after one), for tests: reading or
 * writing one byte past the end faults. Its start has only the alignment that follows from
 * `bytes`. base/mapped are for attn_guarded_free. */
typedef struct attn_guarded {
    void *data;
    void *base;
    size_t mapped;
} attn_guarded;
attn_status attn_guarded_alloc(size_t bytes, attn_guarded *g, attn_reason *why);
void attn_guarded_free(attn_guarded *g);

float attn_f16_to_f32(uint16_t h);  /* exact */
uint16_t attn_f32_to_f16(float f);  /* nearest even; overflow to inf; NaN stays NaN */
float attn_bf16_to_f32(uint16_t h); /* exact */
uint16_t attn_f32_to_bf16(float f); /* nearest even; NaN stays NaN */
/* Widens count elements of dtype to binary32 (a copy for f32). */
void attn_widen(const void *src, attn_dtype dtype, size_t count, float *dst);

/* An array read from a .npy file: C order, little-endian, f32 or f16, 2 to 4 dimensions. */
typedef struct attn_array {
    attn_dtype dtype;
    unsigned rank;
    uint64_t shape[4];
    void *data; /* owned: attn_array_free */
} attn_array;

/* Reads a .npy file (format 1.0, 2.0, 3.0). Refuses, with one line that names the file: missing
 * or truncated file, trailing bytes, Fortran order, big-endian, other dtypes, rank outside 2..4,
 * a zero or oversized dimension. */
attn_status attn_npy_read(const char *path, attn_array *a, attn_reason *why);
/* Writes C-order little-endian float32, format 1.0, through a temporary file that is renamed
 * over `path` only when complete: nothing half-written stays. */
attn_status attn_npy_write(const char *path, const float *data, unsigned rank,
                           const uint64_t *shape, attn_reason *why);
void attn_array_free(attn_array *a);

#endif
