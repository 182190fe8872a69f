/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attn/bits.h"
#include "attn/inputs.h"
#include "gpu/tool.h"

#define GROUPS  64
#define TRIPLES (GROUPS * GPU_TOOL_LOCAL)

typedef struct triple {
    float a, b, c;
} triple;

/* The first triples ask one question each, the others are random. */
enum { ASK_FUSED, ASK_EVEN, ASK_ORDER, RANDOM };

/* Any sign and mantissa, exponents -8..7: no result leaves the normal range. */
static float random_float(uint32_t word)
{
    const uint32_t exponent = 127 - 8 + (word >> 23 & 15);
    return attn_float_of((word & 0x807fffffu) | exponent << 23);
}

static void make_triples(triple triples[TRIPLES])
{
    const float x = 1 + 0x1p-12f;
    for (uint32_t i = 0; i < TRIPLES; i++) {
        uint32_t words[4];
        attn_philox((uint32_t[4]){i}, (uint32_t[2]){0}, words);
        triples[i] =
            (triple){random_float(words[0]), random_float(words[1]), random_float(words[2])};
        /* Half of them cancel: there the two roundings differ most. */
        if (i % 2)
            triples[i].c = -(triples[i].a * triples[i].b);
    }
    triples[ASK_FUSED] = (triple){x, x, -(1 + 0x1p-11f)};
    triples[ASK_EVEN] = (triple){1 + 0x1p-23f, 0x1p-24f, 0};
    triples[ASK_ORDER] = (triple){0x1p24f, 1, 0};
}

static void host_answer(const triple *t, uint32_t words[PROBE_WORDS])
{
    const float product = t->a * t->b, sum = t->a + t->b;
    words[PROBE_SPLIT] = attn_bits_of(product + t->c);
    words[PROBE_ADD] = attn_bits_of(sum);
    words[PROBE_ORDER] = attn_bits_of(sum - t->a);
    words[PROBE_FMA] = attn_bits_of(fmaf(t->a, t->b, t->c));
}

void gpu_probe_judge(gpu_probe *probe, bool fma_sweep)
{
    const char *text;

    probe->m = probe->rounds_to_even && probe->keeps_order && probe->sweep;
    probe->f = probe->m && probe->fused && fma_sweep;
    if (!probe->rounds_to_even)
        text = "none: addition does not round to nearest even";
    else if (!probe->keeps_order)
        text = "none: precise sums are reassociated";
    else if (!probe->sweep)
        text = "none: multiplication or addition differs from the host's";
    else if (!probe->fused)
        text = "M and X only: fma() is split";
    else if (!fma_sweep)
        text = "M and X only: fma() differs from the host's";
    else
        text = "F, M and X";
    snprintf(probe->verdict, sizeof probe->verdict, "%s", text);
}

attn_status gpu_probe_run(gpu_context *device, attn_reason *why)
{
    static triple triples[TRIPLES];
    static uint32_t words[TRIPLES][PROBE_WORDS];
    const gpu_tool_size size = {.passes = 1,
                                .pass = PROBE_TRIPLES,
                                .groups = GROUPS,
                                .in_bytes = sizeof triples,
                                .out_bytes = sizeof words};
    gpu_tool tool;
    double seconds;

    make_triples(triples);
    attn_status status = gpu_tool_open(device, "probe_m", &size, &tool, why);
    if (status == ATTN_OK)
        status = gpu_tool_run(&tool, triples, words, &seconds, why);
    gpu_tool_close(&tool);
    if (status != ATTN_OK)
        return status;

    bool sweep = true, fma_sweep = true;
    for (uint32_t i = 0; i < TRIPLES; i++) {
        uint32_t host[PROBE_WORDS];
        host_answer(&triples[i], host);
        sweep = sweep && memcmp(words[i], host, PROBE_FMA * sizeof host[0]) == 0;
        fma_sweep = fma_sweep && words[i][PROBE_FMA] == host[PROBE_FMA];
    }
    gpu_probe *probe = &device->info.probe;
    probe->shader_fma = device->shader_fma;
    probe->fused = words[ASK_FUSED][PROBE_FMA] == 0x33800000u;
    probe->rounds_to_even = words[ASK_EVEN][PROBE_ADD] == 0x3f800002u;
    probe->keeps_order = words[ASK_ORDER][PROBE_ORDER] == 0;
    probe->sweep = sweep;
    gpu_probe_judge(probe, fma_sweep);
    return ATTN_OK;
}
