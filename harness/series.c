/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The workload's text without its lengths. */
const char *series_workload(const attn_workload *w, char text[ATTN_WORKLOAD_TEXT])
{
    attn_workload key = *w;
    key.n = key.m = 0;
    return attn_workload_format(&key, text);
}

static bool same_kind(const result_row *a, const result_row *b)
{
    if (a->roof || b->roof || a->threads != b->threads || strcmp(a->kernel, b->kernel) != 0 ||
        strcmp(a->device, b->device) != 0)
        return false;
    attn_workload other = *b->workload;
    other.n = a->workload->n;
    other.m = a->workload->m;
    return attn_workload_same(a->workload, &other);
}

/* Do the lengths allow both on one curve along this axis? */
static bool fit_axis(const attn_workload *a, const attn_workload *b, series_axis axis)
{
    return axis == SERIES_N   ? a->m == b->m
           : axis == SERIES_M ? a->n == b->n
                              : a->m == a->n && b->m == b->n;
}

#define NO_KIND SIZE_MAX

/* The rows of a run, and of each the first row of its kind: one number instead of many texts for
 * what all pairs of rows are asked. */
typedef struct row_list {
    const result_row *rows;
    size_t count;
    size_t *kinds; /* NO_KIND: a roof */
} row_list;

/* Linear for each kind that there is. false: out of memory. */
static bool find_kinds(row_list *all)
{
    size_t *firsts = malloc((all->count + 1) * sizeof *firsts), found = 0;
    all->kinds = malloc((all->count + 1) * sizeof *all->kinds);
    const bool room = firsts != NULL && all->kinds != NULL;
    for (size_t i = 0; room && i < all->count; i++) {
        all->kinds[i] = NO_KIND;
        if (all->rows[i].roof)
            continue;
        size_t k = 0;
        while (k < found && !same_kind(&all->rows[firsts[k]], &all->rows[i]))
            k++;
        if (k == found)
            firsts[found++] = i;
        all->kinds[i] = firsts[k];
    }
    free(firsts);
    return room;
}

/* Do both rows lie on the same curve along this axis? */
static bool share_curve(row_list all, size_t a, size_t b, series_axis axis)
{
    return all.kinds[a] == all.kinds[b] && all.kinds[a] != NO_KIND &&
           fit_axis(all.rows[a].workload, all.rows[b].workload, axis);
}

static size_t curve_rows(row_list all, size_t row, series_axis axis)
{
    size_t count = 0;
    for (size_t i = 0; i < all.count; i++)
        count += share_curve(all, row, i, axis);
    return count;
}

static bool on_longer_curve(row_list all, size_t row)
{
    bool longer = false;
    for (int axis = 0; axis < SERIES_AXES && !longer; axis++)
        longer = curve_rows(all, row, (series_axis)axis) > 2;
    return longer;
}

/* Is there a curve along the axis of which this row is the first? Where sweeps cross, rows of two
 * pair up by chance: they are no curve. */
static bool starts_curve(row_list all, size_t row, series_axis axis)
{
    const size_t count = curve_rows(all, row, axis);
    bool starts = count > 1;
    for (size_t i = 0; i < all.count && starts; i++)
        if (share_curve(all, row, i, axis))
            starts = i >= row && (count > 2 || !on_longer_curve(all, i));
    return starts;
}

char series_length(const series *s)
{
    return s->axis == SERIES_M ? 'm' : 'n';
}

bool series_holds(const series *s, const result_row *row)
{
    return fit_axis(s->first->workload, row->workload, s->axis) && same_kind(s->first, row);
}

const char *series_verdict(const series *s, char text[SERIES_VERDICT])
{
    const fit_result *f = &s->fit;
    const char *verdict = fit_verdict_text(f->verdict);
    if (f->verdict >= FIT_GROWS_AS_FLOPS)
        snprintf(text, SERIES_VERDICT, "%s: %.2f against %.2f where %c > %.0f", verdict,
                 f->tail.value, f->tail.flops, series_length(s), f->dominant_from);
    else
        snprintf(text, SERIES_VERDICT, "%s", verdict);
    return text;
}

static int by_n(const void *a, const void *b)
{
    double x = ((const fit_point *)a)->n, y = ((const fit_point *)b)->n;
    return (x > y) - (x < y);
}

static bool add_points(series *s, row_list all)
{
    const size_t first = (size_t)(s->first - all.rows);
    s->points = calloc(curve_rows(all, first, s->axis), sizeof *s->points);
    for (size_t i = 0; i < all.count && s->points != NULL; i++) {
        const result_row *row = &all.rows[i];
        const attn_workload *w = row->workload;
        if (share_curve(all, first, i, s->axis))
            s->points[s->count++] = (fit_point){.n = s->axis == SERIES_M ? w->m : w->n,
                                                .t = row->status == ATTN_OK ? row->median_ns : NAN,
                                                .flops = (double)row->flops,
                                                .samples = row->samples_ns,
                                                .count = row->samples};
    }
    return s->points != NULL;
}

size_t series_build(const result_row *rows, size_t count, uint64_t seed, series **list)
{
    row_list all = {.rows = rows, .count = count};
    size_t used = 0;
    *list = find_kinds(&all) ? calloc(SERIES_AXES * count + 1, sizeof **list) : NULL;
    for (size_t i = 0; *list != NULL && i < SERIES_AXES * count; i++) {
        const size_t row = i / SERIES_AXES;
        const series_axis axis = (series_axis)(i % SERIES_AXES);
        if (!starts_curve(all, row, axis))
            continue;
        series *s = &(*list)[used++];
        *s = (series){.first = &rows[row], .axis = axis};
        s->mark = (char)(used <= 26 ? 'a' + (used - 1) : used <= 52 ? 'A' + (used - 27) : '?');
        if (add_points(s, all)) {
            qsort(s->points, s->count, sizeof *s->points, by_n);
            s->fit = fit_analyse(s->points, s->count, seed);
            continue;
        }
        series_free(*list, used);
        *list = NULL;
        used = 0;
    }
    free(all.kinds);
    return used;
}

void series_free(series *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        free(list[i].points);
    free(list);
}
