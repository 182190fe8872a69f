/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the roofs that move bytes: one part per thread, which that thread touched first. All
 * of these roofs, of all thread counts, share the parts, and they are kept from call to call. They
 * come from attn_alloc, as the tensors do, so that a roof has the same pages as the kernels that it
 * judges.
 */
#ifndef CPU_ROOF_PARTS_H
#define CPU_ROOF_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "attn/kernel.h"

typedef struct cpu_part {
    float *data;
    size_t bytes;
    size_t next; /* where the next call goes on, in steps of the roof */
} cpu_part;

/* One thread's work on its part. Returns a value that depends on all of it. */
typedef float cpu_part_work(const void *job, cpu_part *mine);

/* Does the work once in each of `threads` threads, on parts of at least `bytes`. Returns how many
 * did it, since OpenMP may give fewer threads; 0: out of memory. */
unsigned cpu_parts_run(unsigned threads, size_t bytes, cpu_part_work *work, const void *job);
/* Bytes that such a run would take beyond what earlier ones took. */
uint64_t cpu_parts_missing(unsigned threads, size_t bytes);
/* Of a part where all together are to pass the caches: at least 256 MiB and four times the
 * last-level caches within reach. */
uint64_t cpu_parts_beyond_caches(unsigned threads);

/* Of attn_roof. */
uint64_t cpu_parts_caches(const attn_roof *roof, unsigned threads);
void cpu_parts_release(const attn_roof *roof);

#endif
