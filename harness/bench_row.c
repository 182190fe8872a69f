/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/clock.h"
#include "harness/bench.h"
#include "harness/progress.h"

void bench_close_row(bench_row *row, attn_status status, const char *format, ...)
{
    char text[sizeof row->result.why.text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    row->open = false;
    row->result.status = attn_because(&row->result.why, status, "%s", text);
}

void bench_show(const bench_row *row, bool now)
{
    const bench *b = row->owner;
    double spent = b->round_start > 0 ? clock_seconds() - b->round_start : 0;
    progress p = {.done = b->shown,
                  .total = (unsigned)(b->group_count * b->lane_count),
                  .kernel = row->result.kernel,
                  .n = row->result.workload->n,
                  .m = row->result.workload->m,
                  .seconds_left = fmax(b->left_s - spent, 0)};
    progress_show(&p, now);
}

void bench_row_init(bench *b, bench_row *row, const attn_workload *w)
{
    result_row_init(&row->result);
    row->owner = b;
    row->result.workload = w;
    row->run_s = NAN;
    row->open = true;
    row->batch = 1;
    for (int kind = 0; kind < ATTN_ROOFS; kind++)
        row->judge[kind] = SIZE_MAX;
}

char *bench_row_name(const char *kernel, const attn_workload *w, unsigned threads)
{
    char text[ATTN_WORKLOAD_TEXT];
    attn_workload_format(w, text);
    size_t size = strlen(kernel) + strlen(text) + sizeof "//threads:4294967295";
    char *name = malloc(size);
    if (name != NULL)
        snprintf(name, size, "%s/%s/threads:%u", kernel, text, threads);
    return name;
}
