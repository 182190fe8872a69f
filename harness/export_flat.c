/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV and SQL: one line per row, one column per field of run.jsonl but for lists of samples.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/export.h"
#include "harness/store.h"

#define TABLE "attnmark_rows"

/* An object with a member per column, in the order of run.jsonl: lists are left out. */
static json_t *columns_of_rows(void)
{
    const attn_workload w = attn_workload_default(1, 1);
    result_row blank;
    result_row_init(&blank);
    blank.kernel = blank.device = blank.device_name = "";
    blank.workload = &w;
    json_t *fields = store_row_json(&blank);
    json_t *columns = json_object();
    const char *name;
    json_t *value;
    json_object_foreach(fields, name, value)
    {
        if (!json_is_array(value))
            json_object_set_new(columns, name, json_null());
    }
    json_decref(fields);
    return columns;
}

/* What writes one value; NULL: the field is not there. */
typedef void put_value(FILE *out, const json_t *value);

/* A text in quotes that are doubled inside it. */
static void put_quoted(FILE *out, const char *text, char quote)
{
    fputc(quote, out);
    for (const char *c = text; *c; c++) {
        if (*c == quote)
            fputc(quote, out);
        fputc(*c, out);
    }
    fputc(quote, out);
}

/* Numbers as they are; objects and lists as JSON. Allocated. */
static char *plain_text(const json_t *value)
{
    const char *text = json_string_value(value);
    if (value == NULL || json_is_null(value))
        return strdup("");
    return text != NULL ? strdup(text) : json_value_line(value);
}

static void put_csv_text(FILE *out, const char *text)
{
    if (strpbrk(text, "\",\r\n") != NULL)
        put_quoted(out, text, '"');
    else
        fputs(text, out);
}

static void put_csv(FILE *out, const json_t *value)
{
    char *text = plain_text(value);
    put_csv_text(out, text != NULL ? text : "");
    free(text);
}

static void put_sql(FILE *out, const json_t *value)
{
    char *text = plain_text(value);
    if (value == NULL || json_is_null(value) || text == NULL)
        fputs("NULL", out);
    else if (json_is_boolean(value))
        fputc(json_is_true(value) ? '1' : '0', out);
    else if (json_is_number(value))
        fputs(text, out);
    else
        put_quoted(out, text, '\'');
    free(text);
}

/* The other columns of one row, each behind a comma. */
static void put_fields(FILE *out, const json_t *columns, const json_t *row, put_value *put)
{
    const char *name;
    json_t *unused;
    json_object_foreach((json_t *)columns, name, unused)
    {
        fputc(',', out);
        put(out, json_object_get(row, name));
    }
}

attn_status export_csv(FILE *out, const run_file *runs, size_t count, attn_reason *why)
{
    json_t *columns = columns_of_rows();
    const char *name;
    json_t *unused;
    if (columns == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    fputs("run", out);
    json_object_foreach(columns, name, unused) fprintf(out, ",%s", name);
    fputs("\r\n", out);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < runs[r].count; i++) {
            put_csv_text(out, runs[r].path);
            put_fields(out, columns, json_array_get(runs[r].lines, i), put_csv);
            fputs("\r\n", out);
        }
    json_decref(columns);
    return ATTN_OK;
}

attn_status export_sql(FILE *out, const run_file *runs, size_t count, attn_reason *why)
{
    json_t *columns = columns_of_rows();
    const char *name;
    json_t *unused;
    if (columns == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    fputs("BEGIN;\nCREATE TABLE IF NOT EXISTS " TABLE " (\"run\"", out);
    json_object_foreach(columns, name, unused)
    {
        fputc(',', out);
        put_quoted(out, name, '"');
    }
    fputs(");\n", out);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < runs[r].count; i++) {
            fputs("INSERT INTO " TABLE " VALUES (", out);
            put_quoted(out, runs[r].path, '\'');
            put_fields(out, columns, json_array_get(runs[r].lines, i), put_sql);
            fputs(");\n", out);
        }
    fputs("COMMIT;\n", out);
    json_decref(columns);
    return ATTN_OK;
}
