/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "attn/cache.h"
#include "attn/tensor.h"
#include "cpu/roof_parts.h"

#define LEAST_BYTES (UINT64_C(256) << 20)

static struct {
    cpu_part *list;
    unsigned count;
} parts;

uint64_t cpu_parts_beyond_caches(unsigned threads)
{
    const uint64_t beyond = 4 * attn_cache_bytes(threads);
    return (beyond > LEAST_BYTES ? beyond : LEAST_BYTES) / threads;
}

uint64_t cpu_parts_missing(unsigned threads, size_t bytes)
{
    uint64_t missing = 0;
    for (unsigned i = 0; i < threads; i++) {
        const uint64_t held = i < parts.count ? parts.list[i].bytes : 0;
        missing += held < bytes ? bytes - held : 0;
    }
    return missing;
}

uint64_t cpu_parts_caches(const attn_roof *roof, unsigned threads)
{
    (void)roof;
    return attn_cache_bytes(threads);
}

static bool have_parts(unsigned threads)
{
    if (threads <= parts.count)
        return true;
    cpu_part *grown = realloc(parts.list, threads * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + parts.count, 0, (threads - parts.count) * sizeof *grown);
    parts.list = grown;
    parts.count = threads;
    return true;
}

/* Called by the thread that will use it. */
static bool have_memory(cpu_part *mine, size_t bytes)
{
    if (bytes <= mine->bytes)
        return true;
    attn_free(mine->data);
    *mine = (cpu_part){.data = attn_alloc(bytes)};
    if (!mine->data)
        return false;
    memset(mine->data, 0, bytes);
    mine->bytes = bytes;
    return true;
}

unsigned cpu_parts_run(unsigned threads, size_t bytes, cpu_part_work *work, const void *job)
{
    unsigned ran = 0, failed = 0;
    if (!have_parts(threads))
        return 0;
#ifdef _OPENMP
#pragma omp parallel num_threads((int)threads) reduction(+ : ran, failed)
#endif
    {
#ifdef _OPENMP
        cpu_part *mine = &parts.list[omp_get_thread_num()];
#else
        cpu_part *mine = &parts.list[0];
#endif
        if (have_memory(mine, bytes)) {
            /* volatile: the work must be done although nobody reads what it leaves. */
            volatile float kept = work(job, mine);
            (void)kept;
            ran++;
        } else {
            failed++;
        }
    }
    return failed > 0 ? 0 : ran;
}

void cpu_parts_release(const attn_roof *roof)
{
    (void)roof;
    for (unsigned i = 0; i < parts.count; i++)
        attn_free(parts.list[i].data);
    free(parts.list);
    parts.list = NULL;
    parts.count = 0;
}
