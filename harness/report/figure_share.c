/* SPDX-License-Identifier: Apache-2.0
 *
 * Bars: how much of what the machine can do each kernel gets out of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/text.h"
#include "harness/report/best.h"
#include "harness/report/figure_parts.h"
#include "harness/report/output.h"

/* What colours a bar. */
enum { EXACT, BOUNDED, LIBRARY, LOOKS };

static double percent_of(const result_row *row)
{
    return 100 * (row->bound == ATTN_ROOF_READ ? row->bandwidth_share : row->roof_share);
}

static bool has_bar(const figure *f, size_t run, const result_row *row)
{
    return report_counts(row) && isfinite(percent_of(row)) && figure_in_family(f, row) &&
           figure_most_threads(f->from, run, row);
}

static size_t count_bars(const figure *f, const attn_workload *w)
{
    size_t count = 0;
    for (size_t r = 0; r < f->from->report->count; r++)
        for (size_t i = 0; i < f->from->report->runs[r].count; i++) {
            const result_row *row = &f->from->report->runs[r].rows[i];
            count += attn_workload_same(row->workload, w) && has_bar(f, r, row);
        }
    return count;
}

static double size_of(const attn_workload *w)
{
    return (double)w->n * w->m;
}

/* The longest that at least half as many kernels did as did the one that most of them did. */
static const attn_workload *choose(const figure *f)
{
    const attn_workload *best = NULL;
    size_t most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < f->from->report->count; r++)
            for (size_t i = 0; i < f->from->report->runs[r].count; i++) {
                const result_row *row = &f->from->report->runs[r].rows[i];
                if (!has_bar(f, r, row))
                    continue;
                const size_t count = count_bars(f, row->workload);
                if (pass == 0)
                    most = count > most ? count : most;
                else if (2 * count >= most &&
                         (best == NULL || size_of(row->workload) > size_of(best)))
                    best = row->workload;
            }
    return best;
}

/* Puts it among the bars, the largest first; the smallest falls off where there is no room. */
static size_t insert(figure_bar bars[FIGURE_BARS], size_t count, figure_bar new)
{
    size_t place = count;
    while (place > 0 && bars[place - 1].share < new.share)
        place--;
    if (place == FIGURE_BARS)
        return count;
    const size_t kept = count < FIGURE_BARS ? count : FIGURE_BARS - 1;
    memmove(&bars[place + 1], &bars[place], (kept - place) * sizeof *bars);
    bars[place] = new;
    return kept + 1;
}

size_t figure_bars(const figure *f, figure_bar bars[FIGURE_BARS])
{
    const attn_workload *w = choose(f);
    size_t count = 0;
    for (size_t r = 0; w != NULL && r < f->from->report->count; r++)
        for (size_t i = 0; i < f->from->report->runs[r].count; i++) {
            const result_row *row = &f->from->report->runs[r].rows[i];
            if (attn_workload_same(row->workload, w) && has_bar(f, r, row))
                count = insert(bars, count, (figure_bar){r, row, percent_of(row)});
        }
    return count;
}

/* Where the interval of a share ends. */
static double end_of(const figure_bar *bar)
{
    return isfinite(bar->row->ci_low_ns) ? bar->share * bar->row->median_ns / bar->row->ci_low_ns
                                         : bar->share;
}

/* Intervals are drawn as far as this: one of a noisy run would leave no room for bars. The first
 * bar is the largest. */
static double reach_of(const figure_bar *bars)
{
    return 1.25 * fmax(100, bars[0].share);
}

static int look_of(const figure *f, const result_row *row)
{
    if (row->tier == ATTN_TIER_EXACT)
        return EXACT;
    return figure_class_of(f->from, row) == FIGURE_LIBRARY ? LIBRARY : BOUNDED;
}

attn_status figure_share_data(FILE *out, const void *context, attn_reason *why)
{
    const figure *f = context;
    figure_bar bars[FIGURE_BARS];
    char label[FIGURE_LABEL];
    const size_t count = figure_bars(f, bars);
    (void)why;
    figure_data_head(out, f);
    fputs("# place\tshare_percent\tlow\thigh\tlook\tvs_library\tlow\thigh\tgflop_per_s\tkernel\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const result_row *row = bars[i].row;
        const double time = bars[i].share * row->median_ns; /* the roof is taken as certain */
        const double values[] = {
            bars[i].share,      time / row->ci_high_ns, time / row->ci_low_ns,   look_of(f, row),
            row->library_ratio, row->library_ratio_low, row->library_ratio_high, row->gflops};
        fprintf(out, "%zu", i);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            fputc('\t', out);
            figure_number(out, values[v]);
        }
        fprintf(out, "\t%s\n", figure_label(f->from, bars[i].run, row, label));
    }
    return ATTN_OK;
}

/* "avx2_free, cpu"; of several runs, "avx2_free, cpu [2]": a bar has no room for more. */
static void put_label(FILE *out, const figure *f, const figure_bar *bar)
{
    char kernel[128], device[64], label[FIGURE_LABEL];
    report_clean(bar->row->kernel, 30, kernel, sizeof kernel);
    report_clean(bar->row->device, 12, device, sizeof device);
    snprintf(label, sizeof label, "%s, %s", kernel, device);
    if (f->from->report->count > 1)
        attn_text_add(label, sizeof label, " [%zu]", bar->run + 1);
    figure_quoted(out, label);
}

/* "67.0 %, 1.06x" beside each bar; an arrow where the interval goes on. */
static void put_notes(FILE *out, const figure_bar *bars, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const result_row *row = bars[i].row;
        const double end = end_of(&bars[i]), reach = reach_of(bars);
        fprintf(out, "set label %zu '%s %.1f %%", i + 1, end > reach ? "\u2192" : " ",
                bars[i].share);
        if (isfinite(row->library_ratio))
            fprintf(out, ", %.2fx", row->library_ratio);
        fprintf(out, "' at %.9g,%zu left noenhanced\n", fmin(end, reach), i);
    }
}

void figure_share_script(FILE *out, const figure *f)
{
    static const char *const looks[LOOKS][2] = {
        {"exact: equal bits", "#0072b2"}, {"bounded error", "#e69f00"}, {"library", "#999999"}};
    figure_bar bars[FIGURE_BARS];
    bool used[LOOKS] = {false};
    double longest = 0;
    const size_t count = figure_bars(f, bars);
    fputs("unset grid\nset grid x lw 0.5 lc rgb '#dddddd' dt 1\nset ytics (", out);
    for (size_t i = 0; i < count; i++) {
        const result_row *row = bars[i].row;
        fputs(i ? ", " : "", out);
        put_label(out, f, &bars[i]);
        fprintf(out, " %zu", i);
        used[look_of(f, row)] = true;
        longest = fmax(longest, fmin(end_of(&bars[i]), reach_of(bars)));
    }
    longest = fmax(100, longest);
    fprintf(out,
            ") noenhanced scale 0\nset yrange [%zu.5:-0.5]\nset xrange [0:%.9g]\n"
            "set xtics 0,%.0f,%.0f format '%%.0f'\nset xlabel '%% of the roof that binds'\n"
            "set key maxcols %d samplen 1\n",
            count - 1, longest * (longest > 100 ? 1.6 : 1.45), 25 * ceil(longest / 125), longest,
            f->from->report->count > 1 ? 1 : 3);
    put_notes(out, bars, count);
    fprintf(out, "plot \\\n");
    for (int look = 0; look < LOOKS; look++)
        if (used[look])
            fprintf(out,
                    "  '%s.tsv' using ($5==%d?0:NaN):1:(0):2:($1-0.36):($1+0.36) "
                    "with boxxyerror fs solid 1 noborder lc rgb '%s' title '%s', \\\n",
                    f->about.name, look, looks[look][1], looks[look][0]);
    figure_legend_runs(out, f);
    fprintf(out,
            "  '%s.tsv' using 2:1:3:($4 > %.9g ? %.9g : $4) "
            "with xerrorbars lc rgb '#000000' dt 1 lw 0.8 pt -1 notitle\n",
            f->about.name, longest, longest);
}
