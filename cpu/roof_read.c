/* SPDX-License-Identifier: Apache-2.0
 *
 * The roof of read bandwidth, which judges kernels: every thread reads its part of the memory,
 * round and round. A line comes again only after everything else of all threads was read, several
 * times what the caches hold, so that every read goes to memory.
 */
#include <math.h>

#include "cpu/roof.h"
#include "cpu/roof_parts.h"

#define LEAST_LINES 256 /* of a stream in one call: below that the threads' start would count */

enum { LINE_BYTES = READ_LINE * sizeof(float), ROW_BYTES = READ_STREAMS * LINE_BYTES };

typedef struct read_job {
    cpu_read_loop *loop;
    size_t stream; /* lines of each stream of a part */
    size_t lines;  /* of each stream, to be read */
} read_job;

/* Lines of each stream of one thread's part. Odd, so that the streams, which follow one another,
 * do not fall into the same sets of the caches. */
static size_t stream_lines(unsigned threads)
{
    return (size_t)(cpu_parts_beyond_caches(threads) / ROW_BYTES) | 1;
}

size_t cpu_roof_part_bytes(unsigned threads)
{
    return stream_lines(threads) * ROW_BYTES;
}

uint64_t cpu_roof_read_bytes(const attn_roof *roof, unsigned threads)
{
    (void)roof;
    return cpu_parts_missing(threads, cpu_roof_part_bytes(threads));
}

static float read_part(const void *context, cpu_part *mine)
{
    const read_job *job = context;
    const size_t stream = job->stream;
    size_t lines = job->lines;
    float sum = 0.0f;
    mine->next %= stream;
    while (lines > 0) {
        const size_t now = lines < stream - mine->next ? lines : stream - mine->next;
        sum += job->loop(mine->data + mine->next * READ_LINE, stream * READ_LINE, now);
        mine->next = (mine->next + now) % stream;
        lines -= now;
    }
    return sum;
}

attn_status cpu_roof_read_run(const attn_roof *roof, unsigned threads, uint64_t wanted,
                              uint64_t *done, attn_timing *timing, attn_reason *why)
{
    const size_t needed = (size_t)(wanted / threads / ROW_BYTES) + 1;
    const read_job job = {*(cpu_read_loop *const *)roof->impl, stream_lines(threads),
                          needed < LEAST_LINES ? LEAST_LINES : needed};
    const unsigned ran = cpu_parts_run(threads, cpu_roof_part_bytes(threads), read_part, &job);
    *done = (uint64_t)job.lines * ROW_BYTES * ran;
    timing->device_s = NAN;
    return ran > 0 ? ATTN_OK
                   : attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to read for the roof");
}
