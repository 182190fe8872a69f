/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/roof.h"

#include <math.h>

#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "cpu/roof_parts.h"
#include "cpu_config.h"

static attn_status run(const attn_roof *roof, unsigned threads, uint64_t wanted, uint64_t *done,
                       attn_timing *timing, attn_reason *why)
{
    if (roof->unavailable)
        return attn_because(why, ATTN_UNAVAILABLE, "%s", roof->unavailable);
    cpu_roof_loop *loop = *(cpu_roof_loop *const *)roof->impl;
    float sink = 0.0f;
    const uint64_t flops = loop(0, &sink);
    const uint64_t steps = wanted / flops / threads + 1;
    unsigned ran = 0; /* OpenMP may give fewer threads: only what ran is counted */
#ifdef _OPENMP
#pragma omp parallel num_threads((int)threads) reduction(+ : ran)
#endif
    {
        float mine = 0.0f;
        loop(steps, &mine);
        /* volatile: the loop must run although nobody reads what it leaves. */
        volatile float kept = mine;
        (void)kept;
        ran++;
    }
    *done = steps * flops * ran;
    timing->device_s = NAN;
    return ATTN_OK;
}

typedef struct roof_row {
    cpu_isa_id isa;
    cpu_roof_loop *loop;     /* of a roof of kind MAC */
    cpu_read_loop *read;     /* of the roof of reading memory */
    cpu_stream_loop *stream; /* of the others that move bytes */
    attn_roof roof;
} roof_row;

#ifdef FP_FAST_FMAF
#define NO_FMAF NULL
#else
#define NO_FMAF "fmaf is a call of the C library: the instructions of this build have none"
#endif

#define MAC_ROOF(of_isa, letter, of_contract, runs, why_not)                                       \
    {                                                                                              \
        .isa = CPU_ISA_##of_isa, .loop = runs, .roof = {                                           \
            .name = "roof_" #letter "_" #of_isa,                                                   \
            .kind = ATTN_ROOF_MAC,                                                                 \
            .contract = ATTN_CONTRACT_##of_contract,                                               \
            .device = "cpu",                                                                       \
            .threaded = true,                                                                      \
            .unavailable = why_not,                                                                \
            .run = run                                                                             \
        }                                                                                          \
    }
#define READ_ROOF(of_isa)                                                                          \
    {                                                                                              \
        .isa = CPU_ISA_##of_isa, .read = of_isa##_read, .roof = {                                  \
            .name = "roof_read_" #of_isa,                                                          \
            .kind = ATTN_ROOF_READ,                                                                \
            .level = ATTN_LEVEL_MEMORY,                                                            \
            .contract = ATTN_CONTRACT_NONE,                                                        \
            .device = "cpu",                                                                       \
            .threaded = true,                                                                      \
            .run = cpu_roof_read_run,                                                              \
            .bytes = cpu_roof_read_bytes,                                                          \
            .cache_bytes = cpu_parts_caches,                                                       \
            .release = cpu_parts_release                                                           \
        }                                                                                          \
    }
#define STREAM_ROOF(of_isa, word, of_kind, place, of_level)                                        \
    {                                                                                              \
        .isa = CPU_ISA_##of_isa, .stream = of_isa##_stream, .roof = {                              \
            .name = "roof_" #word "_" #place "_" #of_isa,                                          \
            .kind = ATTN_ROOF_##of_kind,                                                           \
            .level = of_level,                                                                     \
            .contract = ATTN_CONTRACT_NONE,                                                        \
            .device = "cpu",                                                                       \
            .threaded = true,                                                                      \
            .run = cpu_roof_stream_run,                                                            \
            .bytes = cpu_roof_stream_bytes,                                                        \
            .release = cpu_parts_release                                                           \
        }                                                                                          \
    }
/* All of an ISA, from its fastest loop of each kind: X may be fused as far as its products are
 * exact. */
#define MAC_ROOFS_OF(isa, why_no_fused)                                                            \
    MAC_ROOF(isa, f, F, isa##_roof_f, why_no_fused), MAC_ROOF(isa, m, M, isa##_roof_m, NULL),      \
        MAC_ROOF(isa, x, X, isa##_roof_f, why_no_fused)
#define CACHE_ROOFS_OF(isa, word, kind)                                                            \
    STREAM_ROOF(isa, word, kind, l1, 1), STREAM_ROOF(isa, word, kind, l2, 2),                      \
        STREAM_ROOF(isa, word, kind, l3, 3)
#define STREAM_ROOFS_OF(isa)                                                                       \
    CACHE_ROOFS_OF(isa, read, READ), CACHE_ROOFS_OF(isa, copy, COPY),                              \
        STREAM_ROOF(isa, copy, COPY, mem, ATTN_LEVEL_MEMORY), CACHE_ROOFS_OF(isa, triad, TRIAD),   \
        STREAM_ROOF(isa, triad, TRIAD, mem, ATTN_LEVEL_MEMORY)

/* Best ISA first: the first usable row of a kind, level and contract is its roof. */
static const roof_row rows[] = {
#if CPU_BUILT_avx512
    MAC_ROOFS_OF(avx512, NULL),    STREAM_ROOFS_OF(avx512),
#endif
#if CPU_BUILT_avx2
    MAC_ROOFS_OF(avx2, NULL),      READ_ROOF(avx2),         STREAM_ROOFS_OF(avx2),
#endif
#if CPU_BUILT_neon
    MAC_ROOFS_OF(neon, NULL),      READ_ROOF(neon),         STREAM_ROOFS_OF(neon),
#endif
    MAC_ROOFS_OF(scalar, NO_FMAF), READ_ROOF(scalar),       STREAM_ROOFS_OF(scalar),
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static bool same_place(const attn_roof *a, const attn_roof *b)
{
    return a->kind == b->kind && a->level == b->level && a->contract == b->contract;
}

/* Narrower ISAs show what vectors are worth; X's loop is F's, and only the best judges. */
static bool for_every_isa(const attn_roof *roof)
{
    return roof->kind == ATTN_ROOF_MAC && roof->contract != ATTN_CONTRACT_X;
}

static const void *loop_of(const roof_row *row)
{
    return row->loop   ? (const void *)&row->loop
           : row->read ? (const void *)&row->read
                       : (const void *)&row->stream;
}

const attn_roof *cpu_roofs(size_t *count)
{
    static attn_roof roofs[ROWS];
    *count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const attn_roof *roof = &rows[i].roof;
        bool have = cpu_isa_unavailable(rows[i].isa) != NULL;
        for (size_t j = 0; j < *count && !for_every_isa(roof); j++)
            have |= same_place(&roofs[j], roof);
        if (have)
            continue;
        roofs[*count] = *roof;
        roofs[*count].impl = loop_of(&rows[i]);
        ++*count;
    }
    return roofs;
}
