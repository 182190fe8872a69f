/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for gbench.cc in a build without Google Benchmark: nothing can be opened, so nothing
 * else is ever called.
 */
#include "harness/gbench.h"

attn_status gbench_open(int flag_count, const char *const *flags, gbench **g, attn_reason *why)
{
    (void)flag_count;
    (void)flags;
    *g = NULL;
    return attn_because(why, ATTN_UNAVAILABLE,
                        "this build has no Google Benchmark, which bench needs: install "
                        "libbenchmark-dev and configure with -Dbenchmark=enabled");
}

void gbench_close(gbench *g)
{
    (void)g;
}

attn_status gbench_select(gbench *g, const char *const *names, size_t count, bool *selected,
                          bool *listed, attn_reason *why)
{
    (void)g, (void)names, (void)count, (void)selected, (void)listed;
    return attn_because(why, ATTN_UNAVAILABLE, "no Google Benchmark");
}

unsigned gbench_repetitions(const gbench *g)
{
    (void)g;
    return 0;
}

attn_status gbench_run(gbench *g, const gbench_item *items, size_t count, attn_reason *why)
{
    (void)g, (void)items, (void)count;
    return attn_because(why, ATTN_UNAVAILABLE, "no Google Benchmark");
}

attn_status gbench_keep(gbench *g, size_t id, attn_reason *why)
{
    (void)g, (void)id;
    return attn_because(why, ATTN_UNAVAILABLE, "no Google Benchmark");
}

attn_status gbench_restore(gbench *g, const gbench_item *item, const gbench_times *means,
                           size_t count, attn_reason *why)
{
    (void)g, (void)item, (void)means, (void)count;
    return attn_because(why, ATTN_UNAVAILABLE, "no Google Benchmark");
}

attn_status gbench_write(gbench *g, const char *path, attn_reason *why)
{
    (void)g, (void)path;
    return attn_because(why, ATTN_UNAVAILABLE, "no Google Benchmark");
}

const char *gbench_output(const gbench *g)
{
    (void)g;
    return NULL;
}
