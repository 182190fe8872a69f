/* SPDX-License-Identifier: Apache-2.0
 *
 * The walk of a vector kernel over the keys of a call: those that its rows see, split by split.
 */
#ifndef CPU_WALK_H
#define CPU_WALK_H

#include "attn/contract.h"
#include "cpu/tile.h"

/* What a kernel does at each step; `a` is its working state. */
typedef struct walk_steps {
    void (*reset)(void *a);                            /* m = -inf, l = 0, o = 0 */
    void (*keys)(void *a, uint32_t from, uint32_t to); /* all blocks of the keys from..to-1 */
    void (*reset_all)(void *a);                        /* the running state over splits */
    void (*merge)(void *a);                            /* a split's state joins the running one */
} walk_steps;

/* The keys that any row of the call sees: first..last-1. */
typedef struct walk_range {
    uint32_t first, last;
} walk_range;

static inline walk_range walk_range_of(const attn_span *spans, uint32_t rows)
{
    walk_range seen = {UINT32_MAX, 0};
    for (uint32_t i = 0; i < rows; i++) {
        if (spans[i].lo < spans[i].hi && spans[i].lo < seen.first)
            seen.first = spans[i].lo;
        seen.last = spans[i].hi > seen.last ? spans[i].hi : seen.last;
    }
    return seen;
}

/* The keys from..to-1, as far as any row sees them. */
static inline void walk_part(void *a, const walk_steps *steps, walk_range seen, uint32_t from,
                             uint32_t to)
{
    from = from > seen.first ? from : seen.first;
    to = to < seen.last ? to : seen.last;
    if (from < to)
        steps->keys(a, from, to);
}

/* One split alone. */
static inline void walk_split(void *a, const walk_steps *steps, walk_range seen, uint32_t size,
                              uint32_t split)
{
    steps->reset(a);
    walk_part(a, steps, seen, split * size, (split + 1) * size);
}

/* All keys; with splits, each starts fresh and joins the running state in ascending order. */
static inline void walk_keys(void *a, const walk_steps *steps, walk_range seen,
                             const attn_workload *w)
{
    if (!w->split) {
        steps->reset(a);
        walk_part(a, steps, seen, 0, w->m);
        return;
    }
    steps->reset_all(a);
    for (uint32_t i = seen.first / w->split; i * w->split < seen.last; i++) {
        walk_split(a, steps, seen, w->split, i);
        steps->merge(a);
    }
}

#endif
