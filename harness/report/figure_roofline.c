/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofline of a run (Williams, Waterman and Patterson 2009): per device, with the most threads.
 */
#include <math.h>
#include <string.h>

#include "harness/compare.h"
#include "harness/report/best.h"
#include "harness/report/figure_parts.h"
#include "harness/report/output.h"
#include "harness/table.h"

#define DEVICES 4 /* that are drawn */

/* One device of the run. */
typedef struct device {
    const result_row *first;    /* its first row that counts, with the most threads */
    double levels[ATTN_LEVELS]; /* GB/s of reading, by level; NAN */
    double mac, lower;          /* GFLOP/s: the highest, and the lowest that judges a row; NAN */
} device;

static const run_file *run_of(const figure *f)
{
    return &f->from->report->runs[f->run];
}

static bool has_point(const figure *f, const result_row *row)
{
    return report_counts(row) && isfinite(result_row_intensity(row)) && isfinite(row->gflops) &&
           isfinite(row->roof_gflops) && row->threads == figure_most_threads(run_of(f), row);
}

/* The report has one roof for each kernel, device and number of threads. */
static void take_levels(const figure *f, device *d)
{
    size_t i;
    json_t *roof;
    json_t *run = json_array_get(json_object_get(f->from->report->data, "runs"), f->run);
    for (int level = 0; level < ATTN_LEVELS; level++)
        d->levels[level] = NAN;
    json_array_foreach(json_object_get(run, "roofs"), i, roof)
    {
        const char *selector = json_string_value(json_object_get(roof, "device"));
        const char *bound = json_string_value(json_object_get(roof, "bound"));
        const char *level = json_string_value(json_object_get(roof, "level"));
        const json_t *rate = json_object_get(roof, "gb_per_s");
        if (selector == NULL || bound == NULL || level == NULL || !json_is_number(rate) ||
            strcmp(selector, d->first->device) != 0 || strcmp(bound, "read") != 0 ||
            json_integer_value(json_object_get(roof, "threads")) != d->first->threads)
            continue;
        for (unsigned l = ATTN_LEVEL_L1; l < ATTN_LEVELS; l++)
            if (strcmp(level, attn_level_name(l)) == 0)
                d->levels[l] = json_number_value(rate);
    }
}

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
            devices[count++] = (device){.first = row, .mac = 0, .lower = INFINITY};
            take_levels(f, &devices[d]);
        }
        devices[d].mac = fmax(devices[d].mac, row->roof_gflops);
        devices[d].lower = fmin(devices[d].lower, row->roof_gflops);
    }
    return count;
}

bool figure_has_roofs(const figure *f)
{
    device devices[DEVICES];
    return find_devices(f, devices) > 0;
}

static void put_rows(FILE *out, const figure *f, const device *d, attn_tier tier)
{
    const run_file *run = run_of(f);
    char label[FIGURE_LABEL], workload[ATTN_WORKLOAD_TEXT];
    fprintf(out, "# %s, like %s\n", attn_tier_name(tier),
            figure_label(f->from, f->run, d->first, label));
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (!has_point(f, row) || row->tier != tier || strcmp(row->device, d->first->device) != 0)
            continue;
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
    fputs("\n\n", out);
}

attn_status figure_roofline_data(FILE *out, const void *context, attn_reason *why)
{
    const figure *f = context;
    device devices[DEVICES];
    const size_t count = find_devices(f, devices);
    (void)why;
    fprintf(out, "# %s\n# flop_per_byte\tgflop_per_s\tlow\thigh\tkernel\tworkload\n",
            f->about.caption);
    for (size_t d = 0; d < count; d++) {
        put_rows(out, f, &devices[d], ATTN_TIER_EXACT);
        put_rows(out, f, &devices[d], ATTN_TIER_BOUNDED);
    }
    return ATTN_OK;
}

/* From left of every ridge and point to right of them. */
static void put_range(FILE *out, const figure *f, const device *devices, size_t count)
{
    const run_file *run = run_of(f);
    double low = INFINITY, high = 0, slowest = INFINITY;
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (!has_point(f, row))
            continue;
        low = fmin(low, result_row_intensity(row));
        high = fmax(high, result_row_intensity(row));
        slowest = fmin(slowest, row->gflops);
    }
    for (size_t d = 0; d < count; d++)
        for (unsigned l = ATTN_LEVEL_L1; l < ATTN_LEVELS; l++)
            if (isfinite(devices[d].levels[l])) {
                low = fmin(low, devices[d].mac / devices[d].levels[l]);
                high = fmax(high, devices[d].mac / devices[d].levels[l]);
            }
    fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:*]\n", low / 2, high * 2, slowest / 2);
}

/* "cpu, 2 threads: memory 19.9 GB/s, 151 GFLOP/s" */
static void put_roof(FILE *out, const device *d, unsigned style)
{
    char place[96], label[FIGURE_LABEL];
    const double memory = d->levels[ATTN_LEVEL_MEMORY];
    size_t used = (size_t)snprintf(label, sizeof label, "roof of %s: %.3g GFLOP/s",
                                   table_place(d->first, place, sizeof place), d->mac);
    if (isfinite(memory)) {
        snprintf(label + used, sizeof label - used, ", memory %.3g GB/s", memory);
        fprintf(out, "  (%.9g*x < %.9g ? %.9g*x : %.9g)", memory, d->mac, memory, d->mac);
    } else {
        fprintf(out, "  %.9g", d->mac);
    }
    fprintf(out, " with lines lt %u dt 1 lw 1.5 title ", style);
    figure_quoted(out, label);
    fputs(", \\\n", out);
}

/* Caches, and the lowest peak that judges a row: thin lines, named by one. */
static void put_levels(FILE *out, const device *d, unsigned style)
{
    char label[FIGURE_LABEL] = "";
    size_t used = 0;
    for (unsigned l = ATTN_LEVEL_L1; l < ATTN_LEVEL_MEMORY; l++) {
        const double rate = d->levels[l];
        if (!isfinite(rate))
            continue;
        used += (size_t)snprintf(label + used, sizeof label - used, "%s%s %.3g", used ? ", " : "",
                                 attn_level_name(l), rate);
        fprintf(out, "  (%.9g*x < %.9g ? %.9g*x : NaN) with lines lt %u dt 2 lw 0.7 notitle, \\\n",
                rate, d->mac, rate, style);
    }
    if (d->lower < d->mac)
        fprintf(out,
                "  (x > %.9g ? %.9g : NaN) with lines lt %u dt 3 lw 0.9 title "
                "'lower peak of another contract: %.3g GFLOP/s', \\\n",
                isfinite(d->levels[ATTN_LEVEL_L1]) ? d->lower / d->levels[ATTN_LEVEL_L1] : 0,
                d->lower, style, d->lower);
    if (used > 0)
        fprintf(out, "  NaN with lines lt %u dt 2 lw 0.7 title 'its caches: %s GB/s', \\\n", style,
                label);
}

void figure_roofline_script(FILE *out, const figure *f)
{
    static const int marks[2] = {7, 6}; /* filled and open: no colour needed */
    device devices[DEVICES];
    char place[96], label[FIGURE_LABEL];
    const size_t count = find_devices(f, devices);
    fputs("set logscale x 2\nset logscale y 10\nset xlabel 'FLOPs per byte'\n"
          "set ylabel 'GFLOP/s'\nset format x '%.4g'\n",
          out);
    put_range(out, f, devices, count);
    fputs("set samples 600\nplot \\\n", out);
    for (size_t d = 0; d < count; d++) {
        put_roof(out, &devices[d], (unsigned)d + 1);
        put_levels(out, &devices[d], (unsigned)d + 1);
    }
    for (size_t d = 0; d < count; d++)
        for (int tier = 0; tier < 2; tier++) {
            snprintf(label, sizeof label, "%s kernels, %s", tier ? "bounded" : "exact",
                     table_place(devices[d].first, place, sizeof place));
            fprintf(out, "  '%s.tsv' index %zu using 1:2 with points lt %zu pt %d ps 0.5 title ",
                    f->about.name, 2 * d + (size_t)tier, d + 1, marks[tier] + 2 * (d == 1));
            figure_quoted(out, label);
            fputs(", \\\n", out);
        }
    fputs("  NaN notitle\n", out);
}
