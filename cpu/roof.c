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

#define MAC_ROOF(of_isa, named, of_contract, runs)                                                 \
    {                                                                                              \
        .isa = CPU_ISA_##of_isa, .loop = runs, .roof = {                                           \
            .name = named,                                                                         \
            .kind = ATTN_ROOF_MAC,                                                                 \
            .contract = ATTN_CONTRACT_##of_contract,                                               \
            .device = "cpu",                                                                       \
            .threaded = true,                                                                      \
            .run = run                                                                             \
        }                                                                                          \
    }
#define READ_ROOF(of_isa, named, runs)                                                             \
    {                                                                                              \
        .isa = CPU_ISA_##of_isa, .read = runs, .roof = {                                           \
            .name = named,                                                                         \
            .kind = ATTN_ROOF_READ,                                                                \
            .contract = ATTN_CONTRACT_NONE,                                                        \
            .device = "cpu",                                                                       \
            .threaded = true,                                                                      \
            .run = cpu_roof_read_run,                                                              \
            .bytes = cpu_roof_read_bytes,                                                          \
            .release = cpu_roof_read_release                                                       \
        }                                                                                          \
    }

/* Best ISA first; the first usable row of a kind and contract is its roof. */
static const roof_row rows[] = {
#if CPU_BUILT_avx2
    MAC_ROOF(avx2, "roof_f_avx2", F, avx2_roof_f),
    MAC_ROOF(avx2, "roof_m_avx2", M, avx2_roof_m),
    MAC_ROOF(avx2, "roof_x_avx2", X, avx2_roof_f),
    READ_ROOF(avx2, "roof_read_avx2", avx2_read),
#endif
#if CPU_BUILT_neon
    MAC_ROOF(neon, "roof_f_neon", F, neon_roof_f),
    MAC_ROOF(neon, "roof_m_neon", M, neon_roof_m),
    MAC_ROOF(neon, "roof_x_neon", X, neon_roof_f),
    READ_ROOF(neon, "roof_read_neon", neon_read),
#endif
    MAC_ROOF(scalar, "roof_f_scalar", F, scalar_roof_m),
    MAC_ROOF(scalar, "roof_m_scalar", M, scalar_roof_m),
    MAC_ROOF(scalar, "roof_x_scalar", X, scalar_roof_m),
    READ_ROOF(scalar, "roof_read_scalar", scalar_read),
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
