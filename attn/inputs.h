/* SPDX-License-Identifier: Apache-2.0
 *
 * Counter-based inputs: any element can be made on any device, in any order.
 */
#ifndef ATTN_INPUTS_H
#define ATTN_INPUTS_H

#include "attn/layout.h"
#include "attn/workload.h"

/* Philox4x32-10 (Salmon et al., SC'11), checked against Random123's published answers. */
void attn_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

typedef enum { ATTN_TENSOR_Q, ATTN_TENSOR_K, ATTN_TENSOR_V } attn_tensor_id;

/* x stands for the normal value of the element. Every generator is finite in f32, f16 and bf16,
 * and lies on a grid coarse enough that no product or sum of a contract becomes subnormal. */
typedef enum {
    ATTN_GEN_NORMAL, /* x = (i1 + i2 + i3) * 2^-15: zero mean, unit variance, 17 bits, |x| <= 3 */
    ATTN_GEN_PEAKED, /* a few keys dominate each row: queries 8x */
    ATTN_GEN_EQUAL,  /* zero queries: all scores equal */
    ATTN_GEN_LARGE,  /* Q and K 16x: scaled scores in the hundreds; V 2^14 x, never 0 */
    ATTN_GEN_CANCEL, /* V = +-(64 + x): outputs are small differences of large terms */
} attn_generator;

/* Element `index` of a tensor under `seed`, before rounding to the storage type. */
float attn_input(attn_generator gen, uint32_t seed, attn_tensor_id tensor, uint64_t index);

/* Tensors of one workload, contiguous: in canonical layout q [b][h][n][d], k [b][hk][m][d],
 * v [b][hk][m][dv], elements of w->dtype (f16/bf16 rounded to nearest even). Kernels take them as
 * they lie, aligned to an element and no more. */
typedef struct attn_inputs {
    void *q, *k, *v;
    attn_layout layout; /* of all three */
} attn_inputs;

attn_shape attn_inputs_shape(const attn_workload *w, attn_tensor_id tensor);
const void *attn_inputs_tensor(const attn_inputs *in, attn_tensor_id tensor);

/* Rows of one head, one after the other. */
typedef struct attn_rows {
    const void *first;
    size_t stride; /* elements between two rows */
} attn_rows;

/* The rows of a tensor that query head `head` uses, from number `row` on: of q its own, of k and v
 * those of its key head. */
attn_rows attn_inputs_rows(const attn_workload *w, const attn_inputs *in, attn_tensor_id tensor,
                           uint32_t batch, uint32_t head, uint32_t row);

/* Allocates and fills, in canonical layout (threads as OpenMP decides). ATTN_OUT_OF_MEMORY leaves
 * nothing allocated. */
attn_status attn_inputs_make(const attn_workload *w, attn_generator gen, uint32_t seed,
                             attn_inputs *in, attn_reason *why);
void attn_inputs_free(attn_inputs *in);

#endif
