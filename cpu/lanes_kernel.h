/* SPDX-License-Identifier: Apache-2.0
 *
 * LANES_KERNEL(name, rules) defines the lane kernel `name` (cpu/lanes_tile.h) of one contract.
 */
#ifndef CPU_LANES_KERNEL_H
#define CPU_LANES_KERNEL_H

#include "cpu/lanes_tile.h"

#define LANES_PHASE static __attribute__((noinline))

/* The constant lanes_ops_<id>: every phase for R vectors of queries. */
#define LANES_OPS(id, R, rules, fused)                                                             \
    LANES_PHASE void lanes_pack_##id(lanes_state *s)                                               \
    {                                                                                              \
        lanes_pack(s, R, rules);                                                                   \
    }                                                                                              \
    LANES_PHASE void lanes_scores_##id(lanes_state *s, const lanes_block *b)                       \
    {                                                                                              \
        lanes_scores(s, b, R, rules);                                                              \
    }                                                                                              \
    LANES_PHASE bool lanes_maximum_##id(lanes_state *s)                                            \
    {                                                                                              \
        return lanes_maximum(s, R);                                                                \
    }                                                                                              \
    LANES_PHASE void lanes_plain_softmax_##id(lanes_state *s)                                      \
    {                                                                                              \
        for (int r = 0; r < R; r++)                                                                \
            lanes_softmax(s, R, r, false, rules);                                                  \
    }                                                                                              \
    LANES_PHASE void lanes_softmax_##id(lanes_state *s, bool careful)                              \
    {                                                                                              \
        if (!careful) {                                                                            \
            lanes_plain_softmax_##id(s);                                                           \
            return;                                                                                \
        }                                                                                          \
        for (int r = 0; r < R; r++)                                                                \
            lanes_softmax(s, R, r, true, rules);                                                   \
    }                                                                                              \
    LANES_PHASE void lanes_plain_values_##id(lanes_state *s, const lanes_block *b)                 \
    {                                                                                              \
        lanes_values(s, b, R, false, rules);                                                       \
    }                                                                                              \
    LANES_PHASE void lanes_values_##id(lanes_state *s, const lanes_block *b, bool select)          \
    {                                                                                              \
        if (select)                                                                                \
            lanes_values(s, b, R, true, rules);                                                    \
        else                                                                                       \
            lanes_plain_values_##id(s, b);                                                         \
    }                                                                                              \
    LANES_PHASE void lanes_merge_##id(lanes_state *s)                                              \
    {                                                                                              \
        lanes_merge(s, R, rules);                                                                  \
    }                                                                                              \
    LANES_PHASE void lanes_finish_##id(lanes_state *s)                                             \
    {                                                                                              \
        lanes_finish(s, R, rules);                                                                 \
    }                                                                                              \
    static const lanes_ops lanes_ops_##id = {                                                      \
        R,                                                                                         \
        fused,                                                                                     \
        lanes_pack_##id,                                                                           \
        lanes_scores_##id,                                                                         \
        lanes_maximum_##id,                                                                        \
        lanes_softmax_##id,                                                                        \
        lanes_values_##id,                                                                         \
        lanes_merge_##id,                                                                          \
        lanes_finish_##id,                                                                         \
    };

#define LANES_KERNEL_OF(name, ...)                                                                 \
    static const lanes_ops *const lanes_by_vectors[] = {__VA_ARGS__};                              \
    static void kernel_tile(const cpu_tile *t)                                                     \
    {                                                                                              \
        lanes_tile(t, lanes_by_vectors);                                                           \
    }                                                                                              \
    static void kernel_part(const cpu_tile *t, uint32_t split, void *state)                        \
    {                                                                                              \
        lanes_part(t, lanes_by_vectors, split, state);                                             \
    }                                                                                              \
    static void kernel_merge(const cpu_tile *t, void *states, uint32_t count)                      \
    {                                                                                              \
        lanes_join(t, lanes_by_vectors, states, count);                                            \
    }                                                                                              \
    extern const cpu_kernel_impl name;                                                             \
    const cpu_kernel_impl name = {kernel_tile,  lanes_scratch,     LANES_STACK, kernel_part,       \
                                  kernel_merge, lanes_state_bytes, LANES_MAX,   LANES_MAX};

/* LANES_EACH(macro, ...): macro(R, ...) for every number of vectors of a tile, 1..LANES_MAX_R. */
#define LANES_EACH(macro, ...)    LANES_EACH_OF(LANES_MAX_R)(macro, __VA_ARGS__)
#define LANES_EACH_OF(R)          LANES_EACH_TO(R)
#define LANES_EACH_TO(R)          LANES_EACH_##R
#define LANES_EACH_1(macro, ...)  macro(1, __VA_ARGS__)
#define LANES_EACH_2(macro, ...)  LANES_EACH_1(macro, __VA_ARGS__) macro(2, __VA_ARGS__)
#define LANES_EACH_3(macro, ...)  LANES_EACH_2(macro, __VA_ARGS__) macro(3, __VA_ARGS__)
#define LANES_EACH_4(macro, ...)  LANES_EACH_3(macro, __VA_ARGS__) macro(4, __VA_ARGS__)
#define LANES_EACH_5(macro, ...)  LANES_EACH_4(macro, __VA_ARGS__) macro(5, __VA_ARGS__)
#define LANES_EACH_6(macro, ...)  LANES_EACH_5(macro, __VA_ARGS__) macro(6, __VA_ARGS__)
#define LANES_OPS_PLAIN(R, rules) LANES_OPS(R, R, rules, NULL)
#define LANES_OPS_FUSED(R, rules) LANES_OPS(fused_##R, R, rules, NULL)
#define LANES_OPS_X(R, rules)     LANES_OPS(R, R, rules, &lanes_ops_fused_##R)
#define LANES_OPS_OF(R, unused)   &lanes_ops_##R,

/* Contracts F and M. */
#define LANES_KERNEL(name, rules)                                                                  \
    LANES_EACH(LANES_OPS_PLAIN, rules)                                                             \
    LANES_KERNEL_OF(name, LANES_EACH(LANES_OPS_OF, 0))

/* Contract X. */
#define LANES_KERNEL_X(name)                                                                       \
    LANES_EACH(LANES_OPS_FUSED, LANES_RULES_X_FUSED)                                               \
    LANES_EACH(LANES_OPS_X, LANES_RULES_X)                                                         \
    LANES_KERNEL_OF(name, LANES_EACH(LANES_OPS_OF, 0))

#endif
