/* SPDX-License-Identifier: Apache-2.0
 *
 * The workload descriptor: the one description of an attention problem that kernels,
 * verification, benchmark rows and golden digests share.
 *
 * Text form (keys in any order, omitted keys take the defaults of attn_workload_parse):
 *   b=1,h=8,hk=8,n=1024,m=1024,d=64,dv=64,dtype=f32,mask=full,scale=0.125,split=0
 */
#ifndef ATTN_WORKLOAD_H
#define ATTN_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attn/status.h"

/* Inclusive upper limits; every lower limit is 1. */
#define ATTN_MAX_BATCH     65536
#define ATTN_MAX_HEADS     65536
#define ATTN_MAX_LENGTH    16777216 /* n and m */
#define ATTN_MAX_HEAD_SIZE 1024     /* d and dv */
#define ATTN_MAX_LENS      64       /* sequences of a len: mask */
#define ATTN_MAX_SWEEP     64       /* workloads of one text */
#define ATTN_WORKLOAD_TEXT 1024     /* bytes that hold any canonical text */

typedef enum { ATTN_F32, ATTN_F16, ATTN_BF16 } attn_dtype;

typedef enum {
    ATTN_MASK_FULL,
    ATTN_MASK_CAUSAL,    /* bottom-right: key j visible to query i if j <= i + m - n */
    ATTN_MASK_CAUSAL_TL, /* top-left: j <= i */
    ATTN_MASK_WINDOW,    /* window:W, bottom-right causal, the last W keys */
    ATTN_MASK_CHUNK,     /* chunk:C, bottom-right causal, attention restarts every C keys */
    ATTN_MASK_LEN,       /* len:L0[:L1...], sequence s sees its first L_s keys (one L: all) */
} attn_mask_kind;

typedef struct attn_workload {
    uint32_t b;     /* batch */
    uint32_t h;     /* query heads */
    uint32_t hk;    /* key-value heads, divides h; query head i uses key head i / (h / hk) */
    uint32_t n;     /* queries */
    uint32_t m;     /* keys */
    uint32_t d;     /* head size of Q and K */
    uint32_t dv;    /* head size of V and the output */
    uint32_t split; /* split-KV size in keys: 0 (none) or a multiple of 64 */
    attn_dtype dtype;
    attn_mask_kind mask;
    uint32_t mask_size; /* W or C; 0 for the other masks */
    uint32_t lens;      /* entries used in len[] (ATTN_MASK_LEN): 1 or b */
    uint32_t len[ATTN_MAX_LENS];
    double scale; /* finite, at most 2.35e38 in magnitude: its s2 is a binary32 */
} attn_workload;

/* Parses one text. `n` or `m` may sweep: `n=256..4096` doubles from 256 up to at most 4096,
 * `n=256:300:512` lists rising sizes. m follows n unless given. Writes at most ATTN_MAX_SWEEP
 * workloads to `list`, in rising order, and their number to *count. Defaults: b=1, h=8, hk=h,
 * n=1024, m=n, d=64, dv=d, dtype=f32, mask=full, scale=1/sqrt(d), split=0. Returns ATTN_OK, or
 * ATTN_ERROR with one line that names the key and its allowed range. */
attn_status attn_workload_parse(const char *text, attn_workload list[ATTN_MAX_SWEEP], size_t *count,
                                attn_reason *why);

/* Fills a workload with the defaults above for the given n, d (m = n, dv = d, ...). */
attn_workload attn_workload_default(uint32_t n, uint32_t d);

/* Checks ranges and the relations between fields (hk | h, split % 64, lens, byte and FLOP
 * totals below 2^62). For workloads that were built in code; parse calls it. */
attn_status attn_workload_check(const attn_workload *w, attn_reason *why);

/* Canonical text, every key written, scale with 17 significant digits (shortest that reads back
 * equal). It is the key of golden digests and rows. Returns text. */
const char *attn_workload_format(const attn_workload *w, char text[ATTN_WORKLOAD_TEXT]);

/* Have they one canonical text? Faster than to compare the texts. */
bool attn_workload_same(const attn_workload *a, const attn_workload *b);

const char *attn_dtype_name(attn_dtype dtype); /* "f32", "f16", "bf16" */
size_t attn_dtype_size(attn_dtype dtype);      /* bytes of an element */

/* s2 = binary32(scale * log2(e)): rounded once, handed to every kernel. */
float attn_workload_s2(const attn_workload *w);

/* Counts, exact in 64 bits for every workload that passes attn_workload_check. */
uint64_t attn_q_elements(const attn_workload *w);   /* b*h*n*d */
uint64_t attn_k_elements(const attn_workload *w);   /* b*hk*m*d */
uint64_t attn_v_elements(const attn_workload *w);   /* b*hk*m*dv */
uint64_t attn_out_elements(const attn_workload *w); /* b*h*n*dv */
uint64_t attn_pairs(const attn_workload *w);        /* visible (query, key) pairs, all b, all h */
uint64_t attn_flops(const attn_workload *w);        /* 2 * pairs * (d + dv) */
uint64_t attn_flops_dense(const attn_workload *w);  /* 2*b*h*n*m*(d+dv): what others print */
/* Fused minimum traffic: q, the keys and values that some query sees, each once; out in f32. */
uint64_t attn_bytes(const attn_workload *w);

#endif
