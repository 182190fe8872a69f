/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/table.h"

#include <math.h>
#include <string.h>

#include "harness/caption.h"
#include "harness/columns.h"
#include "harness/format.h"

#define DIGEST_DIGITS 10

const char *table_device(const result_row *row, char *text, size_t size)
{
    snprintf(text, size, "%s%s", row->device, row->software ? " (software)" : "");
    return text;
}

const char *table_place(const result_row *row, char *text, size_t size)
{
    char device[64];
    table_device(row, device, sizeof device);
    if (row->threads > 0)
        snprintf(text, size, "%s, %u thread%s", device, row->threads, row->threads == 1 ? "" : "s");
    else
        snprintf(text, size, "%s", device);
    return text;
}

const char *table_threads(const result_row *row, char *text, size_t size)
{
    snprintf(text, size, row->threads ? "%u" : "-", row->threads);
    return text;
}

/* "golden", "full", "sampled", "oracle": how, without how much. */
static const char *verified_cell(const result_row *row, char *text, size_t size)
{
    int length = (int)strcspn(row->verified, " ");
    snprintf(text, size, "%.*s", length ? length : 1, length ? row->verified : "-");
    return text;
}

/* "80.2 % MAC", "91.5 % read": of the roof that binds this row. */
static const char *share_cell(const result_row *row, char *text, size_t size)
{
    const bool reads = row->bound == ATTN_ROOF_READ;
    const double percent = 100 * (reads ? row->bandwidth_share : row->roof_share);
    if (!isfinite(percent))
        snprintf(text, size, "-");
    else if (percent < 0.1)
        snprintf(text, size, "<0.1 %% %-4s", result_row_bound(row));
    else
        snprintf(text, size, "%.1f %% %-4s", percent, result_row_bound(row));
    return text;
}

/* "1.62x [1.58, 1.66]": rate over that of the best library, which says so itself. */
static const char *library_cell(const result_row *row, char *text, size_t size)
{
    const double ratio = row->library_ratio;
    /* Three digits, of a slow kernel too. */
    const int places = ratio >= 99.5 ? 0 : ratio >= 9.95 ? 1 : ratio >= 0.995 ? 2 : 3;
    if (!isfinite(ratio))
        snprintf(text, size, "-");
    else if (strcmp(row->library, row->kernel) == 0)
        snprintf(text, size, "best library");
    else if (!isfinite(row->library_ratio_low))
        snprintf(text, size, "%.*fx", places, ratio);
    else
        snprintf(text, size, "%.*fx [%.*f, %.*f]", places, ratio, places, row->library_ratio_low,
                 places, row->library_ratio_high);
    return text;
}

const char *table_note(const result_row *row, char *text, size_t size)
{
    bool ok = row->status == ATTN_OK, reason = row->why.text[0] != '\0';
    snprintf(text, size, "%s%s%s", ok ? "" : attn_status_name(row->status),
             !ok && reason ? ": " : "", row->why.text);
    return text;
}

static bool same_kernel(const result_row *a, const result_row *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->device, b->device) == 0;
}

/* No row of this kernel ran, all for one reason: one line says it. */
static bool never_ran(const result_row *rows, size_t count, const result_row *row)
{
    bool same = row->status != ATTN_OK && !result_row_alarming(row);
    for (size_t i = 0; i < count && same; i++)
        same = !same_kernel(&rows[i], row) ||
               (rows[i].status == row->status && strcmp(rows[i].why.text, row->why.text) == 0);
    return same;
}

static bool first_of_kernel(const result_row *rows, const result_row *row)
{
    const result_row *first = rows;
    while (!same_kernel(first, row))
        first++;
    return first == row;
}

/* Neither of two kernels that never ran has more to say than the other. */
static bool same_fate(const result_row *a, const result_row *b)
{
    return strcmp(a->device, b->device) == 0 && a->status == b->status &&
           strcmp(a->why.text, b->why.text) == 0;
}

/* Kernels that share the fate of `row`, which never ran, and their names. */
static size_t list_fellows(const result_row *rows, size_t count, const result_row *row, char *text,
                           size_t size)
{
    size_t kernels = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].roof || !first_of_kernel(rows, &rows[i]) || !same_fate(&rows[i], row) ||
            !never_ran(rows, count, &rows[i]))
            continue;
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", kernels ? ", " : "",
                                       rows[i].kernel);
        kernels++;
    }
    return kernels;
}

/* One line for all kernels that never ran on a device for one reason. */
static bool add_absent(columns *c, const result_row *rows, size_t count, const result_row *row,
                       const caption *workloads)
{
    char own[ATTN_WORKLOAD_TEXT], device[64], kernels[32];
    char note[320], names[1024], all[sizeof note + sizeof names + 8];
    const size_t fellows = list_fellows(rows, count, row, names, sizeof names);
    snprintf(kernels, sizeof kernels, "%zu kernels", fellows);
    table_note(row, note, sizeof note);
    snprintf(all, sizeof all, "%s (%s)", note, names);
    const char *cells[] = {
        caption_own(workloads, row->workload, own)[0] ? "all" : "",
        fellows > 1 ? kernels : row->kernel,
        table_device(row, device, sizeof device),
        "-",
        "-",
        "-",
        "-",
        "",
        "-",
        "-",
        attn_tier_name(row->tier),
        "-",
        "-",
        fellows > 1 ? all : note,
    };
    return columns_add(c, cells, COLUMNS_WARN);
}

static bool first_of_fate(const result_row *rows, size_t count, const result_row *row)
{
    for (const result_row *other = rows; other < row; other++)
        if (!other->roof && same_fate(other, row) && never_ran(rows, count, other))
            return false;
    return true;
}

static bool add_row(columns *c, const result_row *row, const caption *names)
{
    char own[ATTN_WORKLOAD_TEXT], device[64], threads[16], verified[64], note[320], share[48];
    char library[64];
    char digest[DIGEST_DIGITS + 1];
    format_text median = format_ns(row->median_ns);
    format_text interval = format_interval_ns(row->median_ns, row->ci_low_ns, row->ci_high_ns);
    format_text rate = format_significant(row->gflops);
    /* Where memory may bind; else the column stays empty, and is left out. */
    const bool reads = isfinite(row->roof_gb_per_s);
    format_text bytes = format_significant(row->gb_per_s);
    snprintf(digest, sizeof digest, "%.*s", DIGEST_DIGITS, row->digest[0] ? row->digest : "-");
    caption_own(names, row->workload, own);
    const char *cells[] = {
        own,
        row->kernel,
        table_device(row, device, sizeof device),
        table_threads(row, threads, sizeof threads),
        median.text,
        interval.text,
        rate.text,
        reads ? bytes.text : "",
        share_cell(row, share, sizeof share),
        library_cell(row, library, sizeof library),
        attn_tier_name(row->tier),
        verified_cell(row, verified, sizeof verified),
        digest,
        table_note(row, note, sizeof note),
    };
    columns_tone tone = result_row_alarming(row) ? COLUMNS_ALARM
                        : row->status != ATTN_OK ? COLUMNS_WARN
                                                 : COLUMNS_PLAIN;
    return columns_add(c, cells, tone);
}

/* The table; NULL without rows, or when out of memory. */
static columns *make_rows(const result_row *rows, size_t count, const caption *names)
{
    static const char *const titles[] = {
        "workload", "kernel",  "device",     "thr",  "median", "95 % interval", "GFLOP/s",
        "GB/s",     "of roof", "vs library", "tier", "check",  "digest",        "note"};
    columns *c = count > 0 ? columns_new(titles, "lllrrlrrrlllll") : NULL;
    bool filled = c != NULL;
    for (size_t i = 0; i < count && filled; i++) {
        if (rows[i].roof)
            continue;
        if (!never_ran(rows, count, &rows[i]))
            filled = add_row(c, &rows[i], names);
        else if (first_of_fate(rows, count, &rows[i]))
            filled = add_absent(c, rows, count, &rows[i], names);
    }
    return c;
}

void table_rows(FILE *out, const result_row *rows, size_t count, bool colour)
{
    char shared[ATTN_WORKLOAD_TEXT];
    caption names = caption_of_rows(rows, count);
    columns *c = make_rows(rows, count, &names);
    if (c == NULL)
        return;
    fprintf(out, "Workload: %s\n", caption_shared(&names, rows[0].workload, shared));
    columns_print(c, out, colour);
    columns_free(c);
}

bool table_rows_markdown(FILE *out, const result_row *rows, size_t count)
{
    char shared[ATTN_WORKLOAD_TEXT];
    caption names = caption_of_rows(rows, count);
    columns *c = make_rows(rows, count, &names);
    if (c == NULL)
        return count == 0;
    fprintf(out, "Workload: %s\n\n", caption_shared(&names, rows[0].workload, shared));
    columns_print_markdown(c, out);
    columns_free(c);
    return true;
}
