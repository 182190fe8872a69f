/* SPDX-License-Identifier: Apache-2.0
 *
 * Those of Google Benchmark's flags that attnmark acts on itself, or must check beforehand because
 * Google Benchmark ends the process over a bad value.
 */
#ifndef HARNESS_GBENCH_FLAGS_H
#define HARNESS_GBENCH_FLAGS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "attn/status.h"

#define GBENCH_MAX_REPETITIONS 100000

typedef struct gbench_flags {
    const char *output;   /* FILE of --benchmark_out=FILE, borrowed; NULL: none */
    unsigned repetitions; /* 1..GBENCH_MAX_REPETITIONS; 0: not said */
    double min_time;      /* seconds of one sample, at least */
    bool list;            /* --benchmark_list_tests */
} gbench_flags;

/* Reads one flag of the user. *pass: Google Benchmark must see it, too. ATTN_ERROR names a flag
 * whose value is malformed or cannot be honoured. */
attn_status gbench_flags_take(gbench_flags *flags, const char *flag, bool *pass, attn_reason *why);

#ifdef __cplusplus
}
#endif

#endif
