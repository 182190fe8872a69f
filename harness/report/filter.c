/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "harness/registry.h"
#include "harness/report/report.h"

/* The canonical texts of what --workload names, as keys; NULL after a fault. */
static json_t *wanted_workloads(const report_filter *filter, attn_reason *why)
{
    json_t *texts = json_object();
    for (size_t i = 0; i < filter->workload_count; i++) {
        attn_workload list[ATTN_MAX_SWEEP];
        char text[ATTN_WORKLOAD_TEXT];
        size_t count;
        attn_reason fault;
        if (attn_workload_parse(filter->workloads[i], list, &count, &fault) != ATTN_OK) {
            attn_because(why, ATTN_ERROR, "--workload: %s", fault.text);
            json_decref(texts);
            return NULL;
        }
        for (size_t w = 0; w < count; w++)
            json_object_set_new(texts, attn_workload_format(&list[w], text), json_null());
    }
    return texts;
}

static bool keeps(const result_row *row, const report_filter *filter, const json_t *workloads)
{
    char text[ATTN_WORKLOAD_TEXT];
    const attn_kernel kernel = {.name = row->kernel, .device = row->device};
    return row->roof ||
           (registry_matches(&kernel, filter->kernels, filter->kernel_count) &&
            (filter->workload_count == 0 ||
             json_object_get(workloads, attn_workload_format(row->workload, text)) != NULL));
}

/* Returns how many rows that are no roofs remain. Rows go on to point to their workloads. */
static size_t select_rows(run_file *run, const report_filter *filter, const json_t *workloads)
{
    size_t kept = 0, shown = 0;
    json_t *lines = json_array();
    for (size_t i = 0; i < run->count; i++) {
        if (!keeps(&run->rows[i], filter, workloads)) {
            result_row_free(&run->rows[i]);
            continue;
        }
        shown += !run->rows[i].roof;
        json_array_append(lines, json_array_get(run->lines, i));
        run->offsets[kept] = run->offsets[i];
        run->rows[kept++] = run->rows[i];
    }
    json_decref(run->lines);
    run->lines = lines;
    run->count = kept;
    return shown;
}

attn_status report_select(run_file *runs, size_t count, const report_filter *filter,
                          attn_reason *why)
{
    size_t shown = 0;
    if (filter->kernel_count == 0 && filter->workload_count == 0)
        return ATTN_OK;
    json_t *workloads = wanted_workloads(filter, why);
    if (workloads == NULL)
        return ATTN_ERROR;
    for (size_t r = 0; r < count; r++)
        shown += select_rows(&runs[r], filter, workloads);
    json_decref(workloads);
    return shown > 0
               ? ATTN_OK
               : attn_because(why, ATTN_ERROR, "--kernel and --workload leave no row to report");
}
