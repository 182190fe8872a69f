/* SPDX-License-Identifier: Apache-2.0
 *
 * scalar_naive: attention as the textbook writes it, in three passes over an n x m matrix of
 * scores: S = scale * Q K^T, P = softmax(S) by rows, O = P V. No tiling, no online softmax, libm
 * exp: what every other kernel is measured against. Its memory grows with n * m.
 */
#include <math.h>

#include "cpu/tile.h"

static void tile(const cpu_tile *t)
{
    const uint32_t m = t->w->m, d = t->w->d, dv = t->w->dv;
    const float *q = t->q, *k = t->k, *v = t->v, scale = (float)t->w->scale;
    float *scores = t->scratch;

    for (uint32_t i = 0; i < t->rows; i++)
        for (uint32_t j = t->spans[i].lo; j < t->spans[i].hi; j++) {
            float sum = 0.0f;
            for (uint32_t c = 0; c < d; c++)
                sum += q[i * t->q_stride + c] * k[j * t->k_stride + c];
            scores[(size_t)i * m + j] = sum * scale;
        }

    for (uint32_t i = 0; i < t->rows; i++) {
        float *row = scores + (size_t)i * m, maximum = -INFINITY, sum = 0.0f;
        for (uint32_t j = t->spans[i].lo; j < t->spans[i].hi; j++)
            maximum = fmaxf(maximum, row[j]);
        if (maximum == -INFINITY) /* no score above -inf: all weights are 0 */
            maximum = 0.0f;
        for (uint32_t j = t->spans[i].lo; j < t->spans[i].hi; j++) {
            row[j] = expf(row[j] - maximum);
            sum += row[j];
        }
        for (uint32_t j = t->spans[i].lo; j < t->spans[i].hi; j++)
            row[j] = sum == 0.0f ? 0.0f : row[j] / sum;
    }

    for (uint32_t i = 0; i < t->rows; i++)
        for (uint32_t c = 0; c < dv; c++) {
            float sum = 0.0f;
            for (uint32_t j = t->spans[i].lo; j < t->spans[i].hi; j++)
                sum += scores[(size_t)i * m + j] * v[j * t->v_stride + c];
            t->out[(size_t)i * dv + c] = sum;
        }
}

static size_t scratch(const attn_workload *w)
{
    return (size_t)w->n * w->m * sizeof(float);
}

extern const cpu_kernel_impl scalar_naive;
const cpu_kernel_impl scalar_naive = {.tile = tile, .scratch = scratch};
