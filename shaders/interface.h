/* SPDX-License-Identifier: Apache-2.0
 *
 * What host and shaders agree on, included by C and by GLSL: bindings, specialization constants,
 * push constants, and the sizes that both sides compute.
 */
#ifndef SHADERS_INTERFACE_H
#define SHADERS_INTERFACE_H

#include "../attn/contract.h"

/* Bindings of set 0. Storage buffers first: tensors in canonical layout, Q, K and V in the data
 * type of the workload; the tools (probe, roof) read BIND_Q and write BIND_OUT. */
#define BIND_Q        0 /* [b][h][n][d] */
#define BIND_K        1 /* [b][hk][m][d] */
#define BIND_V        2 /* [b][hk][m][dv] */
#define BIND_OUT      3 /* [b][h][n][dv] binary32 */
#define BIND_SPANS    4 /* [n] or [b][n] pairs lo, hi: visible keys of each query row */
#define BIND_SCRATCH  5 /* per shader */
#define BIND_BUFFERS  6
#define BIND_K_TEXELS 6 /* K and V once more, as texel buffers of R32_UINT or R32G32B32A32_UINT */
#define BIND_V_TEXELS 7
#define BIND_COUNT    8

/* Specialization constants, all uint. */
#define SPEC_LOCAL_X     0 /* workgroup size */
#define SPEC_LOCAL_Y     1
#define SPEC_ROWS        2 /* query rows of one invocation */
#define SPEC_D           3 /* head size of Q and K */
#define SPEC_DV          4 /* head size of V */
#define SPEC_PASS        5 /* which of the shader's passes this pipeline is */
#define SPEC_WIDTH       6 /* neighbouring lanes of a subgroup that share loads */
#define SPEC_BF16        7 /* contract X: 0 where storage is f16, 1 where it is bf16 */
#define SPEC_TEXEL_WORDS 8 /* lanes: 32-bit words of a texel of K and V, 1 or 4 */
#define SPEC_MASKED      9 /* lanes: 0 where every row sees every key */
#define SPEC_COUNT       10

#ifdef VULKAN /* GLSL */
#define SHADER_PUSH     layout(push_constant) uniform shader_push
#define SHADER_PUSH_END push;
#else
#include <stdint.h>
typedef uint32_t uint;
#define SHADER_PUSH     typedef struct shader_push
#define SHADER_PUSH_END shader_push;
#endif

SHADER_PUSH
{
    uint group_begin; /* workgroups of this dispatch: the grid may be folded and larger */
    uint group_end;
    uint n;           /* queries */
    uint m;           /* keys */
    uint heads;       /* query heads of a sequence */
    uint head_group;  /* query heads that share a key head */
    uint head_first;  /* of this piece, counted over the batch */
    uint head_skip;   /* query heads of the piece's first key head that come before it */
    uint stack;       /* query heads whose rows make one run of rows: 1, or head_group */
    uint rows;        /* query rows of the piece */
    uint span_stride; /* rows between the span tables of two sequences: 0 or n */
    uint s2;          /* bits of scale * log2(e) */
    uint q_at;        /* element where the piece begins in what is bound */
    uint k_at;
    uint v_at;
    uint out_at;
    uint split;     /* keys of a split, a multiple of 64 */
    uint slots;     /* splits that take part side by side, at the most */
    uint key_begin; /* online softmax: keys of the first slot, multiples of 64 but for m */
    uint key_end;
    uint flags; /* online softmax: STATE_... */
    uint count; /* merge: slots; tools: values, or loop iterations */
}
SHADER_PUSH_END

#ifndef VULKAN
_Static_assert(sizeof(shader_push) <= 128, "Vulkan guarantees 128 bytes of push constants");
#endif

/* Online softmax: a dispatch takes each row through a range of keys, in each slot another split,
 * from the empty state or from the stored one, and stores the state or writes the output. Scratch
 * holds a state per slot and row: row maximum as an ordered key, sum, weighted values. merge.comp
 * joins the states of all slots, in order; where splits take turns in the slots, two states more
 * per row hold, alternating, what is merged so far. */
#define STATE_RESUME    1u /* start from the stored state; merge: from the merged one */
#define STATE_FINISH    2u /* at the end, write the output; else store the state */
#define STATE_SECOND    4u /* merge: read the second of the merged states, write the first */
#define STATE_WORDS(dv) ((dv) + 2)
#define MERGE_LOCAL     64 /* invocations of a workgroup of merge.comp */

/* tile: head elements per step of the scores, columns as vec4 per invocation, words of shared
 * memory that hold first a slice of Q and K, then some rows of V. */
#define TILE_SLICE                       16
#define TILE_COLUMNS4(dv, local_x)       (((dv) + 4 * (local_x)-1) / (4 * (local_x)))
#define TILE_STAGE(tile_q)               (TILE_SLICE * ((tile_q) + ATTN_BK))
#define TILE_VALUE_ROWS(tile_q, columns) (TILE_STAGE(tile_q) / (columns))

/* decode: head elements per step of the scores, columns per invocation, words of shared memory. */
#define DECODE_SLICE           16
#define DECODE_COLUMNS(dv)     (((dv) + ATTN_BK - 1) / ATTN_BK)
#define DECODE_SHARED(rows, d) ((rows) * ((d) + ATTN_BK + 16 + 4) + DECODE_SLICE * (ATTN_BK + 1))

/* lanes: keys of a block per step of the scores and of the values. */
#define LANES_KEYS 4

/* naive: words of scratch per query row beside its m scores: one factor per block, two per split,
 * then the row maximum as an ordered key and the reciprocal of the sum. */
#define NAIVE_FACTORS(blocks, splits) ((blocks) + 2 * (splits) + 2)
#define NAIVE_SCORES                  0u
#define NAIVE_SOFTMAX                 1u
#define NAIVE_VALUES                  2u
#define NAIVE_PASSES                  3u

/* probe: the passes, and the words of a triple's answer. */
#define PROBE_TRIPLES    0u
#define PROBE_E2         1u /* inputs[0]: bits of the first x; push.count values per invocation */
#define PROBE_RECIP      2u
#define PROBE_SPLIT      0 /* RN(RN(a * b) + c) */
#define PROBE_ADD        1 /* RN(a + b) */
#define PROBE_ORDER      2 /* RN(RN(a + b) - a) */
#define PROBE_FMA        3 /* fma(a, b, c) */
#define PROBE_WORDS      4
#define PROBE_HASH_START 0x811c9dc5u
#define PROBE_HASH_PRIME 0x01000193u

/* roof: multiply-accumulates of one loop iteration are 4 * ROOF_CHAINS * ROOF_STEPS. */
#define ROOF_CHAINS 8
#define ROOF_STEPS  8

/* bandwidth: the passes, and how many uvec4 of either buffer an invocation moves in one loop
 * iteration. The buffers are bound as K and V. */
#define BANDWIDTH_READ   0u
#define BANDWIDTH_COPY   1u
#define BANDWIDTH_TRIAD  2u
#define BANDWIDTH_PASSES 3
#define BANDWIDTH_ROWS   4
#define BANDWIDTH_FACTOR 3.0

#endif
