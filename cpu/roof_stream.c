/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofs of bandwidth per level: reading, copying and triad on arrays that a cache holds, or
 * that pass all caches. Every thread has arrays of its own, one after another in its part.
 */
#include <math.h>

#include "cpu/roof.h"
#include "cpu/roof_parts.h"

#define LEAST_FLOATS (1 << 14) /* of each array in memory in one call, as in cpu/roof_read.c */

enum { STEP_BYTES = STREAM_STEP * sizeof(float) };

typedef struct stream_job {
    cpu_stream_loop *loop;
    attn_roof_kind kind;
    size_t floats; /* of each array */
    size_t passes; /* over arrays in a cache; 0: in memory */
    size_t steps;  /* of each array in memory, to be moved */
} stream_job;

static unsigned arrays_of(attn_roof_kind kind)
{
    return kind == ATTN_ROOF_READ ? 1 : kind == ATTN_ROOF_COPY ? 2 : 3;
}

/* An odd number of steps, so that the arrays, which follow one another, do not start at the same
 * place of a page: a load that seems to meet an earlier store waits for it. */
static size_t floats_within(uint64_t bytes, attn_roof_kind kind)
{
    const size_t steps = (size_t)(bytes / arrays_of(kind) / STEP_BYTES);
    return steps == 0 ? 0 : ((steps - 1) | 1) * STREAM_STEP;
}

/* What one of so many threads has of a cache, if as many of them as can share it do. */
static uint64_t thread_share(attn_cache cache, unsigned threads)
{
    return cache.bytes / (threads < cache.cpus ? threads : cache.cpus);
}

/* Bytes of one thread's set, between twice the share below and half of its own; of L3, which also
 * has to serve whatever else runs on the machine, rather a quarter. 0: there is no such set. */
static uint64_t set_bytes(uint64_t share, uint64_t below, unsigned level)
{
    const uint64_t wanted = share / (level == 3 ? 4 : 2);
    return share / 2 < 2 * below ? 0 : wanted < 2 * below ? 2 * below : wanted;
}

attn_status cpu_stream_floats(const attn_cache *caches, attn_roof_kind kind, unsigned level,
                              unsigned threads, size_t *floats, attn_reason *why)
{
    const char *name = attn_level_name(level);
    const uint64_t share = thread_share(caches[level - 1], threads);
    const uint64_t below = level > 1 ? thread_share(caches[level - 2], threads) : 0;
    *floats = floats_within(set_bytes(share, below, level), kind);
    if (*floats > 0)
        return ATTN_OK;
    if (share == 0)
        return attn_because(why, ATTN_UNAVAILABLE,
                            "the system describes no %s data cache: there is none, or its size is "
                            "unknown",
                            name);
    return attn_because(why, ATTN_UNAVAILABLE,
                        "no set is in %s alone: a thread has %llu KiB of it, and %llu KiB of the "
                        "level below",
                        name, (unsigned long long)share / 1024, (unsigned long long)below / 1024);
}

/* Of the roof's arrays on this machine, and of the part that they are in. */
static attn_status find_arrays(const attn_roof *roof, unsigned threads, size_t *floats,
                               size_t *part_bytes, attn_reason *why)
{
    attn_cache caches[ATTN_CACHE_LEVELS];
    if (roof->level == ATTN_LEVEL_MEMORY) {
        *part_bytes = cpu_roof_part_bytes(threads);
        *floats = floats_within(*part_bytes, roof->kind);
        return ATTN_OK;
    }
    for (unsigned level = 1; level <= ATTN_CACHE_LEVELS; level++)
        caches[level - 1] = attn_cache_level(level);
    const attn_status status =
        cpu_stream_floats(caches, roof->kind, roof->level, threads, floats, why);
    *part_bytes = *floats * sizeof(float) * arrays_of(roof->kind);
    return status;
}

uint64_t cpu_roof_stream_bytes(const attn_roof *roof, unsigned threads)
{
    size_t floats, part_bytes;
    const attn_status status = find_arrays(roof, threads, &floats, &part_bytes, NULL);
    return status == ATTN_OK ? cpu_parts_missing(threads, part_bytes) : 0;
}

/* The loop over `floats` floats of each array from `at` on, which is in the first array. */
static float move(const stream_job *job, float *at, size_t floats, size_t passes)
{
    if (job->kind == ATTN_ROOF_READ)
        return job->loop(job->kind, NULL, at, NULL, floats, passes);
    float *c = job->kind == ATTN_ROOF_TRIAD ? at + 2 * job->floats : NULL;
    return job->loop(job->kind, at, at + job->floats, c, floats, passes);
}

/* In memory round and round, on from where the call before ended. */
static float move_part(const void *context, cpu_part *mine)
{
    const stream_job *job = context;
    if (job->passes > 0)
        return move(job, mine->data, job->floats, job->passes);
    const size_t size = job->floats / STREAM_STEP;
    size_t steps = job->steps;
    float last = 0.0f;
    mine->next %= size;
    while (steps > 0) {
        const size_t now = steps < size - mine->next ? steps : size - mine->next;
        last = move(job, mine->data + mine->next * STREAM_STEP, now * STREAM_STEP, 1);
        mine->next = (mine->next + now) % size;
        steps -= now;
    }
    return last;
}

attn_status cpu_roof_stream_run(const attn_roof *roof, unsigned threads, uint64_t wanted,
                                uint64_t *done, attn_timing *timing, attn_reason *why)
{
    stream_job job = {.loop = *(cpu_stream_loop *const *)roof->impl, .kind = roof->kind};
    size_t part_bytes;
    *done = 0;
    timing->device_s = NAN;
    const attn_status status = find_arrays(roof, threads, &job.floats, &part_bytes, why);
    if (status != ATTN_OK)
        return status;
    const uint64_t unit = (uint64_t)STEP_BYTES * arrays_of(roof->kind);
    const size_t needed = (size_t)(wanted / threads / unit) + 1;
    const size_t whole = job.floats / STREAM_STEP, least = LEAST_FLOATS / STREAM_STEP;
    if (roof->level == ATTN_LEVEL_MEMORY)
        job.steps = needed < least ? least : needed;
    else
        job.passes = (needed + whole - 1) / whole;
    const unsigned ran = cpu_parts_run(threads, part_bytes, move_part, &job);
    *done = (job.passes > 0 ? job.passes * whole : job.steps) * unit * ran;
    return ran > 0 ? ATTN_OK
                   : attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the arrays of the roof");
}
