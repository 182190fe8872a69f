/* SPDX-License-Identifier: Apache-2.0
 *
 * Google Benchmark as the timing engine. It repeats and interleaves; how many runs make one
 * sample is decided here beforehand, so that a run's length is known (its own calibration would
 * add runs, and with a device clock it counts device time only).
 *
 * Every row uses manual time: rows keep one name whichever clock measured them.
 */
#ifndef HARNESS_GBENCH_H
#define HARNESS_GBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "attn/status.h"

typedef struct gbench gbench;

/* Seconds, by each clock. */
typedef struct gbench_times {
    double seconds; /* what Google Benchmark is told */
    /* On a GPU, wall time, and of as many submissions that do nothing; NAN elsewhere. */
    double wall_s, empty_s;
} gbench_times;

typedef struct gbench_item {
    const char *name;  /* "kernel/workload/threads:N"; "/manual_time" is appended to it */
    const char *label; /* the device; printed in ASCII */
    uint64_t batch;    /* runs in one sample, >= 1 */
    uint64_t flops;    /* of one run */
    size_t id;         /* names the row in gbench_keep */
    /* Performs `batch` runs and gives their total times. False ends this row: no sample of it
     * reaches gb.json. */
    bool (*run)(void *context, uint64_t batch, gbench_times *total);
    /* Receives the mean times of one run. */
    void (*sample)(void *context, const gbench_times *mean);
    void *context;
} gbench_item;

/* Hands the user's flags to Google Benchmark after the tool's own, so that the user's win. Exits
 * for --help. Refuses unknown flags, malformed values and what would take the single samples
 * away. The flags outlive the engine. */
attn_status gbench_open(int flag_count, const char *const *flags, gbench **g, attn_reason *why);
void gbench_close(gbench *g);

/* Which names does --benchmark_filter choose? ATTN_ERROR when it is malformed or chooses none.
 * Under --benchmark_list_tests prints the names instead and sets *listed. */
attn_status gbench_select(gbench *g, const char *const *names, size_t count, bool *selected,
                          bool *listed, attn_reason *why);

/* How many samples of every row the user wants, or 0: attnmark decides. */
unsigned gbench_repetitions(const gbench *g);

/* One sample of each item, in a random order. Fails only when the engine does. */
attn_status gbench_run(gbench *g, const gbench_item *items, size_t count, attn_reason *why);

/* Takes a finished row's samples into gb.json; rows that are not kept do not appear there. */
attn_status gbench_keep(gbench *g, size_t id, attn_reason *why);
/* Samples that an earlier process took of the item, whose callbacks are not used, as if gbench_run
 * had taken them here: means of one run. Their CPU time was not kept and is given as the time. */
attn_status gbench_restore(gbench *g, const gbench_item *item, const gbench_times *means,
                           size_t count, attn_reason *why);
/* Writes what is kept so far as Google Benchmark JSON (schema 1), whole or not at all. Its own
 * --benchmark_out would write each gbench_run over the one before. */
attn_status gbench_write(gbench *g, const char *path, attn_reason *why);
/* FILE of the user's --benchmark_out=FILE, or NULL. */
const char *gbench_output(const gbench *g);

#ifdef __cplusplus
}
#endif

#endif
