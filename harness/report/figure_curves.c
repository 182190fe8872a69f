/* SPDX-License-Identifier: Apache-2.0
 *
 * Which curves belong in one figure, and which of them are drawn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/best.h"
#include "harness/report/figure_parts.h"
#include "harness/report/output.h"
#include "harness/table.h"

/* "scalar", "library" and others, as the report's list of kernels says. */
static const char *kind_of(const figure_runs *f, const result_row *row)
{
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(f->report->data, "kernels"), i, kernel)
    {
        const char *name = json_string_value(json_object_get(kernel, "name"));
        const char *kind = json_string_value(json_object_get(kernel, "kind"));
        if (name != NULL && kind != NULL && strcmp(name, row->kernel) == 0)
            return kind;
    }
    return "";
}

figure_class figure_class_of(const figure_runs *f, const result_row *row)
{
    const char *kind = kind_of(f, row);
    if (strcmp(kind, "scalar") == 0)
        return FIGURE_SCALAR;
    if (row->tier != ATTN_TIER_EXACT)
        return strcmp(kind, "library") == 0 ? FIGURE_LIBRARY : FIGURE_BOUNDED;
    return row->contract == ATTN_CONTRACT_F   ? FIGURE_EXACT_F
           : row->contract == ATTN_CONTRACT_M ? FIGURE_EXACT_M
                                              : FIGURE_EXACT_X;
}

/* For each row, so that a look costs no search; NULL when out of memory. */
static unsigned *most_threads(const run_file *run)
{
    unsigned *most = calloc(run->count + 1, sizeof *most);
    for (size_t i = 0; i < run->count && most != NULL; i++)
        for (size_t j = 0; j < run->count; j++)
            if (run->rows[j].threads > most[i] && report_counts(&run->rows[j]) &&
                strcmp(run->rows[i].device, run->rows[j].device) == 0)
                most[i] = run->rows[j].threads;
    return most;
}

bool figure_most_threads(const figure_runs *f, size_t run, const result_row *row)
{
    return row->threads == f->most[run][row - f->report->runs[run].rows];
}

const char *figure_label(const figure_runs *f, size_t run, const result_row *row,
                         char text[FIGURE_LABEL])
{
    char kernel[128], place[96], clean[128];
    report_clean(row->kernel, 30, kernel, sizeof kernel);
    report_clean(table_place(row, place, sizeof place), 30, clean, sizeof clean);
    if (f->report->count > 1)
        snprintf(text, FIGURE_LABEL, "%s, %s [%zu]", kernel, clean, run + 1);
    else
        snprintf(text, FIGURE_LABEL, "%s, %s", kernel, clean);
    return text;
}

/* What the curves of one figure share. */
static bool same_group(const series *a, const series *b)
{
    attn_workload one = *a->first->workload, other = *b->first->workload;
    if (a->axis != b->axis)
        return false;
    if (a->axis != SERIES_M)
        one.n = other.n = 0;
    if (a->axis != SERIES_N)
        one.m = other.m = 0;
    return attn_workload_same(&one, &other);
}

static size_t timed_points(const series *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        count += isfinite(s->points[i].t);
    return count;
}

/* FLOPs per ns at its best. */
static double top_rate(const series *s)
{
    double top = 0;
    for (size_t i = 0; i < s->count; i++)
        if (isfinite(s->points[i].t))
            top = fmax(top, s->points[i].flops / s->points[i].t);
    return top;
}

static bool rivals(const figure_runs *f, const figure_curve *a, const figure_curve *b)
{
    return a->group == b->group && a->run == b->run &&
           strcmp(a->series->first->device, b->series->first->device) == 0 &&
           figure_class_of(f, a->series->first) == figure_class_of(f, b->series->first);
}

/* Is it the fastest of its class on its device, with the most threads? */
static bool leads(const figure_runs *f, const figure_curve *c)
{
    const result_row *row = c->series->first;
    if (!figure_most_threads(f, c->run, row))
        return false;
    for (size_t i = 0; i < f->curve_count; i++) {
        const figure_curve *other = &f->curves[i];
        if (other == c || !rivals(f, c, other) || other->series->first->threads != row->threads)
            continue;
        const double mine = top_rate(c->series), theirs = top_rate(other->series);
        if (theirs > mine || (theirs == mine && other < c))
            return false;
    }
    return true;
}

static void give_styles(figure_runs *f, size_t group)
{
    unsigned used = 0;
    for (int class = 0; class < FIGURE_CLASSES; class ++)
        for (size_t i = 0; i < f->curve_count && used < FIGURE_STYLES; i++) {
            figure_curve *c = &f->curves[i];
            if (c->group == group && figure_class_of(f, c->series->first) == (figure_class) class &&
                leads(f, c))
                c->style = ++used;
        }
}

static void add_curve(figure_runs *f, size_t run, const series *s)
{
    figure_curve *c = &f->curves[f->curve_count];
    *c = (figure_curve){.run = run, .series = s, .group = f->groups};
    for (size_t i = 0; i < f->curve_count && c->group == f->groups; i++)
        if (same_group(f->curves[i].series, s))
            c->group = f->curves[i].group;
    f->groups += c->group == f->groups;
    f->curve_count++;
}

bool figure_runs_open(figure_runs *f, const report *r)
{
    size_t total = 0;
    const size_t count = r->count;
    *f = (figure_runs){.report = r};
    f->lists = calloc(count, sizeof *f->lists);
    f->lengths = calloc(count, sizeof *f->lengths);
    f->most = calloc(count, sizeof *f->most);
    if (f->lists == NULL || f->lengths == NULL || f->most == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const run_file *run = &r->runs[i];
        const json_t *seed = json_object_get(run->header, "seed");
        f->lengths[i] =
            series_build(run->rows, run->count, (uint64_t)json_integer_value(seed), &f->lists[i]);
        total += f->lengths[i];
        f->most[i] = most_threads(run);
        if (f->lists[i] == NULL || f->most[i] == NULL)
            return false;
    }
    f->curves = calloc(total + 1, sizeof *f->curves);
    for (size_t i = 0; i < count && f->curves != NULL; i++)
        for (size_t c = 0; c < f->lengths[i]; c++)
            if (timed_points(&f->lists[i][c]) > 1)
                add_curve(f, i, &f->lists[i][c]);
    for (size_t group = 0; group < f->groups; group++)
        give_styles(f, group);
    return f->curves != NULL;
}

void figure_runs_close(figure_runs *f)
{
    for (size_t r = 0; r < f->report->count && f->lists != NULL && f->lengths != NULL; r++)
        series_free(f->lists[r], f->lengths[r]);
    for (size_t r = 0; r < f->report->count && f->most != NULL; r++)
        free(f->most[r]);
    free(f->most);
    free(f->lists);
    free(f->lengths);
    free(f->curves);
}
