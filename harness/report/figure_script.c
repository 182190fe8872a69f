/* SPDX-License-Identifier: Apache-2.0
 *
 * What all scripts share: quoting, styles, the two outputs.
 */
#include <math.h>

#include "harness/report/figure_parts.h"
#include "harness/report/output.h"

/* In single quotes gnuplot expands nothing; a quote is doubled. */
void figure_quoted(FILE *out, const char *text)
{
    char clean[FIGURE_LABEL * 2];
    fputc('\'', out);
    for (const char *c = report_clean(text, FIGURE_LABEL, clean, sizeof clean); *c != '\0'; c++)
        fprintf(out, *c == '\'' ? "''" : "%c", *c);
    fputc('\'', out);
}

void figure_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.9g", value);
    else
        fputc('-', out);
}

/* Returns label. */
static const char *run_label(const figure *f, size_t run, char label[FIGURE_LABEL])
{
    char name[256];
    report_clean(report_run_short(f->from->report, run), 42, name, sizeof name);
    snprintf(label, FIGURE_LABEL, "[%zu] %s", run + 1, name);
    return label;
}

void figure_data_head(FILE *out, const figure *f)
{
    char label[FIGURE_LABEL];
    fprintf(out, "# %s\n", f->about.caption);
    for (size_t r = 0; f->from->report->count > 1 && r < f->from->report->count; r++)
        fprintf(out, "# %s\n", run_label(f, r, label));
}

void figure_legend_runs(FILE *out, const figure *f)
{
    char label[FIGURE_LABEL];
    for (size_t r = 0; f->from->report->count > 1 && r < f->from->report->count; r++) {
        fputs("  NaN with lines lc rgb '#ffffff' title ", out);
        figure_quoted(out, run_label(f, r, label));
        fputs(", \\\n", out);
    }
}

/* Okabe and Ito's palette, without its yellow, which white paper swallows. Dashes and marks tell
 * lines apart without colours, too. */
static void put_styles(FILE *out)
{
    static const struct {
        const char *colour;
        int dash, mark;
    } styles[FIGURE_STYLES] = {
        {"#0072b2", 1, 7},  {"#d55e00", 2, 5}, {"#009e73", 4, 9}, {"#000000", 5, 13},
        {"#cc79a7", 3, 11}, {"#e69f00", 1, 4}, {"#56b4e9", 2, 6}, {"#666666", 4, 8},
    };
    for (int i = 0; i < FIGURE_STYLES; i++)
        fprintf(out, "set linetype %d lc rgb '%s' dt %d pt %d lw 1.5 ps 0.6\n", i + 1,
                styles[i].colour, styles[i].dash, styles[i].mark);
}

static void put_head(FILE *out, const figure *f)
{
    fprintf(out, "# SPDX-License-Identifier: Apache-2.0\n# %s\n", f->about.caption);
    fprintf(out, "# gnuplot -d %s.gp makes %s.svg and %s.pdf.\n", f->about.name, f->about.name,
            f->about.name);
    fprintf(out, "if (!exists('stem')) stem = '%s'\n", f->about.name);
    fputs("set encoding utf8\n"
          "set datafile separator \"\\t\"\n"
          "set datafile missing '-'\n"
          "set datafile commentschars '#'\n"
          "set border 3 lw 0.8\n"
          "set tics nomirror out scale 0.6\n"
          "set xtics offset 0,0.3\nset xlabel offset 0,0.9\n"
          "set grid lw 0.5 lc rgb '#dddddd' dt 1\n"
          "set key noenhanced outside bottom center horizontal Left reverse height 0.7 "
          "maxcols 1 samplen 2.5 spacing 1.05\n",
          out);
    put_styles(out);
}

/* How many lines the legend has, and the bars. */
static size_t lines_of(const figure *f)
{
    enum { LOOKS = 3 }; /* of bars */
    const size_t runs = f->from->report->count;
    figure_bar bars[FIGURE_BARS];
    if (f->kind == FIGURE_SHARE)
        return figure_bars(f, bars) + LOOKS + (runs > 1 ? runs : 0);
    if (f->kind == FIGURE_ROOFLINE)
        return figure_roofline_legend(f);
    return figure_lines_legend(f) + (runs > 1 ? runs : 0);
}

/* A column is 3.4 inches wide; a line of the legend, or a bar, takes as much as its letters. */
static void put_outputs(FILE *out, const figure *f)
{
    const double plot = f->kind == FIGURE_SHARE ? 0.4 : 2.1;
    const double height = plot + 0.13 * (double)lines_of(f);
    fprintf(out,
            "set terminal svg size 640,%.0f font 'Helvetica,14' linewidth 1.4 noenhanced "
            "background rgb '#ffffff'\n"
            "set output stem . '.svg'\nreplot\nset output\n",
            640 / 3.4 * height);
    fprintf(out,
            "set terminal pdfcairo size 3.4in,%.2fin font 'Helvetica,7' fontscale 0.72 "
            "linewidth 0.8 noenhanced\n"
            "set output stem . '.pdf'\nreplot\nset output\n",
            height);
}

attn_status figure_script(FILE *out, const void *context, attn_reason *why)
{
    const figure *f = context;
    (void)why;
    put_head(out, f);
    fputs("set terminal unknown\n", out);
    if (f->kind == FIGURE_SHARE)
        figure_share_script(out, f);
    else if (f->kind == FIGURE_ROOFLINE)
        figure_roofline_script(out, f);
    else
        figure_lines_script(out, f);
    put_outputs(out, f);
    return ATTN_OK;
}
