/* SPDX-License-Identifier: Apache-2.0
 *
 * What the figures are made of; figures.h is what others use.
 */
#ifndef HARNESS_REPORT_FIGURE_PARTS_H
#define HARNESS_REPORT_FIGURE_PARTS_H

#include "harness/report/figures.h"
#include "harness/series.h"

#define FIGURE_STYLES 8  /* lines that can be told apart */
#define FIGURE_BARS   24 /* of one figure */
#define FIGURE_LABEL  320

typedef enum {
    FIGURE_TIME,
    FIGURE_RATE,
    FIGURE_BANDWIDTH,
    FIGURE_SHARE,
    FIGURE_ROOFLINE,
    FIGURE_KINDS
} figure_kind;

/* Kernels that tell different stories, in the order of what is drawn first. */
typedef enum {
    FIGURE_EXACT_F,
    FIGURE_EXACT_M,
    FIGURE_EXACT_X,
    FIGURE_LIBRARY,
    FIGURE_BOUNDED,
    FIGURE_SCALAR,
    FIGURE_CLASSES
} figure_class;

typedef struct figure_curve {
    size_t run;
    const series *series;
    size_t group;   /* of curves that belong in one figure */
    unsigned style; /* 1 to FIGURE_STYLES; 0: it is in the data, but not drawn */
} figure_curve;

typedef struct figure_runs {
    const report *report;
    series **lists; /* of each run */
    size_t *lengths;
    unsigned **most;      /* of each run and row: the most threads on its device */
    figure_curve *curves; /* with two timed points or more */
    size_t curve_count, groups;
} figure_runs;

/* false when out of memory; close it whatever happens. */
bool figure_runs_open(figure_runs *f, const report *r);
void figure_runs_close(figure_runs *f);

figure_class figure_class_of(const figure_runs *f, const result_row *row);

/* Is this row of the run one with the most threads that counted on its device? */
bool figure_most_threads(const figure_runs *f, size_t run, const result_row *row);
/* "avx2_f_24x4, cpu, 2 threads"; of the second of several runs, "... [2]": a column has no room for
 * more. Returns text. */
const char *figure_label(const figure_runs *f, size_t run, const result_row *row,
                         char text[FIGURE_LABEL]);

/* One figure to be written. */
typedef struct figure {
    const figure_runs *from;
    figure_kind kind;
    size_t index; /* a group of curves, or a row of the run */
    size_t run;
    report_figure about; /* name and caption */
} figure;

/* All figures of these runs; NULL when out of memory. free() them. */
figure *figure_plan(const figure_runs *from, size_t *count);

/* Is the row's workload one of the share's, but for its lengths? */
bool figure_in_family(const figure *f, const result_row *row);
/* Has the run a roofline? */
bool figure_has_roofs(const figure *f);

/* Report_writers of a figure: its data and, between the two parts below, its script. */
attn_status figure_lines_data(FILE *out, const void *figure, attn_reason *why);
void figure_lines_script(FILE *out, const figure *f);
size_t figure_lines_legend(const figure *f); /* its lines */
/* Of the share: rows of runs on one workload, in the order of their shares. */
typedef struct figure_bar {
    size_t run;
    const result_row *row;
    double share; /* percent */
} figure_bar;
size_t figure_bars(const figure *f, figure_bar bars[FIGURE_BARS]);
attn_status figure_share_data(FILE *out, const void *figure, attn_reason *why);
void figure_share_script(FILE *out, const figure *f);
attn_status figure_roofline_data(FILE *out, const void *figure, attn_reason *why);
void figure_roofline_script(FILE *out, const figure *f);
size_t figure_roofline_legend(const figure *f); /* its lines */

/* figure_script.c. A text that gnuplot takes for nothing else, in quotes. */
void figure_quoted(FILE *out, const char *text);
/* A number, or "-". */
void figure_number(FILE *out, double value);
/* "[2] clang 14.0.6", where there are several runs: as comments of the data, which first say
 * what is in them, and as last lines of a legend. */
void figure_data_head(FILE *out, const figure *f);
void figure_legend_runs(FILE *out, const figure *f);
/* A whole script, a report_writer. */
attn_status figure_script(FILE *out, const void *figure, attn_reason *why);

#endif
