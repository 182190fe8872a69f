/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops behind the roofs of bandwidth per level, in the operations of one ISA's header (which
 * is included first): vf, VF_LANES, VF_INLINE, vf_load, vf_store, vf_add, vf_mul and vf_all.
 *
 * Plain loads and stores in order, no prefetch, which would take a slot of the loads in L1. The
 * passes are counted in here, so that a set of a few KiB is not ruled by calls.
 */
#ifndef CPU_STREAM_LOOPS_H
#define CPU_STREAM_LOOPS_H

#include "cpu/roof.h"

/* As many sums as latency times loads per cycle asks for; a chunk divides STREAM_STEP. */
enum {
    STREAM_VECTORS = VF_LANES >= 8 ? 8 : 16,
    STREAM_CHUNK = STREAM_VECTORS * VF_LANES,
};

/* No compiler may make a call of memcpy, which stores in its own way, or leave out a pass that
 * writes what the one before wrote. */
#define STREAM_KEEP() __asm__ volatile("" ::: "memory")

VF_INLINE float stream_read(const float *b, size_t floats, size_t passes)
{
    vf sum[STREAM_VECTORS];
    VF_UNROLL
    for (int i = 0; i < STREAM_VECTORS; i++)
        sum[i] = vf_all(0.0f);
    for (size_t pass = 0; pass < passes; pass++)
        for (size_t at = 0; at < floats; at += STREAM_CHUNK) {
            VF_UNROLL
            for (int i = 0; i < STREAM_VECTORS; i++)
                sum[i] = vf_add(sum[i], vf_load(b + at + i * VF_LANES));
        }
    VF_UNROLL
    for (int i = 1; i < STREAM_VECTORS; i++)
        sum[0] = vf_add(sum[0], sum[i]);
    float lanes[VF_LANES], all = 0.0f;
    vf_store(lanes, sum[0]);
    for (int i = 0; i < VF_LANES; i++)
        all += lanes[i];
    return all;
}

/* After all loads of the chunk, so that no compiler has to ask whether the arrays overlap. */
VF_INLINE void store_chunk(float *a, const vf *chunk)
{
    for (int i = 0; i < STREAM_VECTORS; i++)
        vf_store(a + i * VF_LANES, chunk[i]);
}

VF_INLINE void stream_copy(float *a, const float *b, size_t floats, size_t passes)
{
    for (size_t pass = 0; pass < passes; pass++)
        for (size_t at = 0; at < floats; at += STREAM_CHUNK) {
            vf chunk[STREAM_VECTORS];
            for (int i = 0; i < STREAM_VECTORS; i++)
                chunk[i] = vf_load(b + at + i * VF_LANES);
            store_chunk(a + at, chunk);
            STREAM_KEEP();
        }
}

VF_INLINE void stream_triad(float *a, const float *b, const float *c, size_t floats, size_t passes)
{
    const vf factor = vf_all(STREAM_FACTOR);
    for (size_t pass = 0; pass < passes; pass++)
        for (size_t at = 0; at < floats; at += STREAM_CHUNK) {
            vf chunk[STREAM_VECTORS];
            for (int i = 0; i < STREAM_VECTORS; i++)
                chunk[i] = vf_add(vf_load(b + at + i * VF_LANES),
                                  vf_mul(factor, vf_load(c + at + i * VF_LANES)));
            store_chunk(a + at, chunk);
            STREAM_KEEP();
        }
}

VF_INLINE float stream_arrays(attn_roof_kind kind, float *a, const float *b, const float *c,
                              size_t floats, size_t passes)
{
    if (kind == ATTN_ROOF_READ)
        return stream_read(b, floats, passes);
    if (kind == ATTN_ROOF_COPY)
        stream_copy(a, b, floats, passes);
    else
        stream_triad(a, b, c, floats, passes);
    return a[0];
}

#endif
