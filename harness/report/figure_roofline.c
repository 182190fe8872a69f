/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofline of a run (Williams, Waterman and Patterson 2009): per device, with the most threads.
 */
#include <math.h>
#include <string.h>

#include "attn/text.h"
#include "harness/report/best.h"
#include "harness/report/figure_parts.h"
#include "harness/report/output.h"
#include "harness/table.h"

#define DEVICES 4 /* that are drawn */
#define PEAKS   6 /* of a device */

typedef struct peak {
    char roof[64];
    double gflops;
} peak;

/* One device of the run. */
typedef struct device {
    const result_row *first;    /* its first point */
    double levels[ATTN_LEVELS]; /* GB/s of reading, by level; NAN */
    peak peaks[PEAKS];          /* of multiply-accumulates, the highest first */
    size_t peak_count;
    size_t points[2]; /* of exact and of bounded kernels */
} device;

static const run_file *run_of(const figure *f)
{
    return &f->from->report->runs[f->run];
}

static bool has_point(const figure *f, const result_row *row)
{
    return report_counts(row) && isfinite(result_row_intensity(row)) && isfinite(row->gflops) &&
           figure_most_threads(f->from, f->run, row);
}

static void add_peak(device *d, const char *roof, double gflops)
{
    size_t place = d->peak_count < PEAKS ? d->peak_count++ : PEAKS - 1;
    for (; place > 0 && d->peaks[place - 1].gflops < gflops; place--)
        d->peaks[place] = d->peaks[place - 1];
    d->peaks[place].gflops = gflops;
    report_clean(roof, 30, d->peaks[place].roof, sizeof d->peaks[place].roof);
}

static void add_level(device *d, const char *level, double rate)
{
    for (unsigned l = ATTN_LEVEL_L1; l < ATTN_LEVELS; l++)
        if (strcmp(level, attn_level_name(l)) == 0)
            d->levels[l] = rate;
}

/* The report has one roof for each kernel, device and number of threads. */
static void take_roofs(const figure *f, device *d)
{
    size_t i;
    json_t *roof;
    json_t *run = json_array_get(json_object_get(f->from->report->data, "runs"), f->run);
    for (int level = 0; level < ATTN_LEVELS; level++)
        d->levels[level] = NAN;
    json_array_foreach(json_object_get(run, "roofs"), i, roof)
    {
        const char *selector = json_string_value(json_object_get(roof, "device"));
        const char *kernel = json_string_value(json_object_get(roof, "kernel"));
        const char *bound = json_string_value(json_object_get(roof, "bound"));
        const char *level = json_string_value(json_object_get(roof, "level"));
        const json_t *gflops = json_object_get(roof, "gflops");
        const json_t *bytes = json_object_get(roof, "gb_per_s");
        if (selector == NULL || bound == NULL || strcmp(selector, d->first->device) != 0 ||
            json_integer_value(json_object_get(roof, "threads")) != d->first->threads)
            continue;
        if (json_is_number(gflops) && kernel != NULL)
            add_peak(d, kernel, json_number_value(gflops));
        if (json_is_number(bytes) && level != NULL && strcmp(bound, "read") == 0)
            add_level(d, level, json_number_value(bytes));
    }
}

/* Those with points and a peak, in the order of the run. */
static size_t find_devices(const figure *f, device devices[DEVICES])
{
    const run_file *run = run_of(f);
    size_t count = 0;
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        size_t d = 0;
        if (!has_point(f, row))
            continue;
        while (d < count && strcmp(devices[d].first->device, row->device) != 0)
            d++;
        if (d == DEVICES)
            continue;
        if (d == count) {
            devices[d] = (device){.first = row};
            take_roofs(f, &devices[d]);
            if (devices[d].peak_count == 0)
                continue;
            count++;
        }
        devices[d].points[row->tier != ATTN_TIER_EXACT]++;
    }
    return count;
}

bool figure_has_roofs(const figure *f)
{
    device devices[DEVICES];
    return find_devices(f, devices) > 0;
}

static bool has_caches(const device *d)
{
    return isfinite(d->levels[1]) || isfinite(d->levels[2]) || isfinite(d->levels[3]);
}

size_t figure_roofline_legend(const figure *f)
{
    device devices[DEVICES];
    const size_t count = find_devices(f, devices);
    size_t lines = 0;
    for (size_t d = 0; d < count; d++)
        lines += devices[d].peak_count + has_caches(&devices[d]) + (devices[d].points[0] > 0) +
                 (devices[d].points[1] > 0);
    return lines;
}

static void put_row(FILE *out, const figure *f, const result_row *row)
{
    char label[FIGURE_LABEL], workload[ATTN_WORKLOAD_TEXT];
    const double flops = (double)row->flops;
    const double values[] = {result_row_intensity(row), row->gflops, flops / row->ci_high_ns,
                             flops / row->ci_low_ns};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        figure_number(out, values[v]);
        fputc('\t', out);
    }
    fprintf(out, "%s\t%s\n", figure_label(f->from, f->run, row, label),
            attn_workload_format(row->workload, workload));
}

/* A block of the data; none without points. */
static void put_rows(FILE *out, const figure *f, const device *d, int bounded)
{
    const run_file *run = run_of(f);
    char clean[128];
    if (d->points[bounded] == 0)
        return;
    fprintf(out, "# %s kernels on %s\n", bounded ? "bounded" : "exact",
            report_clean(d->first->device, 60, clean, sizeof clean));
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (has_point(f, row) && (row->tier != ATTN_TIER_EXACT) == bounded &&
            strcmp(row->device, d->first->device) == 0)
            put_row(out, f, row);
    }
    fputs("\n\n", out);
}

attn_status figure_roofline_data(FILE *out, const void *context, attn_reason *why)
{
    const figure *f = context;
    device devices[DEVICES];
    const size_t count = find_devices(f, devices);
    (void)why;
    figure_data_head(out, f);
    fputs("# flop_per_byte\tgflop_per_s\tlow\thigh\tkernel\tworkload\n", out);
    for (size_t d = 0; d < count; d++)
        for (int bounded = 0; bounded < 2; bounded++)
            put_rows(out, f, &devices[d], bounded);
    return ATTN_OK;
}

/* From left of every ridge and point to right of them. */
static void put_range(FILE *out, const figure *f, const device *devices, size_t count)
{
    const run_file *run = run_of(f);
    double low = INFINITY, high = 0, slowest = INFINITY, fastest = 0;
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (!has_point(f, row))
            continue;
        low = fmin(low, result_row_intensity(row));
        high = fmax(high, result_row_intensity(row));
        slowest = fmin(slowest, row->gflops);
        fastest = fmax(fastest, row->gflops);
    }
    for (size_t d = 0; d < count; d++) {
        const double highest = devices[d].peaks[0].gflops;
        fastest = fmax(fastest, highest);
        for (unsigned l = ATTN_LEVEL_L1; l < ATTN_LEVELS; l++)
            if (isfinite(devices[d].levels[l])) {
                low = fmin(low, highest / devices[d].levels[l]);
                high = fmax(high, highest / devices[d].levels[l]);
            }
    }
    fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", low / 2, high * 2,
            slowest / 1.5, fastest * 1.5);
}

/* What memory allows up to the ridge, then the highest peak. */
static void put_roof(FILE *out, const device *d, unsigned style)
{
    char place[96], clean[64], label[FIGURE_LABEL];
    const double memory = d->levels[ATTN_LEVEL_MEMORY], top = d->peaks[0].gflops;
    report_clean(table_place(d->first, place, sizeof place), 30, clean, sizeof clean);
    snprintf(label, sizeof label, "%s: %.3g GFLOP/s", clean, top);
    if (isfinite(memory)) {
        attn_text_add(label, sizeof label, ", memory %.3g GB/s", memory);
        fprintf(out, "  (%.9g*x < %.9g ? %.9g*x : %.9g)", memory, top, memory, top);
    } else {
        fprintf(out, "  %.9g", top);
    }
    fprintf(out, " with lines lt %u dt 1 lw 1.5 title ", style);
    figure_quoted(out, label);
    fputs(", \\\n", out);
}

/* Thin lines: of caches up to the highest peak, and of the lower peaks. */
static void put_levels(FILE *out, const device *d, unsigned style)
{
    char label[FIGURE_LABEL] = "";
    double leftmost = 0;
    for (unsigned l = ATTN_LEVEL_L1; l < ATTN_LEVELS; l++)
        leftmost = isfinite(d->levels[l]) ? fmax(leftmost, d->levels[l]) : leftmost;
    for (unsigned l = ATTN_LEVEL_L1; l < ATTN_LEVEL_MEMORY; l++) {
        const double rate = d->levels[l];
        if (!isfinite(rate))
            continue;
        attn_text_add(label, sizeof label, "%s%s %.3g", label[0] ? ", " : "", attn_level_name(l),
                      rate);
        fprintf(out, "  (%.9g*x < %.9g ? %.9g*x : NaN) with lines lt %u dt 2 lw 0.7 notitle, \\\n",
                rate, d->peaks[0].gflops, rate, style);
    }
    if (label[0] != '\0')
        fprintf(out, "  NaN with lines lt %u dt 2 lw 0.7 title 'reading %s GB/s', \\\n", style,
                label);
    for (size_t p = 1; p < d->peak_count; p++) {
        snprintf(label, sizeof label, "%s %.3g GFLOP/s", d->peaks[p].roof, d->peaks[p].gflops);
        fprintf(out, "  (%.9g*x > %.9g ? %.9g : NaN) with lines lt %u dt 3 lw 0.9 title ",
                leftmost > 0 ? leftmost : 1, leftmost > 0 ? d->peaks[p].gflops : 0,
                d->peaks[p].gflops, style);
        figure_quoted(out, label);
        fputs(", \\\n", out);
    }
}

static void put_points(FILE *out, const figure *f, const device *d, unsigned style, size_t *block)
{
    static const int marks[DEVICES][2] = {{7, 6}, {9, 8}, {5, 4}, {13, 12}}; /* filled and open */
    char place[96], clean[64], label[FIGURE_LABEL];
    report_clean(table_place(d->first, place, sizeof place), 30, clean, sizeof clean);
    for (int bounded = 0; bounded < 2; bounded++) {
        if (d->points[bounded] == 0)
            continue;
        snprintf(label, sizeof label, "%s kernels, %s", bounded ? "bounded" : "exact", clean);
        fprintf(out, "  '%s.tsv' index %zu using 1:2 with points lt %u pt %d ps 0.55 title ",
                f->about.name, (*block)++, style, marks[style - 1][bounded]);
        figure_quoted(out, label);
        fputs(", \\\n", out);
    }
}

void figure_roofline_script(FILE *out, const figure *f)
{
    device devices[DEVICES];
    size_t block = 0;
    const size_t count = find_devices(f, devices);
    fputs("set logscale x 2\nset logscale y 10\nset xlabel 'FLOPs per byte'\n"
          "set ylabel 'GFLOP/s'\nset format x '%.4g'\n",
          out);
    put_range(out, f, devices, count);
    fputs("set samples 800\nplot \\\n", out);
    for (size_t d = 0; d < count; d++) {
        put_roof(out, &devices[d], (unsigned)d + 1);
        put_levels(out, &devices[d], (unsigned)d + 1);
    }
    for (size_t d = 0; d < count; d++)
        put_points(out, f, &devices[d], (unsigned)d + 1, &block);
    fputs("  NaN notitle\n", out);
}
