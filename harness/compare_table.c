/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/caption.h"
#include "harness/columns.h"
#include "harness/compare.h"
#include "harness/format.h"

/* In a cell that may be empty. */
typedef struct cell {
    char text[64];
} cell;

static cell ratio_cell(double value)
{
    cell out = {"-"};
    if (isfinite(value))
        snprintf(out.text, sizeof out.text, "%.3f", value);
    return out;
}

static cell interval_cell(const stats_ratio *ratio)
{
    cell out = {"-"};
    if (isfinite(ratio->low) && isfinite(ratio->high))
        snprintf(out.text, sizeof out.text, "[%.3f, %.3f]", ratio->low, ratio->high);
    return out;
}

static cell threads_cell(const result_row *row)
{
    cell out = {"-"};
    if (row->threads > 0)
        snprintf(out.text, sizeof out.text, "%u", row->threads);
    return out;
}

static void print_texts(FILE *out, const json_t *warnings)
{
    for (size_t i = 0; i < json_array_size(warnings); i++)
        columns_text(out, json_string_value(json_array_get(warnings, i)));
}

static void print_differences(FILE *out, const json_t *list, bool colour)
{
    static const char *const titles[] = {"differs", "A", "B"};
    columns *table = json_array_size(list) > 0 ? columns_new(titles, "lll") : NULL;
    for (size_t i = 0; i < json_array_size(list) && table != NULL; i++) {
        const json_t *one = json_array_get(list, i);
        const char *cells[] = {json_string_value(json_object_get(one, "what")),
                               json_string_value(json_object_get(one, "a")),
                               json_string_value(json_object_get(one, "b"))};
        for (int k = 0; k < 3; k++)
            cells[k] = cells[k] ? cells[k] : "-";
        columns_add(table, cells, COLUMNS_WARN);
    }
    if (table != NULL)
        columns_print(table, out, colour);
    columns_free(table);
}

static void print_side(FILE *out, char name, compare_side side)
{
    for (size_t r = 0; r < side.count; r++) {
        const char *time = json_string_value(json_object_get(side.runs[r].header, "time"));
        fprintf(out, "%c: %s  ", name, side.runs[r].path);
        columns_text(out, time ? time : "-");
    }
}

static columns_tone tone_of(compare_verdict verdict)
{
    return verdict == COMPARE_SLOWER    ? COLUMNS_ALARM
           : verdict == COMPARE_UNCLEAR ? COLUMNS_WARN
                                        : COLUMNS_PLAIN;
}

static void add_pair(columns *table, const compare_pair *p, const caption *names)
{
    char own[ATTN_WORKLOAD_TEXT];
    cell kernel;
    const bool two = strcmp(p->a->kernel, p->b->kernel) != 0;
    snprintf(kernel.text, sizeof kernel.text, "%.30s%s%.30s", p->a->kernel, two ? ", " : "",
             two ? p->b->kernel : "");
    const format_text a = format_ns(p->a->median_ns), b = format_ns(p->b->median_ns);
    const cell threads = threads_cell(p->a), ratio = ratio_cell(p->raw.ratio.value),
               normalised = ratio_cell(p->normalised.ratio.value), machine = ratio_cell(p->machine),
               raw_interval = interval_cell(&p->raw.ratio),
               interval = interval_cell(&p->normalised.ratio);
    const format_text chance = format_significant(p->raw.p);
    const char *const cells[] = {caption_own(names, p->a->workload, own),
                                 kernel.text,
                                 p->a->device,
                                 threads.text,
                                 a.text,
                                 b.text,
                                 ratio.text,
                                 raw_interval.text,
                                 normalised.text,
                                 interval.text,
                                 machine.text,
                                 chance.text,
                                 compare_verdict_name(p->verdict),
                                 p->why.text};
    columns_add(table, cells, tone_of(p->verdict));
}

static void print_pairs(FILE *out, const comparison *c, bool colour)
{
    static const char *const titles[] = {"workload", "kernel", "device",  "thr",       "median A",
                                         "median B", "B / A",  "95 %",    "over roof", "95 %",
                                         "roof B/A", "p",      "verdict", "note"};
    char shared[ATTN_WORKLOAD_TEXT];
    result_row *rows = calloc(c->count, sizeof *rows);
    columns *table = columns_new(titles, "lllrrrrlrlrrll");
    for (size_t i = 0; i < c->count && rows != NULL; i++)
        rows[i] = *c->pairs[i].a; /* borrows */
    if (rows != NULL && table != NULL) {
        const caption names = caption_of_rows(rows, c->count);
        fprintf(out, "Workload: %s\n", caption_shared(&names, rows[0].workload, shared));
        for (size_t i = 0; i < c->count; i++)
            add_pair(table, &c->pairs[i], &names);
        columns_print(table, out, colour);
    }
    columns_free(table);
    free(rows);
}

/* "3 only in A: kernel n=64 (cpu, 1 thread), ..." */
static void print_left(FILE *out, const comparison *c, compare_left_kind kind, const char *title)
{
    enum { NAMED = 8 };
    size_t count = 0;
    for (size_t i = 0; i < c->left_count; i++) {
        const compare_left *left = &c->left[i];
        char text[ATTN_WORKLOAD_TEXT];
        if (left->kind != kind || count++ >= NAMED)
            continue;
        if (count == 1)
            fprintf(out, "%s:\n", title);
        fprintf(out, "  %s on %s, ", left->row->kernel, left->row->device);
        if (left->row->threads > 0)
            fprintf(out, "%u thread%s, ", left->row->threads, left->row->threads == 1 ? "" : "s");
        fputs(attn_workload_format(left->row->workload, text), out);
        if (kind > COMPARE_ONLY_B)
            fprintf(out, ": %s, %s", attn_status_name(left->row->status), left->row->why.text);
        fputc('\n', out);
    }
    if (count > NAMED)
        fprintf(out, "  and %zu more\n", count - NAMED);
}

static void print_summary(FILE *out, const comparison *c)
{
    size_t left[COMPARE_LEFT] = {0};
    for (size_t i = 0; i < c->left_count; i++)
        left[c->left[i].kind]++;
    print_left(out, c, COMPARE_ONLY_A, "Only in A");
    print_left(out, c, COMPARE_ONLY_B, "Only in B");
    print_left(out, c, COMPARE_NOT_OK_A, "Not ok in A");
    print_left(out, c, COMPARE_NOT_OK_B, "Not ok in B");
    fprintf(out,
            "%zu pair%s; %zu only in A; %zu only in B; not ok: %zu in A, %zu in B, %zu in both\n",
            c->count, c->count == 1 ? "" : "s", left[COMPARE_ONLY_A], left[COMPARE_ONLY_B],
            left[COMPARE_NOT_OK_A], left[COMPARE_NOT_OK_B], left[COMPARE_NOT_OK]);
    fprintf(out,
            "%zu FASTER, %zu SLOWER, %zu SAME, %zu UNCLEAR of %zu pair%s; geometric mean of B / A "
            "%s\n",
            c->verdicts[COMPARE_FASTER], c->verdicts[COMPARE_SLOWER], c->verdicts[COMPARE_SAME],
            c->verdicts[COMPARE_UNCLEAR], c->count, c->count == 1 ? "" : "s",
            ratio_cell(c->mean_ratio).text);
}

void compare_print_notes(FILE *out, compare_side a, compare_side b, bool colour)
{
    json_t *warnings = compare_warnings(a, b), *differences = compare_differences(a, b);
    print_texts(out, warnings);
    print_differences(out, differences, colour);
    json_decref(warnings);
    json_decref(differences);
}

void compare_print(FILE *out, compare_side a, compare_side b, const comparison *c, bool colour)
{
    print_side(out, 'A', a);
    print_side(out, 'B', b);
    compare_print_notes(out, a, b, colour);
    fputc('\n', out);
    print_pairs(out, c, colour);
    fputc('\n', out);
    print_summary(out, c);
}
