/* SPDX-License-Identifier: Apache-2.0
 *
 * A page: the template, in whose lines @NAME@ stands for a part, with all parts in one file.
 */
#include <stdlib.h>
#include <string.h>

#include "attn/text.h"
#include "harness/columns.h"
#include "harness/report/assets.h"
#include "harness/report/report.h"

#define DIGITS 6 /* of numbers that are shown; counts have all */

/* What takes the place of the template's parts. */
typedef struct page {
    const char *title;
    const char *data; /* JSON */
    const report_asset *scripts;
} page;

static void put_lines(FILE *out, const char *const *lines)
{
    for (; *lines != NULL; lines++)
        fputs(*lines, out);
    fputc('\n', out);
}

static void put_assets(FILE *out, const report_asset *list)
{
    for (; list->name != NULL; list++)
        put_lines(out, list->lines);
}

static void put_title(FILE *out, const page *p)
{
    columns_escape(out, p->title);
    fputc('\n', out);
}

static void put_style(FILE *out, const page *p)
{
    (void)p;
    put_assets(out, report_styles);
}

/* A licence wants to be where the program is. */
static void put_script(FILE *out, const page *p)
{
    for (const report_asset *licence = report_licences; licence->name != NULL; licence++) {
        fprintf(out, "/* %s\n\n", licence->name);
        put_lines(out, licence->lines);
        fputs("*/\n", out);
    }
    put_assets(out, p->scripts);
}

/* JSON has these characters in texts only, where \u is as good: nothing ends the element, and no
 * line ends in a script. What turns the direction of writing would move its neighbours, too. */
static void put_data(FILE *out, const page *p)
{
    for (const char *c = p->data; *c != '\0'; c++) {
        const size_t control = attn_text_control(c); /* longer than those that JSON escapes */
        if (control > 0) {
            fputc('?', out);
            c += control - 1;
        } else if (strchr("<>&", *c) != NULL) {
            fprintf(out, "\\u%04x", (unsigned)*c);
        } else if (strncmp(c, "\u2028", 3) == 0 || strncmp(c, "\u2029", 3) == 0) {
            fputs(c[2] == '\xa8' ? "\\u2028" : "\\u2029", out);
            c += 2;
        } else {
            fputc(*c, out);
        }
    }
    fputc('\n', out);
}

static const struct {
    const char *line;
    void (*put)(FILE *out, const page *p);
} parts[] = {
    {"@TITLE@\n", put_title},
    {"@STYLE@\n", put_style},
    {"@SCRIPT@\n", put_script},
    {"@DATA@\n", put_data},
};

static void put_line(FILE *out, const page *p, const char *line)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(line + strspn(line, " "), parts[i].line) == 0) {
            parts[i].put(out, p);
            return;
        }
    fputs(line, out);
}

attn_status report_put_page(FILE *out, const report_asset *scripts, const json_t *data,
                            attn_reason *why)
{
    char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    const page p = {json_string_value(json_object_get(data, "title")), text, scripts};
    if (text != NULL && p.title != NULL)
        for (const char *const *line = report_templates[0].lines; *line != NULL; line++)
            put_line(out, &p, *line);
    free(text);
    return text != NULL && p.title != NULL ? ATTN_OK
                                           : attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
}

attn_status report_page(FILE *out, const report *r, attn_reason *why)
{
    const attn_status status = report_put_page(out, report_scripts, r->data, why);
    const long bytes = ftell(out);
    if (status != ATTN_OK || bytes <= REPORT_MOST_BYTES)
        return status;
    return attn_because(why, ATTN_ERROR,
                        "a page of %zu rows has %ld bytes, and may have %d: choose fewer by "
                        "--kernel GLOB or --workload TEXT",
                        json_array_size(json_object_get(r->data, "rows")), bytes,
                        REPORT_MOST_BYTES);
}
