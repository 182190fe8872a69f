/* SPDX-License-Identifier: Apache-2.0
 *
 * The working state of a lane kernel's tile (cpu/lanes_tile.h): everything lane-minor, one query
 * per lane.
 */
#ifndef CPU_LANES_STATE_H
#define CPU_LANES_STATE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cpu/lanes_math.h"
#include "cpu/tile.h"

#define LANES_MAX_R 3
#define LANES_KEYS  4
#define LANES_MAX   (LANES_MAX_R * VF_LANES)

/* Where one tile works: everything lane-minor, stride R * VF_LANES floats. */
typedef struct lanes_state {
    const cpu_tile *t;
    int R;        /* vectors of queries */
    float *q;     /* [d] packed queries */
    float *p;     /* [64] scores of the block, then weights */
    float *o;     /* [dv] running output */
    float *all_o; /* [dv] running output over splits, when there are any */
    float all_m[LANES_MAX], all_l[LANES_MAX];
    float m[LANES_MAX];      /* row maximum */
    float l[LANES_MAX];      /* sum of weights */
    float a[LANES_MAX];      /* rescale factor of the block */
    float top[LANES_MAX];    /* largest score of the block */
    vfm counts[LANES_MAX_R]; /* careful blocks: lanes for which the block counts */
    uint32_t lo[LANES_MAX], hi[LANES_MAX];
    uint32_t first, last;          /* keys that any lane sees */
    uint32_t common_lo, common_hi; /* keys that every lane sees */
} lanes_state;

/* One block of keys: j0 aligned to 64; keys from..to-1 are computed. */
typedef struct lanes_block {
    uint32_t j0, from, to;
    bool all_visible; /* every lane sees every key of from..to-1 */
} lanes_block;

static void lanes_pack(lanes_state *s)
{
    const cpu_tile *t = s->t;
    const uint32_t d = t->w->d, stride = (uint32_t)s->R * VF_LANES;
    const float *q = t->q;
    for (uint32_t lane = 0; lane < stride; lane++) {
        const uint32_t row = lane < t->rows ? lane : t->rows - 1;
        s->lo[lane] = t->spans[row].lo;
        s->hi[lane] = t->spans[row].hi;
        for (uint32_t c = 0; c < d; c++)
            s->q[(size_t)c * stride + lane] = q[(size_t)row * d + c];
    }
    s->first = UINT32_MAX;
    s->last = 0;
    s->common_lo = 0;
    s->common_hi = UINT32_MAX;
    for (uint32_t lane = 0; lane < stride; lane++) {
        if (s->lo[lane] < s->hi[lane] && s->lo[lane] < s->first)
            s->first = s->lo[lane];
        if (s->hi[lane] > s->last)
            s->last = s->hi[lane];
        if (s->lo[lane] > s->common_lo)
            s->common_lo = s->lo[lane];
        if (s->hi[lane] < s->common_hi)
            s->common_hi = s->hi[lane];
    }
}

#endif
