/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/pts.h"

#include <math.h>
#include <string.h>

#include "harness/directories.h"
#include "harness/report/best.h"
#include "harness/report/output.h"
#include "harness/report/pts_parts.h"

/* Parsers of results cut lines at spaces, '=', commas, parentheses and slashes. */
static void put_word(FILE *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || strchr("_-.", *c) != NULL;
        if (*c != '=')
            fputc(plain ? *c : '_', out);
    }
}

/* "avx2_f_24x4.cpu.2t.b1_h8_...": the same in every run that has the row. */
static void put_key(FILE *out, const result_row *row)
{
    char text[ATTN_WORKLOAD_TEXT];
    put_word(out, row->kernel);
    fputc('.', out);
    put_word(out, row->device);
    if (row->threads > 0)
        fprintf(out, ".%ut", row->threads);
    fputc('.', out);
    put_word(out, attn_workload_format(row->workload, text));
}

static void put_line(FILE *out, const result_row *row, const char *number, double value,
                     const char *unit)
{
    if (!isfinite(value))
        return;
    put_key(out, row);
    fprintf(out, ".%s = %.9g %s\n", number, value, unit);
}

static attn_status write_lines(FILE *out, const void *context, attn_reason *why)
{
    const run_file *run = context;
    (void)why;
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (!report_counts(row))
            continue;
        const bool reads = row->bound == ATTN_ROOF_READ;
        put_line(out, row, "time", row->median_ns / NS_PER_MS, "ms");
        put_line(out, row, "time_low", row->ci_low_ns / NS_PER_MS, "ms");
        put_line(out, row, "time_high", row->ci_high_ns / NS_PER_MS, "ms");
        put_line(out, row, "rate", row->gflops, "GFLOP/s");
        put_line(out, row, "bandwidth", row->gb_per_s, "GB/s");
        put_line(out, row, "share", 100 * (reads ? row->bandwidth_share : row->roof_share), "%");
    }
    return ATTN_OK;
}

static attn_status write_files(const char *directory, const report *r, attn_reason *why)
{
    attn_status status = ATTN_OK;
    for (size_t i = 0; i < r->count && status == ATTN_OK; i++) {
        char name[48] = "results.txt";
        if (r->count > 1)
            snprintf(name, sizeof name, "results-%zu.txt", i + 1);
        status = report_output(directory, name, write_lines, &r->runs[i], why);
    }
    if (status == ATTN_OK)
        status = report_output(directory, "composite.xml", pts_write_xml, r, why);
    return status;
}

static bool any_row(const run_file *runs, size_t count)
{
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < runs[r].count; i++)
            if (report_counts(&runs[r].rows[i]))
                return true;
    return false;
}

attn_status report_pts(const char *directory, const report *r, attn_reason *why)
{
    size_t made;
    if (!any_row(r->runs, r->count))
        return attn_because(why, ATTN_ERROR, "no row was timed and checked: nothing for --pts");
    attn_status status = directories_make(directory, &made, why);
    if (status == ATTN_OK)
        status = write_files(directory, r, why);
    if (status != ATTN_OK)
        directories_remove(directory, made);
    return status;
}
