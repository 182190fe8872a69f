/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/roof.h"

#include <math.h>

#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "cpu_config.h"

static attn_status run(const attn_roof *roof, unsigned threads, uint64_t wanted, uint64_t *done,
                       attn_timing *timing, attn_reason *why)
{
    (void)why;
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
    cpu_roof_loop *loop; /* of a roof of kind MAC */
    cpu_read_loop *read; /* of a roof of kind READ */
    attn_roof roof;
} roof_row;

#define MAC_ROOF(of_isa, letter, of_contract, runs)                                                \
    {                                                                                              \
        .isa = CPU_ISA_##of_isa, .loop = runs, .roof = {                                           \
            .name = "roof_" #letter "_" #of_isa,                                                   \
            .kind = ATTN_ROOF_MAC,                                                                 \
            .contract = ATTN_CONTRACT_##of_contract,                                               \
            .device = "cpu",                                                                       \
            .threaded = true,                                                                      \
            .run = run                                                                             \
        }                                                                                          \
    }
#define READ_ROOF(of_isa)                                                                          \
    {                                                                                              \
        .isa = CPU_ISA_##of_isa, .read = of_isa##_read, .roof = {                                  \
            .name = "roof_read_" #of_isa,                                                          \
            .kind = ATTN_ROOF_READ,                                                                \
            .contract = ATTN_CONTRACT_NONE,                                                        \
            .device = "cpu",                                                                       \
            .threaded = true,                                                                      \
            .run = cpu_roof_read_run,                                                              \
            .bytes = cpu_roof_read_bytes,                                                          \
            .cache_bytes = cpu_roof_read_caches,                                                   \
            .release = cpu_roof_read_release                                                       \
        }                                                                                          \
    }
/* All of an ISA, from its fastest loop of each kind: X may be fused as far as its products are
 * exact. */
#define MAC_ROOFS_OF(isa, fused, split)                                                            \
    MAC_ROOF(isa, f, F, fused), MAC_ROOF(isa, m, M, split), MAC_ROOF(isa, x, X, fused)
#define ROOFS_OF(isa, fused, split) MAC_ROOFS_OF(isa, fused, split), READ_ROOF(isa)

/* Best ISA first; the first usable row of a kind and contract is its roof. */
static const roof_row rows[] = {
#if CPU_BUILT_avx512
    MAC_ROOFS_OF(avx512, avx512_roof_f, avx512_roof_m),
#endif
#if CPU_BUILT_avx2
    ROOFS_OF(avx2, avx2_roof_f, avx2_roof_m),
#endif
#if CPU_BUILT_neon
    ROOFS_OF(neon, neon_roof_f, neon_roof_m),
#endif
    ROOFS_OF(scalar, scalar_roof_m, scalar_roof_m),
};

enum { ROOFS = 4 }; /* F, M, X and read */

const attn_roof *cpu_roofs(size_t *count)
{
    static attn_roof roofs[ROOFS];
    *count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool have = cpu_isa_unavailable(rows[i].isa) != NULL;
        for (size_t j = 0; j < *count; j++)
            have |=
                roofs[j].kind == rows[i].roof.kind && roofs[j].contract == rows[i].roof.contract;
        if (have)
            continue;
        roofs[*count] = rows[i].roof;
        roofs[*count].impl = rows[i].read ? (const void *)&rows[i].read : &rows[i].loop;
        ++*count;
    }
    return roofs;
}
