/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/roof.h"

#include <math.h>

#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "cpu_config.h"

static attn_status run(const attn_roof *roof, unsigned threads, uint64_t flops_wanted,
                       uint64_t *flops_done, attn_timing *timing, attn_reason *why)
{
    (void)why;
    cpu_roof_loop *loop = *(cpu_roof_loop *const *)roof->impl;
    float sink = 0.0f;
    const uint64_t flops = loop(0, &sink);
    const uint64_t steps = flops_wanted / flops / threads + 1;
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
    *flops_done = steps * flops * ran;
    timing->device_s = NAN;
    return ATTN_OK;
}

typedef struct roof_row {
    cpu_isa_id isa;
    cpu_roof_loop *loop;
    attn_roof roof;
} roof_row;

#define ROOF(isa, name, contract, loop)                                                            \
    {                                                                                              \
        CPU_ISA_##isa, loop,                                                                       \
        {                                                                                          \
            name, ATTN_CONTRACT_##contract, "cpu", true, run, NULL, NULL                           \
        }                                                                                          \
    }

/* Best ISA first; the first usable row of a contract is its roof. */
static const roof_row rows[] = {
#if CPU_BUILT_avx2
    ROOF(avx2, "roof_f_avx2", F, avx2_roof_f),
    ROOF(avx2, "roof_m_avx2", M, avx2_roof_m),
    ROOF(avx2, "roof_x_avx2", X, avx2_roof_f),
#endif
    ROOF(scalar, "roof_f_scalar", F, scalar_roof_m),
    ROOF(scalar, "roof_m_scalar", M, scalar_roof_m),
    ROOF(scalar, "roof_x_scalar", X, scalar_roof_m),
};

const attn_roof *cpu_roofs(size_t *count)
{
    static attn_roof roofs[3];
    *count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool have = cpu_isa_unavailable(rows[i].isa) != NULL;
        for (size_t j = 0; j < *count; j++)
            have |= roofs[j].contract == rows[i].roof.contract;
        if (have)
            continue;
        roofs[*count] = rows[i].roof;
        roofs[*count].impl = &rows[i].loop;
        ++*count;
    }
    return roofs;
}
