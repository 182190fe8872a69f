/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops behind the roofs: per ISA and contract one that stays in registers, and per ISA those
 * that move bytes.
 */
#ifndef CPU_ROOF_H
#define CPU_ROOF_H

#include <stddef.h>
#include <stdint.h>

#include "attn/cache.h"
#include "attn/kernel.h"

/* Runs `steps` steps of independent multiply-accumulates on registers and returns the FLOPs of
 * one step. *sink receives a value that depends on all of them. */
typedef uint64_t cpu_roof_loop(uint64_t steps, float *sink);

cpu_roof_loop avx2_roof_f, avx2_roof_m;
cpu_roof_loop avx512_roof_f, avx512_roof_m;
cpu_roof_loop neon_roof_f, neon_roof_m;
cpu_roof_loop scalar_roof_f, scalar_roof_m;

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
/* Of one thread's part of the memory, for every roof that passes the caches. */
size_t cpu_roof_part_bytes(unsigned threads);

/* Arrays of the loops below are a multiple of this many floats; the factor of triad. */
enum { STREAM_STEP = 128 };
#define STREAM_FACTOR 3.0f

/* READ, COPY (a = b) or TRIAD (a = b + STREAM_FACTOR * c) over `floats` floats, `passes` times, at
 * least once. Reading returns the sum of all floats of b in all passes. */
typedef float cpu_stream_loop(attn_roof_kind kind, float *a, const float *b, const float *c,
                              size_t floats, size_t passes);

cpu_stream_loop avx2_stream, avx512_stream, neon_stream, scalar_stream;

/* Floats of each array of one thread, so that the set of all arrays is half of the thread's share
 * of that cache, of L3 a quarter, and at least twice its share of the level below.
 * ATTN_UNAVAILABLE with a reason where there is no such set. caches: of levels 1 to
 * ATTN_CACHE_LEVELS. */
attn_status cpu_stream_floats(const attn_cache *caches, attn_roof_kind kind, unsigned level,
                              unsigned threads, size_t *floats, attn_reason *why);

/* The functions of a roof whose impl points to a cpu_stream_loop * (cpu/roof_stream.c). */
attn_status cpu_roof_stream_run(const attn_roof *roof, unsigned threads, uint64_t wanted,
                                uint64_t *done, attn_timing *timing, attn_reason *why);
uint64_t cpu_roof_stream_bytes(const attn_roof *roof, unsigned threads);

#endif
