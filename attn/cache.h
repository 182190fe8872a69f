/* SPDX-License-Identifier: Apache-2.0
 *
 * The caches of the host: of the CPU kernels, and of Vulkan devices that run on the CPU.
 */
#ifndef ATTN_CACHE_H
#define ATTN_CACHE_H

#include <stdint.h>

/* Bytes that the last-level caches within reach of so many threads hold; 0: unknown. */
uint64_t attn_cache_bytes(unsigned threads);

/* CPUs of a list of the kernel's, such as "0-3,8". */
unsigned attn_count_cpus(const char *list);

#define ATTN_CACHE_LEVELS 3

/* One data cache. */
typedef struct attn_cache {
    uint64_t bytes; /* 0: there is none, or nothing is known of it */
    unsigned cpus;  /* that share it, at least 1 */
} attn_cache;

/* The data cache of a level, 1 to ATTN_CACHE_LEVELS. Where CPUs differ, the smallest, shared by as
 * many as any: what fits there fits everywhere. */
attn_cache attn_cache_level(unsigned level);

#endif
