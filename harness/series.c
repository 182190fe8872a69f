/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The workload's text with n (and an m that follows it) taken out. */
static const char *curve_key(const attn_workload *w, char text[ATTN_WORKLOAD_TEXT])
{
    attn_workload key = *w;
    key.m = w->m == w->n ? 0 : w->m;
    key.n = 0;
    return attn_workload_format(&key, text);
}

static bool same_curve(const result_row *a, const result_row *b)
{
    char key_a[ATTN_WORKLOAD_TEXT], key_b[ATTN_WORKLOAD_TEXT];
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->device, b->device) == 0 &&
           a->threads == b->threads &&
           strcmp(curve_key(a->workload, key_a), curve_key(b->workload, key_b)) == 0;
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
    s->points[s->count++] = (fit_point){.n = row->workload->n,
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
        while (s < used && !same_curve((*list)[s].first, &rows[i]))
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
        one->sweeps = one->points[0].n < one->points[one->count - 1].n;
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
