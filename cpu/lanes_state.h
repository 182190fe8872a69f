/* SPDX-License-Identifier: Apache-2.0
 *
 * The working state of a lane kernel (cpu/lanes_tile.h): everything lane-minor, one query per
 * lane.
 */
#ifndef CPU_LANES_STATE_H
#define CPU_LANES_STATE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "attn/tensor.h"
#include "cpu/lanes_load.h"
#include "cpu/lanes_math.h"
#include "cpu/tile.h"

/* LANES_MAX_R (vectors of queries of a tile) and LANES_KEYS (keys or columns of a step) come from
 * the header with the products. */
#define LANES_MAX (LANES_MAX_R * VF_LANES)
/* Tiles of one call; kernels that show what sharing buys define their own. */
#ifndef LANES_STACK
#define LANES_STACK 8
#endif

typedef struct lanes_ops lanes_ops;

/* One tile of at most LANES_MAX queries; its arrays have stride R * VF_LANES floats. */
typedef struct lanes_state {
    const cpu_tile *t;
    const lanes_ops *ops;
    int R;              /* vectors of queries */
    uint32_t row, rows; /* of the call's rows */
    bool ordinary;      /* q: see vf_ordinary */
    float *q;           /* [d] packed queries */
    float *p;           /* [64] scores of the block, then weights; shared by the stack */
    float *o;           /* [dv] running output */
    float *all_o;       /* [dv] running output over splits, when there are any */
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

/* Are the values of a block finite? Asked by careful tiles alone, the first of which finds out. */
typedef struct lanes_finite_values {
    const float *v;
    uint32_t rows;
    bool known, finite;
} lanes_finite_values;

/* One block of keys: j0 aligned to 64; keys from..to-1 are computed. */
typedef struct lanes_block {
    uint32_t j0, from, to;
    const float *k, *v;          /* rows of key `from` */
    size_t k_stride, v_stride;   /* floats between two rows */
    bool ordinary;               /* k and v: see vf_ordinary; always true of binary32 */
    lanes_finite_values *values; /* shared by the tiles of the block */
    bool all_visible;            /* every lane sees every key of from..to-1 */
} lanes_block;

/* Contract: keys that a lane does not see are left out, even if their value is not finite. */
VF_INLINE vf lanes_unless_hidden(const lanes_state *s, int r, uint32_t j, vf with, vf without)
{
    const vfm seen = vf_between(s->lo + r * VF_LANES, j, s->hi + r * VF_LANES);
    return vf_select(vfm_and(s->counts[r], seen), with, without);
}

#endif
