/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures for papers: for each a script of gnuplot (NAME.gp), its data (NAME.tsv) and, where
 * gnuplot is installed, NAME.svg and NAME.pdf, the size of a column.
 *
 *   time       time of a run against the length that sweeps, with intervals and fitted curves
 *   rate       its GFLOP/s
 *   bandwidth  of decode (one query row, the number of keys sweeps): GB/s of least traffic
 *   share      of the roof that binds, of each kernel on one workload
 *   roofline   GFLOP/s against FLOPs per byte, below the roofs of the run
 *
 * Names repeat with -2, -3, ... where there is more than one of a kind: of workloads that differ in
 * more than a length, of runs. The data hold every row of a figure, the script draws a few of them:
 * per run and device, with the most threads, the fastest kernel of each kind.
 */
#ifndef HARNESS_REPORT_FIGURES_H
#define HARNESS_REPORT_FIGURES_H

#include "harness/report/report.h"

typedef struct report_figure {
    char name[32];
    char caption[1400]; /* what is in it, as a sentence without its dot */
} report_figure;

/* The figures that this report has something for, without drawing them. Returns their number;
 * *list is free()d by the caller, NULL when out of memory. */
size_t report_figures_list(const report *r, report_figure **list);

/* Writes them to the directory, which is made if it is missing. *drawn: were SVGs and PDFs made, or
 * is there no gnuplot? Then earlier ones of the same names are removed, since they show other data.
 * Each file is there whole or not at all. Fails, with one line, when a file cannot be written, when
 * the runs have nothing to draw, or when gnuplot fails. */
attn_status report_figures(const char *directory, const report *r, bool *drawn, attn_reason *why);

#endif
