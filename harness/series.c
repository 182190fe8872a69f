/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The workload's text without its lengths. */
static const char *curve_key(const attn_workload *w, char text[ATTN_WORKLOAD_TEXT])
{
    attn_workload key = *w;
    key.n = key.m = 0;
    return attn_workload_format(&key, text);
}

static bool same_kind(const result_row *a, const result_row *b)
{
    char key_a[ATTN_WORKLOAD_TEXT], key_b[ATTN_WORKLOAD_TEXT];
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->device, b->device) == 0 &&
           a->threads == b->threads &&
           strcmp(curve_key(a->workload, key_a), curve_key(b->workload, key_b)) == 0;
}

static double length_of(const series *s, const attn_workload *w)
{
    return s->axis == SERIES_M ? w->m : w->n;
}

/* Until now the rows had one workload. */
static void set_axis(series *s, series_axis axis)
{
    s->axis = axis;
    for (size_t i = 0; i < s->count; i++)
        s->points[i].n = length_of(s, s->first->workload);
}

/* Does the row belong to the curve? A curve takes the axis of the first row that differs. */
static bool joins(series *s, const result_row *row)
{
    const attn_workload *a = s->first->workload, *b = row->workload;
    series_axis axis;
    if (!same_kind(s->first, row))
        return false;
    if (a->n == b->n && a->m == b->m)
        return true;
    if (a->n == b->n)
        axis = SERIES_M;
    else if (a->m == b->m)
        axis = SERIES_N;
    else if (a->m == a->n && b->m == b->n)
        axis = SERIES_N_AND_M;
    else
        return false;
    if (s->axis == SERIES_ALONE)
        set_axis(s, axis);
    return s->axis == axis;
}

char series_length(const series *s)
{
    return "\0nnm"[s->axis];
}

static int by_n(const void *a, const void *b)
{
    double x = ((const fit_point *)a)->n, y = ((const fit_point *)b)->n;
    return (x > y) - (x < y);
}

static bool add_point(series *s, const result_row *row)
{
    fit_point *grown = realloc(s->points, (s->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    s->points = grown;
    s->points[s->count++] = (fit_point){.n = length_of(s, row->workload),
                                        .t = row->status == ATTN_OK ? row->median_ns : NAN,
                                        .flops = (double)row->flops,
                                        .samples = row->samples_ns,
                                        .count = row->samples};
    return true;
}

size_t series_build(const result_row *rows, size_t count, uint64_t seed, series **list)
{
    size_t used = 0;
    *list = calloc(count ? count : 1, sizeof **list);
    for (size_t i = 0; *list != NULL && i < count; i++) {
        size_t s = 0;
        if (rows[i].roof)
            continue;
        while (s < used && !joins(&(*list)[s], &rows[i]))
            s++;
        if (s == used)
            (*list)[used++].first = &rows[i];
        if (!add_point(&(*list)[s], &rows[i])) {
            series_free(*list, used);
            *list = NULL;
            used = 0;
        }
    }
    for (size_t s = 0; s < used; s++) {
        series *one = &(*list)[s];
        qsort(one->points, one->count, sizeof *one->points, by_n);
        one->mark = (char)(s < 26 ? 'a' + s : s < 52 ? 'A' + (s - 26) : '?');
        one->fit = fit_analyse(one->points, one->count, seed);
    }
    return used;
}

void series_free(series *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        free(list[i].points);
    free(list);
}
