/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/figures.h"

#include <stdlib.h>

#include "harness/directories.h"
#include "harness/report/figure_parts.h"
#include "harness/report/gnuplot.h"
#include "harness/report/output.h"

static attn_status write_figure(const char *directory, const figure *f, attn_reason *why)
{
    static report_writer *const data[FIGURE_KINDS] = {figure_lines_data, figure_lines_data,
                                                      figure_lines_data, figure_share_data,
                                                      figure_roofline_data};
    char name[64];
    snprintf(name, sizeof name, "%s.tsv", f->about.name);
    const attn_status status = report_output(directory, name, data[f->kind], f, why);
    if (status != ATTN_OK)
        return status;
    snprintf(name, sizeof name, "%s.gp", f->about.name);
    return report_output(directory, name, figure_script, f, why);
}

static attn_status write_figures(const char *directory, const figure *list, size_t count,
                                 bool *drawn, attn_reason *why)
{
    attn_status status = ATTN_OK;
    *drawn = true;
    for (size_t i = 0; i < count && status == ATTN_OK; i++)
        status = write_figure(directory, &list[i], why);
    /* Without gnuplot every figure is tried: what an earlier one drew goes. */
    for (size_t i = 0; i < count && status == ATTN_OK; i++) {
        bool found;
        status = gnuplot_draw(directory, list[i].about.name, &found, why);
        *drawn = *drawn && found;
    }
    return status;
}

attn_status report_figures(const char *directory, const report *r, bool *drawn, attn_reason *why)
{
    figure_runs runs;
    size_t count = 0, made;
    figure *list = figure_runs_open(&runs, r) ? figure_plan(&runs, &count) : NULL;
    attn_status status = ATTN_OK;
    *drawn = false;
    if (list == NULL)
        status = attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    else if (count == 0)
        status =
            attn_because(why, ATTN_ERROR, "no row was timed and checked: nothing for --figures");
    if (status == ATTN_OK) {
        status = directories_make(directory, &made, why);
        if (status == ATTN_OK)
            status = write_figures(directory, list, count, drawn, why);
        if (status != ATTN_OK)
            directories_remove(directory, made);
    }
    free(list);
    figure_runs_close(&runs);
    return status;
}

size_t report_figures_list(const report *r, report_figure **list)
{
    figure_runs runs;
    size_t count = 0;
    figure *planned = figure_runs_open(&runs, r) ? figure_plan(&runs, &count) : NULL;
    *list = planned != NULL ? calloc(count + 1, sizeof **list) : NULL;
    for (size_t i = 0; i < count && *list != NULL; i++)
        (*list)[i] = planned[i].about;
    free(planned);
    figure_runs_close(&runs);
    return *list != NULL ? count : 0;
}
