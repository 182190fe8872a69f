/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "harness/columns.h"
#include "harness/report/best.h"
#include "harness/report/figures.h"
#include "harness/report/markdown_parts.h"
#include "harness/report/output.h"
#include "harness/table.h"

const char *markdown_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL && text[0] != '\0' ? text : "-";
}

/* Whoever reads no further must know whether to believe the rest. */
static void put_verdicts(FILE *out, const report *r)
{
    size_t i, j;
    json_t *run, *reason;
    fputs("# ", out);
    columns_escape(out, markdown_text(r->data, "title"));
    fputs("\n\n", out);
    json_array_foreach(json_object_get(r->data, "runs"), i, run)
    {
        const bool ended = json_is_string(json_object_get(run, "result"));
        fputs("- ", out);
        columns_escape(out, report_run_name(r, i));
        fputs(": **", out);
        columns_escape(out, ended ? markdown_text(run, "result") : "the run did not end");
        fputs("**", out);
        json_array_foreach(json_object_get(run, "reasons"), j, reason)
        {
            fputs(j ? "; " : ": ", out);
            columns_escape(out, json_string_value(reason) ? json_string_value(reason) : "-");
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}

static bool add_pairs(columns *table, const json_t *pairs)
{
    size_t i;
    json_t *pair;
    bool added = true;
    json_array_foreach(pairs, i, pair)
    {
        const char *label = json_string_value(json_array_get(pair, 0));
        const char *text = json_string_value(json_array_get(pair, 1));
        const char *cells[] = {label ? label : "-", text ? text : "-"};
        added = added && columns_add(table, cells, COLUMNS_PLAIN);
    }
    return added;
}

/* What the numbers are of: without this a table is gossip. */
static bool put_machine(FILE *out, const json_t *run)
{
    static const char *const titles[] = {"machine", "of this run"};
    size_t i;
    json_t *device;
    columns *table = columns_new(titles, "ll");
    bool filled = table != NULL && add_pairs(table, json_object_get(run, "machine"));
    json_array_foreach(json_object_get(run, "devices"), i, device)
    {
        char about[640], name[300], driver[300];
        if (!filled || strcmp(markdown_text(device, "selector"), "cpu") == 0)
            continue;
        report_clean(markdown_text(device, "name"), 250, name, sizeof name);
        report_clean(markdown_text(device, "driver"), 250, driver, sizeof driver);
        snprintf(about, sizeof about, "%s; %s", name, driver);
        const char *cells[] = {markdown_text(device, "selector"), about};
        filled = columns_add(table, cells, COLUMNS_PLAIN);
    }
    filled = filled && add_pairs(table, json_object_get(run, "build"));
    if (filled)
        columns_print_markdown(table, out);
    columns_free(table);
    return filled;
}

static bool put_best(FILE *out, const run_file *run)
{
    const result_row **best;
    const size_t count = report_best(run, &best);
    result_row *rows = best != NULL ? calloc(count + 1, sizeof *rows) : NULL;
    for (size_t i = 0; i < count && rows != NULL; i++)
        rows[i] = *best[i]; /* borrows */
    bool filled = rows != NULL;
    if (filled && count > 0) {
        fputs("The fastest kernel of each workload, device and tier\n\n", out);
        filled = table_rows_markdown(out, rows, count);
        fputc('\n', out);
    } else if (filled) {
        fputs("No row was timed and checked.\n\n", out);
    }
    free(rows);
    free(best);
    return filled;
}

static bool put_fits(FILE *out, const run_file *run)
{
    series *list;
    const json_t *seed = json_object_get(run->header, "seed");
    const size_t count =
        series_build(run->rows, run->count, (uint64_t)json_integer_value(seed), &list);
    if (list == NULL)
        return false;
    if (count > 0) {
        fputs("<details><summary>Fits</summary>\n", out);
        table_curves_markdown(out, list, count);
        fputs("\n</details>\n\n", out);
    }
    series_free(list, count);
    return true;
}

static bool put_rows(FILE *out, const run_file *run)
{
    fputs("<details><summary>All rows</summary>\n\n", out);
    const bool filled = table_rows_markdown(out, run->rows, run->count);
    fputs("\n</details>\n\n", out);
    return filled;
}

static bool put_run(FILE *out, const report *r, size_t index)
{
    const json_t *run = json_array_get(json_object_get(r->data, "runs"), index);
    fputs("## ", out);
    columns_escape(out, report_run_name(r, index));
    fputs("\n\n", out);
    if (!put_best(out, &r->runs[index]) || !put_fits(out, &r->runs[index]) ||
        !put_rows(out, &r->runs[index]))
        return false;
    fputs("<details><summary>Machine, build and time</summary>\n\n", out);
    const bool filled = put_machine(out, run);
    fputs("\n</details>\n\nMeasured ", out);
    columns_escape(out, markdown_text(run, "time"));
    /* In <pre> nothing but entities is read. */
    fputs(" by\n\n<pre>", out);
    columns_escape(out, markdown_text(run, "command"));
    fputs("</pre>\n\nOne row again: attnmark bench --kernel KERNEL --workload TEXT --device DEVICE "
          "--threads COUNT\n\n",
          out);
    return filled;
}

/* A path as a link's target: what could end it, or is no ASCII, as %XX. */
static void put_url(FILE *out, const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/";
    for (const char *c = path; *c != '\0'; c++)
        fprintf(out, strchr(plain, *c) != NULL ? "%c" : "%%%02X", (unsigned char)*c);
}

static bool put_figures(FILE *out, const report *r)
{
    report_figure *list;
    const size_t count = report_figures_list(r, &list);
    if (count > 0)
        fputs("## Figures\n\n", out);
    for (size_t i = 0; i < count; i++) {
        fputs("![", out);
        columns_escape(out, list[i].caption);
        fputs("](", out);
        put_url(out, r->figures);
        fprintf(out, "/%s.svg)\n\n", list[i].name);
        columns_escape(out, list[i].caption);
        fputs(".\n\n", out);
    }
    const bool listed = list != NULL;
    free(list);
    return listed;
}

attn_status report_markdown(FILE *out, const report *r, attn_reason *why)
{
    put_verdicts(out, r);
    attn_status status = markdown_comparisons(out, r, why);
    bool filled = true;
    for (size_t i = 0; i < r->count && status == ATTN_OK && filled; i++)
        filled = put_run(out, r, i);
    if (status == ATTN_OK && filled && r->figures != NULL)
        filled = put_figures(out, r);
    if (status == ATTN_OK && !filled)
        status = attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    if (status == ATTN_OK) {
        fputs("Every output was checked before it was timed: exact kernels return equal bits on "
              "all machines, whose digests are in the tables, bounded ones stay within an error "
              "bound. Made by attnmark ",
              out);
        columns_escape(out, markdown_text(r->data, "tool_version"));
        fputs(".\n", out);
    }
    return status;
}
