/* SPDX-License-Identifier: Apache-2.0
 *
 * One status line on stderr, only when stderr is a terminal.
 */
#ifndef HARNESS_PROGRESS_H
#define HARNESS_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    unsigned done, total; /* rows */
    const char *kernel;
    unsigned n, m;
    double seconds_left; /* < 0: not known */
} progress;

/* Replaces the line: "  3/40  avx2_f, n = 1, m = 8192, about 1:23 left". At most ten times a
 * second, unless `now`: for what will stand for a while. */
void progress_show(const progress *p, bool now);
/* Removes the line, so that ordinary output can follow. */
void progress_clear(void);

#endif
