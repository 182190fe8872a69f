/* SPDX-License-Identifier: Apache-2.0
 *
 * THE interface: what an attention kernel is, on a CPU or on a Vulkan device. Verification and
 * benchmarks know kernels only through it.
 *
 * Life of a job: prepare (allocate, upload, compile; fill the output with a sentinel) ->
 * run, any number of times (q, k, v in device memory -> output in canonical layout there) -> fetch
 * -> release. On a CPU q, k, v are the caller's, in whatever layout; an upload makes it canonical.
 */
#ifndef ATTN_KERNEL_H
#define ATTN_KERNEL_H

#include "attn/inputs.h"
#include "attn/mask.h"

/* See docs/numerics.md. NONE: no contract, tier bounded only. */
typedef enum {
    ATTN_CONTRACT_F,
    ATTN_CONTRACT_M,
    ATTN_CONTRACT_X,
    ATTN_CONTRACT_NONE
} attn_contract;
typedef enum { ATTN_TIER_EXACT, ATTN_TIER_BOUNDED } attn_tier;

const char *attn_contract_name(attn_contract contract); /* "F", "M", "X", "none" */
const char *attn_tier_name(attn_tier tier);             /* "exact", "bounded" */
/* ATTN_UNSUPPORTED when a kernel of the contract does not store this data type: X takes f16 and
 * bf16, all others f32. */
attn_status attn_contract_takes(attn_contract contract, attn_dtype dtype, attn_reason *why);

typedef struct attn_kernel attn_kernel;
typedef struct attn_job attn_job; /* defined by each backend */

/* Durations of one run in seconds; NAN where the backend has no such clock. */
typedef struct attn_timing {
    double device_s; /* device timestamps around the dispatches */
} attn_timing;

/* What is known of a prepared job, beside its output. */
typedef struct attn_job_facts {
    uint64_t extra_bytes; /* memory beyond q, k, v and the output */
    double compile_s;     /* of prepare, what compilation took; NAN: nothing is compiled */
    uint32_t dispatches;  /* of one run; 0 on a CPU */
    char config[64];      /* workgroup and tile in words: "16x16, 4 rows"; "" on a CPU */
    bool tuned;           /* the size was measured to be the best on this device */
    bool best;            /* so was the kernel, among those of its contract */
} attn_job_facts;

typedef struct attn_kernel_ops {
    /* Can this kernel do this workload? Says needed and available numbers when it cannot. */
    attn_status (*supports)(const attn_kernel *kernel, const attn_workload *w, attn_reason *why);
    /* in stays owned by the caller and unchanged until release. */
    attn_status (*prepare)(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                           unsigned threads, attn_job **job, attn_reason *why);
    attn_status (*run)(attn_job *job, attn_timing *timing, attn_reason *why);
    /* The path of run with a dispatch that does nothing: what a run costs beside its work. The
     * first call may compile. NULL where a run is a call of a function. */
    attn_status (*run_empty)(attn_job *job, attn_timing *timing, attn_reason *why);
    /* out[attn_out_elements(w)] */
    attn_status (*fetch)(attn_job *job, float *out, attn_reason *why);
    void (*facts)(const attn_job *job, attn_job_facts *facts);
    void (*release)(attn_job *job);
} attn_kernel_ops;

struct attn_kernel {
    const char *name;  /* without the device: "avx2_f_24x4", "vk_tile_m" */
    const char *story; /* one line: what idea this kernel shows */
    attn_contract contract;
    attn_tier tier;
    uint32_t tile_q, tile_k; /* tests derive awkward sizes from them; 1: no tiling */
    bool threaded;           /* uses `threads` of prepare */
    const char *device;      /* "cpu", or the Vulkan device's selector ("vk0") */
    const char *device_name; /* for people: CPU model or Vulkan device name */
    bool software;           /* a Vulkan device that runs on the CPU */
    const char *unavailable; /* NULL, or why this kernel cannot run on this machine */
    const attn_kernel_ops *ops;
    const void *impl; /* the backend's row */
    void *context;    /* the backend's device */
    bool library;     /* somebody else's: a row to compare ours with */
};

/* A roof: a rate that no kernel can pass on its device, measured by a loop that does nothing
 * else. */
typedef enum {
    ATTN_ROOF_MAC,   /* one contract's multiply-accumulate on registers; work is FLOPs, 2 per MAC */
    ATTN_ROOF_READ,  /* reading memory, or what one cache holds; work is bytes */
    ATTN_ROOF_COPY,  /* a[i] = b[i] in such memory; work is bytes read and bytes written */
    ATTN_ROOF_TRIAD, /* a[i] = b[i] + s * c[i] there; the same */
    ATTN_ROOFS
} attn_roof_kind;

const char *attn_roof_kind_name(attn_roof_kind kind); /* "MAC", "read", "copy", "triad" */

/* Where a roof finds its bytes: ATTN_LEVEL_NONE for one that moves none, 1 to 3 for caches. */
enum { ATTN_LEVEL_NONE = 0, ATTN_LEVEL_L1 = 1, ATTN_LEVEL_MEMORY = 4, ATTN_LEVELS };

const char *attn_level_name(unsigned level); /* "L1", "L2", "L3", "memory"; NULL for none */

/* Is work counted in bytes, not in FLOPs? */
static inline bool attn_roof_moves(attn_roof_kind kind)
{
    return kind != ATTN_ROOF_MAC;
}

typedef struct attn_roof attn_roof;
struct attn_roof {
    const char *name; /* "roof_f_avx2", "roof_m_vk", "roof_read_avx2", "roof_copy_l2_avx512" */
    attn_roof_kind kind;
    unsigned level;         /* of a roof that moves bytes */
    attn_contract contract; /* NONE where it does not matter */
    const char *device;
    bool threaded;
    const char *unavailable; /* NULL, or why it cannot be measured in this build; run then fails */
    /* Does at least the work wanted, says how much it did. The first call for a thread count may
     * allocate. */
    attn_status (*run)(const attn_roof *roof, unsigned threads, uint64_t wanted, uint64_t *done,
                       attn_timing *timing, attn_reason *why);
    /* Host memory that a run at this thread count would take, beyond what earlier ones took: all
     * is kept until release. NULL: none. */
    uint64_t (*bytes)(const attn_roof *roof, unsigned threads);
    /* Of a roof of memory: bytes that the last-level caches within reach of so many threads may
     * hold, so that fewer say nothing about memory; 0: unknown. NULL for others. */
    uint64_t (*cache_bytes)(const attn_roof *roof, unsigned threads);
    void (*release)(const attn_roof *roof); /* NULL: nothing to free; run may be called again */
    const void *impl;
    void *context;
};

#endif
