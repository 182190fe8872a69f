/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/json_value.h"
#include "harness/stats.h"
#include "harness/stats_sort.h"
#include "harness/table.h"

static bool is_reference(const result_row *row)
{
    return row->roof && row->bound == ATTN_ROOF_MAC && row->status == ATTN_OK &&
           row->sample_at_s != NULL;
}

static bool same_reference(const result_row *a, const result_row *b)
{
    return is_reference(a) && is_reference(b) && a->threads == b->threads &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->device, b->device) == 0;
}

static bool first_of_reference(const result_row *rows, size_t index)
{
    size_t i = 0;
    while (i < index && !same_reference(&rows[i], &rows[index]))
        i++;
    return i == index && is_reference(&rows[index]);
}

/* Logarithms of the rates and their times, of all workloads together, in the order of time, as
 * groups are; false when out of memory. */
static bool collect(const result_row *rows, size_t count, drift *d, double **rate, double **at_s)
{
    d->samples = 0;
    for (size_t i = 0; i < count; i++)
        d->samples += same_reference(&rows[i], d->reference) ? rows[i].samples : 0;
    *rate = malloc(d->samples * sizeof **rate);
    *at_s = malloc(d->samples * sizeof **at_s);
    size_t filled = 0;
    for (size_t i = 0; i < count && *rate != NULL && *at_s != NULL; i++)
        for (size_t s = 0; same_reference(&rows[i], d->reference) && s < rows[i].samples; s++) {
            (*rate)[filled] = log((double)rows[i].flops / rows[i].samples_ns[s]);
            (*at_s)[filled++] = rows[i].sample_at_s[s];
        }
    return filled > 0;
}

/* Sorts the logarithms. NAN where there is nothing to spread. */
static double spread_of(double *rate, size_t count)
{
    qsort(rate, count, sizeof *rate, stats_ascending);
    const size_t low = count / 20;
    return count > 1 ? exp(rate[count - 1 - low] - rate[low]) - 1 : NAN;
}

static bool measure(const result_row *rows, size_t count, drift *d)
{
    double *rate, *at_s;
    const bool collected = collect(rows, count, d, &rate, &at_s);
    if (collected) {
        double first = INFINITY, last = -INFINITY;
        for (size_t i = 0; i < d->samples; i++) {
            first = fmin(first, at_s[i]);
            last = fmax(last, at_s[i]);
        }
        d->span_s = last - first;
        const stats_slope trend = stats_trend(rate, at_s, d->samples);
        d->change = exp(trend.value * d->span_s) - 1;
        d->change_low = exp(trend.low * d->span_s) - 1;
        d->change_high = exp(trend.high * d->span_s) - 1;
        d->spread = spread_of(rate, d->samples);
    }
    free(rate);
    free(at_s);
    return collected;
}

/* A roof that judges no row is sampled for a moment only, and says nothing about the run. */
static size_t drop_short(drift *list, size_t count)
{
    double longest = 0;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        longest = fmax(longest, list[i].span_s);
    for (size_t i = 0; i < count; i++)
        if (list[i].span_s >= longest / 2)
            list[kept++] = list[i];
    return kept;
}

size_t drift_find(const result_row *rows, size_t count, drift **list)
{
    size_t found = 0;
    *list = calloc(count + 1, sizeof **list);
    for (size_t i = 0; *list != NULL && i < count; i++) {
        drift *d = &(*list)[found];
        d->reference = &rows[i];
        if (first_of_reference(rows, i) && measure(rows, count, d))
            found++;
    }
    return drop_short(*list, found);
}

bool drift_throttled(const drift *d)
{
    return d->change < DRIFT_THROTTLED && d->change_high < DRIFT_THROTTLED / 2;
}

void drift_print(FILE *out, const drift *list, size_t count)
{
    char place[96];
    for (size_t i = 0; i < count; i++) {
        const drift *d = &list[i];
        fprintf(out, "%sDrift of %s on %s", i == 0 ? "\n" : "", d->reference->kernel,
                table_place(d->reference, place, sizeof place));
        if (isfinite(d->change_low))
            fprintf(out, ": %+.1f %% [%+.1f, %+.1f] in %.0f s", 100 * d->change,
                    100 * d->change_low, 100 * d->change_high, d->span_s);
        else
            fprintf(out, ": unknown");
        if (isfinite(d->spread))
            fprintf(out, "; 90 %% of %zu samples within %.1f %%", d->samples, 100 * d->spread);
        fprintf(out, "%s\n", drift_throttled(d) ? "; it became slower" : "");
    }
}

json_t *drift_json(const drift *list, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const drift *d = &list[i];
        json_t *o = json_object();
        json_object_set_new(o, "reference", json_value_text(d->reference->kernel));
        json_object_set_new(o, "device", json_value_text(d->reference->device));
        json_object_set_new(o, "threads",
                            d->reference->threads ? json_integer(d->reference->threads)
                                                  : json_null());
        json_object_set_new(o, "samples", json_value_count(d->samples));
        json_object_set_new(o, "span_s", json_value_number(d->span_s));
        json_object_set_new(o, "change", json_value_number(d->change));
        json_object_set_new(o, "change_low", json_value_number(d->change_low));
        json_object_set_new(o, "change_high", json_value_number(d->change_high));
        json_object_set_new(o, "spread", json_value_number(d->spread));
        json_array_append_new(array, o);
    }
    return array;
}
