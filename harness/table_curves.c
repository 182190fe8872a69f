/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attn/text.h"
#include "harness/caption.h"
#include "harness/columns.h"
#include "harness/format.h"

/* "1.98 [1.97, 2.00]" */
static void slope_cell(const fit_slope *slope, char *text, size_t size)
{
    if (!isfinite(slope->value))
        snprintf(text, size, "-");
    else if (!isfinite(slope->low))
        snprintf(text, size, "%.2f", slope->value);
    else
        snprintf(text, size, "%.2f [%.2f, %.2f]", slope->value, slope->low, slope->high);
}

/* "224 [210, 239]" */
static void half_cell(const fit_result *f, char *text, size_t size)
{
    if (!isfinite(f->half_rate))
        snprintf(text, size, "-");
    else if (!isfinite(f->half_rate_interval.low))
        snprintf(text, size, "%.0f", f->half_rate);
    else
        snprintf(text, size, "%.0f [%.0f, %.0f]", f->half_rate, f->half_rate_interval.low,
                 f->half_rate_interval.high);
}

/* "1.71 1.93 1.99": log2(t(2n) / t(n)) along the grid. */
static void exponents_cell(const series *s, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < s->count && strlen(text) + 16 < size; i++) {
        double e = fit_local_exponent(s->points, s->count, i);
        if (isfinite(e))
            attn_text_add(text, size, "%s%.2f", text[0] ? " " : "", e);
    }
    if (text[0] == '\0')
        snprintf(text, size, "-");
}

static bool add_curve(columns *c, const series *s, const caption *names)
{
    char own[ATTN_WORKLOAD_TEXT], kernel[128], threads[16], slope[64], flops[32], exponents[160],
        half[96], verdict[SERIES_VERDICT];
    const fit_result *f = &s->fit;
    snprintf(kernel, sizeof kernel, "%s%s", s->first->kernel,
             s->first->software ? " (software)" : "");
    snprintf(threads, sizeof threads, s->first->threads ? "%u" : "-", s->first->threads);
    slope_cell(&f->all, slope, sizeof slope);
    snprintf(flops, sizeof flops, isfinite(f->all.flops) ? "%.2f" : "-", f->all.flops);
    exponents_cell(s, exponents, sizeof exponents);
    half_cell(f, half, sizeof half);
    format_text a = format_ns(f->a), b = format_ns(f->b), quadratic = format_ns(f->c);
    const char *cells[] = {caption_curve(names, s, own),
                           kernel,
                           s->first->device,
                           threads,
                           a.text,
                           b.text,
                           quadratic.text,
                           slope,
                           flops,
                           exponents,
                           half,
                           series_verdict(s, verdict)};
    return columns_add(c, cells, COLUMNS_PLAIN);
}

/* The curves over one length. */
static void print_curves(FILE *out, const series *list, size_t count, char length, bool markdown)
{
    const char *const titles[] = {"workload",
                                  "kernel",
                                  "device",
                                  "thr",
                                  "a",
                                  "b",
                                  "c",
                                  "slope",
                                  "FLOPs",
                                  "local exponents",
                                  length == 'm' ? "m_1/2" : "n_1/2",
                                  "verdict"};
    columns *c = columns_new(titles, "lllrrrrlrlll");
    const caption names = caption_of_curves(list, count, length);
    bool any = false, filled = c != NULL;
    for (size_t i = 0; i < count && filled; i++)
        if (series_length(&list[i]) == length && list[i].fit.distinct > 0) {
            filled = add_curve(c, &list[i], &names);
            any = true;
        }
    if (any && filled) {
        fprintf(out,
                "\nFit t = a + b %c + c %c^2, and d log t / d log %c with its 95 %% interval beside"
                " that of the exact FLOPs\n",
                length, length, length);
        if (markdown) {
            fputc('\n', out);
            columns_print_markdown(c, out);
        } else {
            columns_print(c, out, false);
        }
    }
    columns_free(c);
}

void table_curves(FILE *out, const series *list, size_t count)
{
    print_curves(out, list, count, 'n', false);
    print_curves(out, list, count, 'm', false);
}

void table_curves_markdown(FILE *out, const series *list, size_t count)
{
    print_curves(out, list, count, 'n', true);
    print_curves(out, list, count, 'm', true);
}
