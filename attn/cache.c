/* SPDX-License-Identifier: Apache-2.0
 *
 * The caches, as Linux describes them below /sys or macOS by sysctl.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attn/cache.h"

typedef struct last_level {
    uint64_t bytes; /* of one cache; 0: unknown */
    unsigned caches;
} last_level;

unsigned attn_count_cpus(const char *list)
{
    unsigned count = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        count += last >= first ? (unsigned)(last - first) + 1 : 0;
        list = *end == ',' ? end + 1 : end;
    }
    return count;
}

#ifdef __APPLE__
#include <sys/sysctl.h>

/* Apple silicon has an L2 per cluster and hides what is behind it. */
static last_level read_last_level(void)
{
    static const char *const names[] = {"hw.l3cachesize", "hw.perflevel0.l2cachesize",
                                        "hw.l2cachesize"};
    uint64_t bytes = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && bytes == 0; i++) {
        size_t size = sizeof bytes;
        if (sysctlbyname(names[i], &bytes, &size, NULL, 0) != 0)
            bytes = 0;
    }
    return (last_level){bytes, 1};
}

/* Both lists begin with memory and are those of the smaller cores. */
static void read_levels(attn_cache levels[ATTN_CACHE_LEVELS])
{
    uint64_t bytes[16] = {0}, cpus[16] = {0};
    size_t size = sizeof bytes, sharers = sizeof cpus;
    if (sysctlbyname("hw.cachesize", bytes, &size, NULL, 0) != 0 ||
        sysctlbyname("hw.cacheconfig", cpus, &sharers, NULL, 0) != 0)
        return;
    for (int i = 0; i < ATTN_CACHE_LEVELS; i++)
        levels[i] = (attn_cache){bytes[i + 1], cpus[i + 1] > 1 ? (unsigned)cpus[i + 1] : 1};
}
#else
enum { TEXT = 256 };

/* The text of a cache's file, "" where there is none. */
static const char *cache_text(long cpu, int index, const char *field, char text[TEXT])
{
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cache/index%d/%s", cpu, index,
             field);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(text, TEXT, file))
        text[0] = '\0';
    if (file)
        fclose(file);
    return text;
}

static uint64_t cache_bytes(long cpu, int index)
{
    char text[TEXT], *unit;
    const uint64_t size = strtoull(cache_text(cpu, index, "size", text), &unit, 10);
    return size << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0);
}

/* Index of the cache of the highest level; -1 where nothing is said. */
static int last_index(long cpu)
{
    char text[TEXT];
    int last = -1;
    long highest = 0;
    for (int index = 0; index < 16; index++) {
        const long level = strtol(cache_text(cpu, index, "level", text), NULL, 10);
        if (level > highest) {
            highest = level;
            last = index;
        }
    }
    return last;
}

/* Each cache is counted at the first CPU that shares it, and the largest stands for all: cores of
 * two kinds may have caches of two sizes. */
static last_level read_last_level(void)
{
    last_level all = {0, 0};
    const long cpus = sysconf(_SC_NPROCESSORS_CONF);
    for (long cpu = 0; cpu < cpus; cpu++) {
        char text[TEXT];
        const int index = last_index(cpu);
        const uint64_t bytes = index < 0 ? 0 : cache_bytes(cpu, index);
        if (bytes == 0 || strtol(cache_text(cpu, index, "shared_cpu_list", text), NULL, 10) != cpu)
            continue;
        all.bytes = bytes > all.bytes ? bytes : all.bytes;
        all.caches++;
    }
    return all;
}

static void read_cache(long cpu, int index, attn_cache levels[ATTN_CACHE_LEVELS])
{
    char text[TEXT];
    const long level = strtol(cache_text(cpu, index, "level", text), NULL, 10);
    if (level < 1 || level > ATTN_CACHE_LEVELS ||
        strncmp(cache_text(cpu, index, "type", text), "Instr", 5) == 0)
        return;
    attn_cache *cache = &levels[level - 1];
    const uint64_t bytes = cache_bytes(cpu, index);
    const unsigned cpus = attn_count_cpus(cache_text(cpu, index, "shared_cpu_list", text));
    if (bytes > 0 && (cache->bytes == 0 || bytes < cache->bytes))
        cache->bytes = bytes;
    cache->cpus = cpus > cache->cpus ? cpus : cache->cpus;
}

static void read_levels(attn_cache levels[ATTN_CACHE_LEVELS])
{
    const long cpus = sysconf(_SC_NPROCESSORS_CONF);
    for (long cpu = 0; cpu < cpus; cpu++)
        for (int index = 0; index < 16; index++)
            read_cache(cpu, index, levels);
}
#endif

attn_cache attn_cache_level(unsigned level)
{
    static attn_cache levels[ATTN_CACHE_LEVELS];
    static bool known;
    if (!known)
        read_levels(levels);
    known = true;
    attn_cache cache = levels[level - 1];
    cache.cpus = cache.cpus > 0 ? cache.cpus : 1;
    return cache;
}

uint64_t attn_cache_bytes(unsigned threads)
{
    static last_level all;
    if (all.caches == 0)
        all = read_last_level();
    return all.bytes * (threads < all.caches ? threads : all.caches);
}
