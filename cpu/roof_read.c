/* SPDX-License-Identifier: Apache-2.0
 *
 * The roof of read bandwidth: every thread reads memory of its own, which it touched first, round
 * and round. A line comes again only after everything else of all threads was read, several times
 * what the caches hold, so that every read goes to memory. The memory comes from attn_alloc, as
 * the tensors do, so that the roof has the same pages as the kernels it judges.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "attn/cache.h"
#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "cpu/roof.h"

#define LEAST_BYTES (UINT64_C(256) << 20)
#define LEAST_LINES 256 /* of a stream in one call: below that the threads' start would count */

enum { LINE_BYTES = READ_LINE * sizeof(float), ROW_BYTES = READ_STREAMS * LINE_BYTES };

typedef struct part {
    float *data;
    size_t bytes;
    size_t next; /* line of every stream at which the next call goes on */
} part;

/* One part per thread; kept from call to call, for all thread counts. */
static struct {
    part *list;
    unsigned count;
} parts;

/* Lines of each stream of one thread's part. Odd, so that the streams, which follow one another,
 * do not fall into the same sets of the caches. */
static size_t stream_lines(unsigned threads)
{
    const uint64_t beyond = 4 * attn_cache_bytes(threads);
    const uint64_t bytes = beyond > LEAST_BYTES ? beyond : LEAST_BYTES;
    return (size_t)(bytes / threads / ROW_BYTES) | 1;
}

uint64_t cpu_roof_read_bytes(const attn_roof *roof, unsigned threads)
{
    (void)roof;
    const uint64_t wanted = stream_lines(threads) * ROW_BYTES;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < threads; i++) {
        const uint64_t held = i < parts.count ? parts.list[i].bytes : 0;
        bytes += held < wanted ? wanted - held : 0;
    }
    return bytes;
}

uint64_t cpu_roof_read_caches(const attn_roof *roof, unsigned threads)
{
    (void)roof;
    return attn_cache_bytes(threads);
}

static bool have_parts(unsigned threads)
{
    if (threads <= parts.count)
        return true;
    part *grown = realloc(parts.list, threads * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + parts.count, 0, (threads - parts.count) * sizeof *grown);
    parts.list = grown;
    parts.count = threads;
    return true;
}

/* Called by the thread that will read it. */
static bool have_memory(part *mine, size_t bytes)
{
    if (bytes <= mine->bytes)
        return true;
    attn_free(mine->data);
    *mine = (part){.data = attn_alloc(bytes)};
    if (!mine->data)
        return false;
    memset(mine->data, 0, bytes);
    mine->bytes = bytes;
    return true;
}

static float read_part(cpu_read_loop *loop, part *mine, size_t stream, size_t lines)
{
    float sum = 0.0f;
    mine->next %= stream;
    while (lines > 0) {
        const size_t now = lines < stream - mine->next ? lines : stream - mine->next;
        sum += loop(mine->data + mine->next * READ_LINE, stream * READ_LINE, now);
        mine->next = (mine->next + now) % stream;
        lines -= now;
    }
    return sum;
}

attn_status cpu_roof_read_run(const attn_roof *roof, unsigned threads, uint64_t wanted,
                              uint64_t *done, attn_timing *timing, attn_reason *why)
{
    cpu_read_loop *loop = *(cpu_read_loop *const *)roof->impl;
    const size_t stream = stream_lines(threads);
    const size_t needed = (size_t)(wanted / threads / ROW_BYTES) + 1;
    const size_t lines = needed < LEAST_LINES ? LEAST_LINES : needed;
    unsigned ran = 0, failed = 0; /* OpenMP may give fewer threads: only what ran is counted */
    *done = 0;
    timing->device_s = NAN;
    bool have = have_parts(threads);
#ifdef _OPENMP
#pragma omp parallel num_threads((int)threads) reduction(+ : ran, failed) if (have)
#endif
    if (have) {
#ifdef _OPENMP
        part *mine = &parts.list[omp_get_thread_num()];
#else
        part *mine = &parts.list[0];
#endif
        if (have_memory(mine, stream * ROW_BYTES)) {
            /* volatile: the loop must run although nobody reads what it leaves. */
            volatile float kept = read_part(loop, mine, stream, lines);
            (void)kept;
            ran++;
        } else {
            failed++;
        }
    }
    if (!have || failed > 0)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to read: %llu bytes",
                            (unsigned long long)cpu_roof_read_bytes(roof, threads));
    *done = (uint64_t)lines * ROW_BYTES * ran;
    return ATTN_OK;
}

void cpu_roof_read_release(const attn_roof *roof)
{
    (void)roof;
    for (unsigned i = 0; i < parts.count; i++)
        attn_free(parts.list[i].data);
    free(parts.list);
    parts.list = NULL;
    parts.count = 0;
}
