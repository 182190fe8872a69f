/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "harness/columns.h"
#include "harness/format.h"
#include "harness/report/markdown_parts.h"
#include "harness/report/output.h"

/* A cell of a row of the island. */
static const json_t *cell(const report *r, const json_t *row, const char *column)
{
    const json_t *columns = json_object_get(r->data, "columns");
    const json_t *cells =
        json_array_get(json_object_get(r->data, "rows"), (size_t)json_integer_value(row));
    for (size_t i = 0; i < json_array_size(columns); i++)
        if (strcmp(json_string_value(json_array_get(columns, i)), column) == 0)
            return json_array_get(cells, i);
    return NULL;
}

/* A field of what a cell points to: a kernel's name, a workload's label. */
static const char *named(const report *r, const json_t *row, const char *column, const char *list,
                         const char *field)
{
    const size_t index = (size_t)json_integer_value(cell(r, row, column));
    return markdown_text(json_array_get(json_object_get(r->data, list), index), field);
}

static double number(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool add_pair(columns *table, const report *r, const json_t *pair)
{
    const json_t *a = json_object_get(pair, "a"), *b = json_object_get(pair, "b");
    const json_t *device = cell(r, a, "device"), *threads = cell(r, a, "threads");
    const double low = number(json_object_get(pair, "low"));
    const double high = number(json_object_get(pair, "high"));
    char ratio[32] = "-", interval[64] = "-", count[24] = "-";
    const double value = number(json_object_get(pair, "ratio"));
    if (isfinite(value))
        snprintf(ratio, sizeof ratio, "%.3f", value);
    if (isfinite(low) && isfinite(high))
        snprintf(interval, sizeof interval, "[%.3f, %.3f]", low, high);
    if (json_is_integer(threads))
        snprintf(count, sizeof count, "%lld", (long long)json_integer_value(threads));
    const format_text before = format_ns(number(cell(r, a, "median_ns")));
    const format_text after = format_ns(number(cell(r, b, "median_ns")));
    const char *why = markdown_text(pair, "why");
    const char *cells[] = {named(r, a, "workload", "workloads", "label"),
                           named(r, a, "kernel", "kernels", "name"),
                           json_is_string(device) ? json_string_value(device) : "-",
                           count,
                           before.text,
                           after.text,
                           ratio,
                           interval,
                           markdown_text(pair, "verdict"),
                           strcmp(why, "-") == 0 ? "" : why};
    return columns_add(table, cells, COLUMNS_PLAIN);
}

static bool put_pairs(FILE *out, const report *r, const json_t *pairs)
{
    static const char *const titles[] = {"workload", "kernel", "device", "thr",     "median A",
                                         "median B", "B / A",  "95 %",   "verdict", "note"};
    columns *table = columns_new(titles, "lllrrrrlll");
    bool filled = table != NULL;
    for (size_t i = 0; filled && i < json_array_size(pairs); i++)
        filled = add_pair(table, r, json_array_get(pairs, i));
    if (filled) {
        fprintf(out, "<details><summary>%zu pairs of rows</summary>\n\n", json_array_size(pairs));
        columns_print_markdown(table, out);
        fputs("\n</details>\n\n", out);
    }
    columns_free(table);
    return filled;
}

static bool put_differences(FILE *out, const json_t *list)
{
    static const char *const titles[] = {"differs", "A", "B"};
    columns *table = columns_new(titles, "lll");
    bool filled = table != NULL;
    for (size_t i = 0; filled && i < json_array_size(list); i++) {
        const char *cells[3];
        for (size_t c = 0; c < 3; c++) {
            cells[c] = json_string_value(json_array_get(json_array_get(list, i), c));
            cells[c] = cells[c] ? cells[c] : "-";
        }
        filled = columns_add(table, cells, COLUMNS_PLAIN);
    }
    if (filled && json_array_size(list) > 0) {
        columns_print_markdown(table, out);
        fputc('\n', out);
    }
    columns_free(table);
    return filled;
}

/* "B / A is 1.02 in the geometric mean of 12 pairs: 3 FASTER, ..." */
static void put_summary(FILE *out, const json_t *comparison)
{
    static const char *const verdicts[] = {"FASTER", "SLOWER", "SAME", "UNCLEAR"};
    const json_t *counts = json_object_get(comparison, "counts");
    const format_text mean = format_significant(number(json_object_get(comparison, "mean_ratio")));
    fprintf(out, "Time of B over that of A: %s in the geometric mean of %zu pairs. B is", mean.text,
            json_array_size(json_object_get(comparison, "pairs")));
    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++)
        fprintf(out, "%s %s %lld times", v ? "," : "", verdicts[v],
                (long long)json_integer_value(json_object_get(counts, verdicts[v])));
    fputs(".\n\n", out);
}

static bool put_comparison(FILE *out, const report *r, const json_t *comparison)
{
    static const char sides[] = "ab";
    size_t i;
    json_t *warning;
    for (size_t s = 0; s < 2; s++) {
        const char name[2] = {sides[s], '\0'};
        const json_t *run = json_object_get(comparison, name);
        fprintf(out, "%s%c: ", s ? "\n" : "### ", "AB"[s]);
        columns_escape(out, report_run_name(r, (size_t)json_integer_value(run)));
        fputs(s ? "\n\n" : ", against\n", out);
    }
    json_array_foreach(json_object_get(comparison, "warnings"), i, warning)
    {
        fputs("- ", out);
        columns_escape(out, json_string_value(warning) ? json_string_value(warning) : "-");
        fputs("\n\n", out);
    }
    if (!put_differences(out, json_object_get(comparison, "differences")))
        return false;
    if (json_is_string(json_object_get(comparison, "error"))) {
        fputs("Not compared: ", out);
        columns_escape(out, markdown_text(comparison, "error"));
        fputs("\n\n", out);
        return true;
    }
    put_summary(out, comparison);
    return put_pairs(out, r, json_object_get(comparison, "pairs"));
}

attn_status markdown_comparisons(FILE *out, const report *r, attn_reason *why)
{
    const json_t *list = json_object_get(r->data, "comparisons");
    if (json_array_size(list) > 0)
        fputs("## Comparison\n\n", out);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!put_comparison(out, r, json_array_get(list, i)))
            return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    return ATTN_OK;
}
