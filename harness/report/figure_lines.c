/* SPDX-License-Identifier: Apache-2.0
 *
 * Time, rate and bandwidth against the length that sweeps.
 */
#include <math.h>
#include <string.h>

#include "harness/report/figure_parts.h"
#include "harness/report/output.h"
#include "harness/table.h"

enum { COLUMN_TIME = 2, COLUMN_RATE = 5, COLUMN_BYTES = 8 };

/* A curve's points are timed rows, whose samples they borrow. */
static const result_row *row_of(const run_file *run, const fit_point *p)
{
    for (size_t i = 0; i < run->count && p->samples != NULL && isfinite(p->t); i++)
        if (run->rows[i].samples_ns == p->samples)
            return &run->rows[i];
    return NULL;
}

/* The rate of so much work and its interval: a longer time is a lower rate. */
static void put_rate(FILE *out, const result_row *row, uint64_t work)
{
    const double amount = work > 0 ? (double)work : NAN;
    const double values[] = {amount / row->median_ns, amount / row->ci_high_ns,
                             amount / row->ci_low_ns};
    for (int i = 0; i < 3; i++) {
        fputc('\t', out);
        figure_number(out, values[i]);
    }
}

static void put_point(FILE *out, double length, const result_row *row)
{
    const double times[] = {row->median_ns, row->ci_low_ns, row->ci_high_ns};
    fprintf(out, "%.0f", length);
    for (int i = 0; i < 3; i++) {
        fputc('\t', out);
        figure_number(out, times[i]);
    }
    put_rate(out, row, row->flops);
    put_rate(out, row, row->bytes);
    fputc('\n', out);
}

static void put_curve(FILE *out, const figure *f, const figure_curve *c)
{
    char label[FIGURE_LABEL];
    fprintf(out, "# %s%s\n", figure_label(f->from, c->run, c->series->first, label),
            c->style ? "" : " (not drawn)");
    for (size_t i = 0; i < c->series->count; i++) {
        const fit_point *p = &c->series->points[i];
        const result_row *row = row_of(&f->from->report->runs[c->run], p);
        if (row != NULL)
            put_point(out, p->n, row);
    }
    fputs("\n\n", out);
}

attn_status figure_lines_data(FILE *out, const void *context, attn_reason *why)
{
    const figure *f = context;
    (void)why;
    figure_data_head(out, f);
    fputs("# length\ttime_ns\tlow\thigh\tgflop_per_s\tlow\thigh\tgb_per_s\tlow\thigh\n", out);
    for (size_t i = 0; i < f->from->curve_count; i++)
        if (f->from->curves[i].group == f->index)
            put_curve(out, f, &f->from->curves[i]);
    return ATTN_OK;
}

/* Every length that was timed, as a tic: they are few, and no powers of ten. */
static void put_tics(FILE *out, const figure *f)
{
    double last = 0;
    fputs("set xtics (", out);
    for (;;) {
        double next = INFINITY;
        for (size_t i = 0; i < f->from->curve_count; i++) {
            const figure_curve *c = &f->from->curves[i];
            for (size_t p = 0; c->group == f->index && p < c->series->count; p++)
                if (c->series->points[p].n > last)
                    next = fmin(next, c->series->points[p].n);
        }
        if (!isfinite(next))
            break;
        /* Lengths closer than this would be one word. */
        if (last == 0 || next >= 1.4 * last)
            fprintf(out, "%s'%.0f' %.0f", last > 0 ? ", " : "", next, next);
        last = next;
    }
    fputs(")\n", out);
}

static char length_of(const figure *f)
{
    for (size_t i = 0; i < f->from->curve_count; i++)
        if (f->from->curves[i].group == f->index)
            return series_length(f->from->curves[i].series);
    return 'n';
}

/* GFLOP/s. */
static double highest_rate(const figure *f)
{
    double highest = 0;
    for (size_t i = 0; i < f->from->curve_count; i++) {
        const figure_curve *c = &f->from->curves[i];
        for (size_t p = 0; c->group == f->index && c->style > 0 && p < c->series->count; p++) {
            const result_row *row = row_of(&f->from->report->runs[c->run], &c->series->points[p]);
            if (row != NULL)
                highest = fmax(highest, (double)row->flops / row->median_ns);
        }
    }
    return highest;
}

static void put_axes(FILE *out, const figure *f)
{
    fprintf(out, "set logscale x 2\nset xlabel '%s'\n",
            length_of(f) == 'm' ? "number of keys m" : "sequence length n");
    /* Rates begin at 0. */
    fprintf(out, "set autoscale fix\nset offsets graph 0.03, graph 0.03, graph 0.04, graph %s\n",
            f->kind == FIGURE_TIME ? "0.04" : "0");
    put_tics(out, f);
    if (f->kind == FIGURE_TIME)
        fputs("set logscale y 10\nset format y '%.0s %cs'\nset ylabel 'time of one run'\n", out);
    else if (f->kind == FIGURE_BANDWIDTH)
        fputs("set yrange [0:*]\nset ylabel 'GB/s'\n", out);
    else /* the interval of one noisy point would flatten all else: it may leave the figure */
        fprintf(out, "set yrange [0:*<%.9g]\nset ylabel 'GFLOP/s'\n", 1.25 * highest_rate(f));
}

/* The shortest and the longest length that were timed: a fit says nothing beyond. */
static void timed_range(const series *s, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < s->count; i++)
        if (isfinite(s->points[i].t)) {
            *low = fmin(*low, s->points[i].n);
            *high = fmax(*high, s->points[i].n);
        }
}

/* The fit where there is one, else the points joined. */
static void put_line(FILE *out, const figure *f, const figure_curve *c, size_t block)
{
    const fit_result *fit = &c->series->fit;
    double low, high;
    timed_range(c->series, &low, &high);
    if (f->kind == FIGURE_TIME && isfinite(fit->a))
        fprintf(out,
                "  [%.9g:%.9g] (%.9g + %.9g*x + %.9g*x**2)*1e-9 with lines lt %u notitle, \\\n",
                low, high, fit->a, fit->b, fit->c, c->style);
    else
        fprintf(out, "  data index %zu using 1:(column(col)*unit) with lines lt %u notitle, \\\n",
                block, c->style);
}

static void put_drawn(FILE *out, const figure *f, const figure_curve *c, size_t block)
{
    char label[FIGURE_LABEL];
    put_line(out, f, c, block);
    fprintf(out,
            "  data index %zu using 1:(column(col)*unit):(column(col+1)*unit):(column(col+2)*unit) "
            "with yerrorbars lt %u dt 1 lw 1 pt -1 notitle, \\\n"
            "  data index %zu using 1:(column(col)*unit) with points lt %u notitle, \\\n"
            "  NaN with linespoints lt %u title ",
            block, c->style, block, c->style, c->style);
    figure_quoted(out, figure_label(f->from, c->run, c->series->first, label));
    fputs(", \\\n", out);
}

/* The bandwidth that binds at the longest length, in GB/s, once for each device of a run; NAN. */
static double roof_of(const figure *f, const figure_curve *c)
{
    const run_file *run = &f->from->report->runs[c->run];
    const series *s = c->series;
    const result_row *row = NULL;
    for (size_t i = 0; i < f->from->curve_count; i++) {
        const figure_curve *other = &f->from->curves[i];
        if (other->group == c->group && other->style > 0 && other->style < c->style &&
            other->run == c->run && strcmp(other->series->first->device, s->first->device) == 0)
            return NAN;
    }
    for (size_t i = s->count; i > 0 && row == NULL; i--)
        row = row_of(run, &s->points[i - 1]);
    return row != NULL ? row->roof_gb_per_s : NAN;
}

static void put_roof(FILE *out, const figure *f, const figure_curve *c)
{
    char place[96], which[32] = "", label[FIGURE_LABEL];
    const double rate = roof_of(f, c);
    if (!isfinite(rate))
        return;
    if (f->from->report->count > 1)
        snprintf(which, sizeof which, " [%zu]", c->run + 1);
    snprintf(label, sizeof label, "reading memory, %s%s",
             table_place(c->series->first, place, sizeof place), which);
    fprintf(out, "  %.9g with lines lt %u dt 2 lw 0.8 title ", rate, c->style);
    figure_quoted(out, label);
    fputs(", \\\n", out);
}

size_t figure_lines_legend(const figure *f)
{
    size_t lines = 0;
    for (size_t i = 0; i < f->from->curve_count; i++) {
        const figure_curve *c = &f->from->curves[i];
        if (c->group == f->index && c->style > 0)
            lines += 1 + (f->kind == FIGURE_BANDWIDTH && isfinite(roof_of(f, c)));
    }
    return lines;
}

/* The curve of this style and its place in the data; NULL where none has it. */
static const figure_curve *find_style(const figure *f, unsigned style, size_t *block)
{
    *block = 0;
    for (size_t i = 0; i < f->from->curve_count; i++) {
        const figure_curve *c = &f->from->curves[i];
        if (c->group == f->index && c->style == style)
            return c;
        *block += c->group == f->index;
    }
    return NULL;
}

void figure_lines_script(FILE *out, const figure *f)
{
    const int column = f->kind == FIGURE_TIME   ? COLUMN_TIME
                       : f->kind == FIGURE_RATE ? COLUMN_RATE
                                                : COLUMN_BYTES;
    put_axes(out, f);
    fprintf(out, "data = '%s.tsv'\ncol = %d\nunit = %s\nplot NaN notitle, \\\n", f->about.name,
            column, f->kind == FIGURE_TIME ? "1e-9" : "1");
    for (unsigned style = 1; style <= FIGURE_STYLES; style++) {
        size_t block;
        const figure_curve *c = find_style(f, style, &block);
        if (c == NULL)
            continue;
        put_drawn(out, f, c, block);
        if (f->kind == FIGURE_BANDWIDTH)
            put_roof(out, f, c);
    }
    figure_legend_runs(out, f);
    fputs("  NaN notitle\n", out);
}
