/* SPDX-License-Identifier: Apache-2.0
 *
 * What library kernels do by themselves, in vectors: one constant per ISA.
 */
#ifndef CPU_LIBRARY_VECTORS_H
#define CPU_LIBRARY_VECTORS_H

#include <stddef.h>
#include <stdint.h>

/* Scores are read and written in groups of so many: a row must have room for whole ones. */
#define LIBRARY_GROUP 32

typedef struct library_vectors {
    /* Turns keys >= 1 scores of a row into weights 2^(s2 * score - m), updates the row's maximum m
     * and sum of weights l, and returns the factor by which what was summed before shrinks. */
    float (*softmax)(float *scores, uint32_t keys, float s2, float *m, float *l);
    /* count elements to binary32 */
    void (*widen_f16)(const uint16_t *from, size_t count, float *to);
    void (*widen_bf16)(const uint16_t *from, size_t count, float *to);
} library_vectors;

extern const library_vectors avx2_library, neon_library;

/* Of the best ISA that this CPU has; NULL without one: a scalar softmax would make weak opponents
 * of the libraries. */
const library_vectors *library_usable_vectors(void);

#endif
