/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu/library/vectors.h in the vector operations of one ISA, whose header is included first: keys
 * along the lanes, sums in any order.
 */
#ifndef CPU_LIBRARY_LANES_H
#define CPU_LIBRARY_LANES_H

#include <math.h>
#include <string.h>

#include "cpu/lanes_math.h"
#include "cpu/library/vectors.h"

enum { SOFTMAX_VECTORS = LIBRARY_GROUP / VF_LANES };

VF_INLINE float softmax_maximum(const vf top[SOFTMAX_VECTORS])
{
    float lanes[LIBRARY_GROUP], maximum = -INFINITY;
    for (int i = 0; i < SOFTMAX_VECTORS; i++)
        vf_store(lanes + i * VF_LANES, top[i]);
    for (int i = 0; i < LIBRARY_GROUP; i++)
        maximum = lanes[i] > maximum ? lanes[i] : maximum;
    return maximum;
}

VF_INLINE float softmax_sum(const vf sum[SOFTMAX_VECTORS])
{
    float lanes[LIBRARY_GROUP], total = 0.0f;
    for (int i = 0; i < SOFTMAX_VECTORS; i++)
        vf_store(lanes + i * VF_LANES, sum[i]);
    for (int i = 0; i < LIBRARY_GROUP; i++)
        total += lanes[i];
    return total;
}

VF_INLINE float softmax_e2(float x)
{
    float lanes[VF_LANES];
    vf_store(lanes, vf_e2(vf_all(x), vf_mac_f));
    return lanes[0];
}

static float softmax_row(float *scores, uint32_t keys, float s2, float *m, float *l)
{
    const uint32_t end = (keys + LIBRARY_GROUP - 1) / LIBRARY_GROUP * LIBRARY_GROUP;
    vf top[SOFTMAX_VECTORS], sum[SOFTMAX_VECTORS];
    for (int i = 0; i < SOFTMAX_VECTORS; i++) {
        top[i] = vf_all(-INFINITY);
        sum[i] = vf_all(0.0f);
    }
    /* The rest of the last group repeats a score, which no maximum notices, then weighs 0. */
    for (uint32_t j = keys; j < end; j++)
        scores[j] = scores[0];
    for (uint32_t j = 0; j < end; j += LIBRARY_GROUP)
        for (int i = 0; i < SOFTMAX_VECTORS; i++) {
            float *at = scores + j + i * VF_LANES;
            const vf scaled = vf_mul(vf_load(at), vf_all(s2));
            vf_store(at, scaled);
            top[i] = vf_max(scaled, top[i]); /* NaN is passed over */
        }
    for (uint32_t j = keys; j < end; j++)
        scores[j] = -INFINITY;

    const float maximum = fmaxf(softmax_maximum(top), *m);
    const float base = maximum == -INFINITY ? 0.0f : maximum; /* -inf - -inf is no weight */
    for (uint32_t j = 0; j < end; j += LIBRARY_GROUP)
        for (int i = 0; i < SOFTMAX_VECTORS; i++) {
            float *at = scores + j + i * VF_LANES;
            const vf weight = vf_e2(vf_sub(vf_load(at), vf_all(base)), vf_mac_f);
            vf_store(at, weight);
            sum[i] = vf_add(sum[i], weight);
        }
    const float shrink = softmax_e2(*m - base);
    *m = maximum;
    *l = *l * shrink + softmax_sum(sum);
    return shrink;
}

VF_INLINE void widen(const uint16_t *from, size_t count, float *to, vf (*load)(const uint16_t *))
{
    size_t i = 0;
    for (; i + VF_LANES <= count; i += VF_LANES)
        vf_store(to + i, load(from + i));
    uint16_t rest[VF_LANES] = {0};
    float wide[VF_LANES];
    memcpy(rest, from + i, (count - i) * sizeof *rest);
    vf_store(wide, load(rest));
    memcpy(to + i, wide, (count - i) * sizeof *wide);
}

static void widen_f16(const uint16_t *from, size_t count, float *to)
{
    widen(from, count, to, vf_load_f16);
}

static void widen_bf16(const uint16_t *from, size_t count, float *to)
{
    widen(from, count, to, vf_load_bf16);
}

/* Defines the constant `name`. */
#define LIBRARY_VECTORS(name) const library_vectors name = {softmax_row, widen_f16, widen_bf16}

#endif
