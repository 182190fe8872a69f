/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/shapes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct builder {
    shape *list;
    size_t count;
    const char *dtype; /* of the kernel's contract */
} builder;

/* One shape in the text form of a workload, without its dtype. */
static void add(builder *b, attn_generator generator, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(builder *b, attn_generator generator, const char *format, ...)
{
    char text[ATTN_WORKLOAD_TEXT];
    attn_workload sweep[ATTN_MAX_SWEEP];
    attn_reason why;
    size_t count;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(text + length, sizeof text - (size_t)length, ",dtype=%s", b->dtype);
    if (b->count == SHAPES_MAX || attn_workload_parse(text, sweep, &count, &why) != ATTN_OK) {
        fprintf(stderr, "attnmark: internal error: shape %s\n", text);
        abort();
    }
    b->list[b->count++] = (shape){sweep[0], generator};
}

/* Sizes just below, at and above the tile edges, as (n, m) pairs or as their whole grid. */
static void add_edges(builder *b, uint32_t tile_q, uint32_t tile_k, bool full)
{
    const uint32_t q = tile_q > 1 ? tile_q : 5, k = tile_k > 1 ? tile_k : 64;
    const uint32_t n[] = {1, q - 1, q, q + 1, 2 * q + 1, q / 3 + 1, 2 * q / 3 + 1};
    const uint32_t m[] = {1, k - 1, k, k + 1, 2 * k + 1, 3 * k - 2, 5};
    const uint32_t d[] = {8, 3, 16, 5, 24, 40, 1};
    const int sizes = sizeof n / sizeof n[0];
    for (int i = 0; i < sizes; i++)
        for (int j = 0; j < sizes; j++)
            if (full || j == i || j == (i + 3) % sizes)
                add(b, ATTN_GEN_NORMAL, "h=1,n=%u,m=%u,d=%u", n[i] ? n[i] : 1, m[j],
                    d[(i + j) % sizes]);
}

static void add_head_sizes(builder *b, bool full)
{
    static const uint32_t d[] = {1,  2,  3,  4,  7,  8,  9,  15, 16,  17,  31,
                                 33, 40, 63, 64, 65, 72, 80, 96, 128, 256, 512};
    for (size_t i = 0; i < sizeof d / sizeof d[0]; i++) {
        add(b, ATTN_GEN_NORMAL, "h=1,n=13,m=67,d=%u", d[i]);
        if (full || i % 4 == 1)
            add(b, ATTN_GEN_NORMAL, "h=1,n=3,m=65,d=%u,dv=%u,mask=causal", d[i], d[i] / 2 + 3);
    }
}

static void add_masks(builder *b, bool full)
{
    static const char *const masks[] = {"full",     "causal",    "causal-tl",  "window:1",
                                        "window:7", "window:64", "window:100", "chunk:1",
                                        "chunk:5",  "chunk:64",  "chunk:96"};
    static const char *const sizes[] = {"n=129", "n=5,m=129", "n=129,m=5", "n=65,m=200",
                                        "n=1,m=64"};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        for (size_t j = 0; j < (full ? 5 : 3); j++)
            add(b, ATTN_GEN_NORMAL, "h=1,d=16,%s,mask=%s", sizes[j], masks[i]);
    add(b, ATTN_GEN_NORMAL, "b=3,h=2,n=33,m=130,d=24,mask=len:0:65:130");
    add(b, ATTN_GEN_NORMAL, "b=2,h=2,hk=1,n=9,m=64,d=8,mask=len:1:64");
    add(b, ATTN_GEN_NORMAL, "b=2,h=1,n=9,m=70,d=8,mask=len:66");
}

static void add_heads_and_splits(builder *b, bool full)
{
    add(b, ATTN_GEN_NORMAL, "b=1,h=6,hk=2,n=37,d=40");
    add(b, ATTN_GEN_NORMAL, "b=2,h=8,hk=2,n=25,m=70,d=16,mask=causal");
    add(b, ATTN_GEN_NORMAL, "b=3,h=4,hk=1,n=7,m=65,d=65");
    add(b, ATTN_GEN_NORMAL, "h=1,n=1,m=1000,d=80");
    add(b, ATTN_GEN_NORMAL, "h=1,n=1,m=2100,d=16"); /* longer than a run of keys in decode */
    add(b, ATTN_GEN_NORMAL, "h=4,hk=2,n=3,m=4200,d=8,mask=window:2500");
    add(b, ATTN_GEN_NORMAL, "h=2,n=1000,m=63,d=8");
    add(b, ATTN_GEN_NORMAL, "h=1,n=300,d=64,mask=causal");
    add(b, ATTN_GEN_NORMAL, "h=1,n=40,m=300,d=16,scale=0");
    add(b, ATTN_GEN_NORMAL, "h=1,n=40,m=300,d=16,scale=-0.5");
    for (uint32_t split = 64; split <= (full ? 512u : 128u); split *= 2) {
        add(b, ATTN_GEN_NORMAL, "h=1,n=5,m=400,d=16,split=%u", split);
        add(b, ATTN_GEN_NORMAL, "h=2,n=70,m=200,d=8,mask=causal,split=%u", split);
        add(b, ATTN_GEN_NORMAL, "h=1,n=70,m=200,d=8,mask=window:70,split=%u", split);
    }
    static const attn_generator unkind[] = {ATTN_GEN_PEAKED, ATTN_GEN_EQUAL, ATTN_GEN_LARGE,
                                            ATTN_GEN_CANCEL};
    for (size_t i = 0; i < sizeof unkind / sizeof unkind[0]; i++) {
        add(b, unkind[i], "h=1,n=37,m=150,d=32");
        if (full)
            add(b, unkind[i], "h=2,n=65,m=150,d=17,mask=causal,split=64");
    }
}

size_t shapes_for(const attn_kernel *kernel, bool full, shape list[SHAPES_MAX])
{
    builder b = {list, 0, kernel->contract == ATTN_CONTRACT_X ? "f16" : "f32"};
    add_edges(&b, kernel->tile_q, kernel->tile_k, full);
    add_head_sizes(&b, full);
    add_masks(&b, full);
    add_heads_and_splits(&b, full);
    static const char *const narrow[] = {"f16", "bf16"};
    for (int i = 0; i < 2; i++) {
        b.dtype = narrow[i];
        if (kernel->library || (kernel->contract == ATTN_CONTRACT_X && i == 1))
            add_edges(&b, kernel->tile_q, kernel->tile_k, false);
    }
    return b.count;
}
