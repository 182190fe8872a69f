/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofs that were measured in a run: lines for arithmetic, a table of bandwidth per level.
 */
#include <math.h>
#include <string.h>

#include "harness/columns.h"
#include "harness/format.h"
#include "harness/table.h"

/* Has its place in the table of levels. */
static bool has_level(const result_row *row)
{
    return row->roof && row->level != ATTN_LEVEL_NONE;
}

static bool same_machine(const result_row *a, const result_row *b)
{
    return a->roof && b->roof && strcmp(a->device, b->device) == 0 && a->threads == b->threads;
}

static bool same_roof(const result_row *a, const result_row *b)
{
    return same_machine(a, b) && strcmp(a->kernel, b->kernel) == 0;
}

static bool same_line(const result_row *a, const result_row *b)
{
    return same_machine(a, b) && has_level(a) && has_level(b) && a->bound == b->bound;
}

static bool same_cell(const result_row *a, const result_row *b)
{
    return same_line(a, b) && a->level == b->level;
}

typedef bool same_row(const result_row *a, const result_row *b);

static bool first_such(const result_row *rows, size_t index, same_row *same)
{
    for (size_t i = 0; i < index; i++)
        if (same(&rows[i], &rows[index]))
            return false;
    return true;
}

/* "81.25", "75.10 to 81.25": medians of the rows like this one; "-" where none is ok. */
static format_text range_of(const result_row *rows, size_t count, const result_row *row,
                            same_row *same)
{
    const bool moves = attn_roof_moves(row->bound);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!same(&rows[i], row) || rows[i].status != ATTN_OK)
            continue;
        const double rate = moves ? rows[i].gb_per_s : rows[i].gflops;
        low = fmin(low, rate);
        high = fmax(high, rate);
    }
    format_text range = format_significant(low);
    const format_text upper = format_significant(high);
    const size_t used = strlen(range.text);
    if (strcmp(range.text, upper.text) != 0)
        snprintf(range.text + used, sizeof range.text - used, " to %.20s", upper.text);
    return range;
}

static void print_roof(FILE *out, const result_row *rows, size_t count, const result_row *roof)
{
    char place[96], note[320];
    const result_row *alarm = NULL;
    for (size_t i = 0; i < count; i++)
        if (same_roof(&rows[i], roof) && result_row_alarming(&rows[i]))
            alarm = &rows[i];
    fprintf(out, "Roof %s on %s", roof->kernel, table_place(roof, place, sizeof place));
    const format_text range = range_of(rows, count, roof, same_roof);
    if (range.text[0] != '-')
        fprintf(out, ": median %s %s%s%s\n", range.text,
                attn_roof_moves(roof->bound) ? "GB/s" : "GFLOP/s", alarm ? "; " : "",
                alarm ? table_note(alarm, note, sizeof note) : "");
    else
        fprintf(out, ": %s\n", table_note(roof, note, sizeof note));
}

/* Why a place of this line has no rate, unless a line before said so of its own. */
static const result_row *worst_of(const result_row *rows, size_t count, const result_row *row)
{
    const result_row *worst = NULL;
    for (size_t i = 0; i < count; i++) {
        const result_row *other = &rows[i];
        if (!same_line(other, row) || other->status == ATTN_OK)
            continue;
        bool said = false;
        for (size_t j = 0; j < i; j++)
            said |= same_machine(&rows[j], other) && rows[j].bound != other->bound &&
                    strcmp(rows[j].why.text, other->why.text) == 0;
        if (!said && (worst == NULL || result_row_alarming(other)))
            worst = other;
    }
    return worst;
}

static bool add_line(columns *c, const result_row *rows, size_t count, const result_row *row)
{
    enum { FIRST = 2 }; /* columns before L1 */
    char device[64], threads[16], note[320], full[sizeof note + 16] = "";
    format_text rates[ATTN_LEVELS] = {{""}};
    const result_row *worst = worst_of(rows, count, row);
    for (size_t i = 0; i < count; i++)
        if (same_line(&rows[i], row) && first_such(rows, i, same_cell))
            rates[rows[i].level] = range_of(rows, count, &rows[i], same_cell);
    if (worst != NULL)
        snprintf(full, sizeof full, "%s %s", attn_level_name(worst->level),
                 table_note(worst, note, sizeof note));
    const char *cells[FIRST + ATTN_LEVELS + 1] = {table_device(row, device, sizeof device),
                                                  table_threads(row, threads, sizeof threads),
                                                  attn_roof_kind_name(row->bound)};
    for (unsigned level = ATTN_LEVEL_L1; level < ATTN_LEVELS; level++)
        cells[FIRST + level] = rates[level].text;
    cells[FIRST + ATTN_LEVELS] = full;
    const columns_tone tone = worst == NULL                ? COLUMNS_PLAIN
                              : result_row_alarming(worst) ? COLUMNS_ALARM
                                                           : COLUMNS_WARN;
    return columns_add(c, cells, tone);
}

static void print_levels(FILE *out, const result_row *rows, size_t count, bool colour)
{
    static const char *const titles[] = {"device", "thr", "roof",   "L1",
                                         "L2",     "L3",  "memory", "note"};
    columns *c = columns_new(titles, "lrlrrrrl");
    bool any = false;
    for (size_t i = 0; c != NULL && i < count; i++)
        if (has_level(&rows[i]) && first_such(rows, i, same_line))
            any = add_line(c, rows, count, &rows[i]) || any;
    if (any) {
        fputs("\nBandwidth in GB/s of arrays that a cache holds, or only memory; bytes read and "
              "written by the program\n",
              out);
        columns_print(c, out, colour);
    }
    columns_free(c);
}

void table_roofs(FILE *out, const result_row *rows, size_t count, bool colour)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        if (rows[i].roof && !has_level(&rows[i]) && first_such(rows, i, same_roof)) {
            fputs(any ? "" : "\n", out);
            print_roof(out, rows, count, &rows[i]);
            any = true;
        }
    print_levels(out, rows, count, colour);
}
