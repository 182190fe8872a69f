/* SPDX-License-Identifier: Apache-2.0
 *
 * The caches of the host: of the CPU kernels, and of Vulkan devices that run on the CPU.
 */
#ifndef ATTN_CACHE_H
#define ATTN_CACHE_H

#include <stdint.h>

/* Bytes that the last-level caches within reach of so many threads hold; 0: unknown. */
uint64_t attn_cache_bytes(unsigned threads);

#endif
