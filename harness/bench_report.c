/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "attn/clock.h"
#include "harness/bench.h"
#include "harness/columns.h"
#include "harness/plot.h"
#include "harness/table.h"

static void print_rows(const bench *b)
{
    series *curves;
    const size_t count = series_build(b->done, b->done_count, b->seed, &curves);
    table_rows(stdout, b->done, b->done_count, columns_colour(stdout));
    table_roofs(stdout, b->done, b->done_count, columns_colour(stdout));
    table_clocks(stdout, b->done, b->done_count);
    table_curves(stdout, curves, count);
    plot_print(stdout, curves, count);
    series_free(curves, count);
}

/* A run that was cut short has no last line: it can be gone on with. */
static attn_status store_verdict(const bench *b, const verdict *v, const drift *drifts,
                                 size_t drift_count, attn_reason *why)
{
    json_t *end = verdict_json(v, drifts, drift_count, b->done_count, clock_seconds() - b->start_s);
    const attn_status status = store_end(b->file, end, why);
    json_decref(end);
    return status;
}

int bench_report(const bench *b, const verdict_context *context, const char *json_path)
{
    attn_reason why;
    attn_status status = ATTN_OK;
    unsigned alarms = 0;
    drift *drifts;
    const size_t drift_count = drift_find(b->done, b->done_count, &drifts);
    const verdict v = verdict_of(b->done, b->done_count, drifts, drift_count, context);
    if (context->stopped == NULL)
        status = store_verdict(b, &v, drifts, drift_count, &why);
    print_rows(b); /* what was measured is not lost with the disk it was to go to */
    drift_print(stdout, drifts, drift_count);
    free(drifts);
    for (size_t i = 0; i < b->done_count; i++)
        alarms += result_row_alarming(&b->done[i]);
    if (alarms > 0)
        printf("\n%u row%s went wrong: see the notes.\n", alarms, alarms == 1 ? "" : "s");
    printf("\nFiles: %s %s\n", store_path(b->file), json_path);
    verdict_print(stdout, &v);
    fflush(stdout);
    if (status != ATTN_OK)
        return cli_usage("%s", why.text);
    return alarms > 0 ? EXIT_MISMATCH : EXIT_OK;
}
