/* SPDX-License-Identifier: Apache-2.0
 *
 * The host clock of every wall time.
 */
#ifndef ATTN_CLOCK_H
#define ATTN_CLOCK_H

#include <time.h>

/* Seconds of a monotonic clock with an arbitrary start. */
static inline double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
