/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "attn/clock.h"

static double last_time;
static bool shown;

void progress_show(const progress *p, bool now)
{
    double time = clock_seconds();
    if (!isatty(STDERR_FILENO) || (!now && time - last_time < 0.1))
        return;
    last_time = time;
    shown = true;
    fprintf(stderr, "\r%3u/%u  %.40s, n = %u", p->done, p->total, p->kernel, p->n);
    if (p->m != p->n)
        fprintf(stderr, ", m = %u", p->m);
    if (p->seconds_left >= 0)
        fprintf(stderr, ", about %u:%02u left", (unsigned)p->seconds_left / 60,
                (unsigned)p->seconds_left % 60);
    fputs("\033[K", stderr); /* erases what is left of a longer line; no flicker */
}

void progress_clear(void)
{
    if (shown)
        fputs("\r\033[K", stderr);
    shown = false;
}
