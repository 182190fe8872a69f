/* SPDX-License-Identifier: Apache-2.0
 *
 * Awkward shapes: sizes around a kernel's tile edges, odd head sizes, every mask, GQA, splits and
 * unkind inputs.
 */
#ifndef HARNESS_SHAPES_H
#define HARNESS_SHAPES_H

#include "attn/kernel.h"

#define SHAPES_MAX 512

typedef struct shape {
    attn_workload w;
    attn_generator generator;
} shape;

/* Fills list and returns the number of shapes for this kernel's tile sizes and storage type;
 * `full` makes the grid several times denser. */
size_t shapes_for(const attn_kernel *kernel, bool full, shape list[SHAPES_MAX]);

#endif
