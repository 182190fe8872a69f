/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop behind the roof of read bandwidth, in the operations of one ISA's header (which is
 * included first): vf, VF_LANES, VF_INLINE, vf_load, vf_store, vf_add and vf_all.
 *
 * Several streams, so that the hardware prefetchers of one do not wait for those of another, and
 * one sum per vector of a line, so that loads and not the latency of additions bound the loop.
 * The prefetch is for memory in small pages, where hardware prefetchers stop at every page.
 */
#ifndef CPU_READ_LINES_H
#define CPU_READ_LINES_H

#include "cpu/roof.h"

/* Bytes: eight lines ahead of the loads. Twice as far lost a tenth of the rate. */
enum { READ_AHEAD = 8 * READ_LINE * sizeof(float) };

VF_INLINE float read_lines(const float *from, size_t stride, size_t lines)
{
    enum { VECTORS = READ_LINE / VF_LANES };
    vf sum[READ_STREAMS][VECTORS];
    for (int s = 0; s < READ_STREAMS; s++)
        for (int i = 0; i < VECTORS; i++)
            sum[s][i] = vf_all(0.0f);
    for (size_t line = 0; line < lines; line++)
        for (int s = 0; s < READ_STREAMS; s++) {
            const float *at = from + s * stride + line * READ_LINE;
            __builtin_prefetch((const void *)((uintptr_t)at + READ_AHEAD)); /* maybe past the end */
            for (int i = 0; i < VECTORS; i++)
                sum[s][i] = vf_add(sum[s][i], vf_load(at + i * VF_LANES));
        }
    vf total = vf_all(0.0f);
    for (int s = 0; s < READ_STREAMS; s++)
        for (int i = 0; i < VECTORS; i++)
            total = vf_add(total, sum[s][i]);
    float lanes[VF_LANES], all = 0.0f;
    vf_store(lanes, total);
    for (int i = 0; i < VF_LANES; i++)
        all += lanes[i];
    return all;
}

#endif
