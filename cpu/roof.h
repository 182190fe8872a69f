/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops behind the roofs: per ISA and contract one that stays in registers, and per ISA one
 * that reads memory.
 */
#ifndef CPU_ROOF_H
#define CPU_ROOF_H

#include <stddef.h>
#include <stdint.h>

#include "attn/kernel.h"

/* Runs `steps` steps of independent multiply-accumulates on registers and returns the FLOPs of
 * one step. *sink receives a value that depends on all of them. */
typedef uint64_t cpu_roof_loop(uint64_t steps, float *sink);

cpu_roof_loop avx2_roof_f, avx2_roof_m;
cpu_roof_loop avx512_roof_f, avx512_roof_m;
cpu_roof_loop neon_roof_f, neon_roof_m;
cpu_roof_loop scalar_roof_m;

/* Floats of a cache line, as far as prefetching goes, and streams that are read side by side. */
enum { READ_LINE = 16, READ_STREAMS = 4 };

/* Reads `lines` lines of each stream; stream s starts at from + s * stride floats. Returns the sum
 * of all floats read, so that none can be left out. */
typedef float cpu_read_loop(const float *from, size_t stride, size_t lines);

cpu_read_loop avx2_read, neon_read, scalar_read;

/* The functions of a roof whose impl points to a cpu_read_loop * (cpu/roof_read.c). */
attn_status cpu_roof_read_run(const attn_roof *roof, unsigned threads, uint64_t wanted,
                              uint64_t *done, attn_timing *timing, attn_reason *why);
uint64_t cpu_roof_read_bytes(const attn_roof *roof, unsigned threads);
uint64_t cpu_roof_read_caches(const attn_roof *roof, unsigned threads);
void cpu_roof_read_release(const attn_roof *roof);

#endif
