/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/columns.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attn/text.h"

typedef struct line {
    columns_tone tone;
    char *cell[COLUMNS_MAX];
} line;

struct columns {
    size_t count; /* columns */
    char align[COLUMNS_MAX];
    line title;
    line *lines;
    size_t line_count;
};

/* Characters, not bytes, of UTF-8: device names are not always ASCII. */
static size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static char *clean_copy(const char *text)
{
    char *copy = strdup(text), *end = copy;
    if (copy == NULL)
        return NULL;
    while (*text != '\0') {
        const size_t control = attn_text_control(text);
        *end++ = control > 0 ? '?' : *text;
        text += control > 0 ? control : 1;
    }
    *end = '\0';
    return copy;
}

static void free_line(line *l, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(l->cell[i]);
}

static bool fill_line(line *l, size_t count, const char *const *cells)
{
    bool filled = true;
    for (size_t i = 0; i < count; i++) {
        l->cell[i] = clean_copy(cells[i]);
        filled = filled && l->cell[i] != NULL;
    }
    if (!filled)
        free_line(l, count);
    return filled;
}

columns *columns_new(const char *const *titles, const char *align)
{
    columns *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->count = strlen(align);
    memcpy(c->align, align, c->count);
    if (!fill_line(&c->title, c->count, titles)) {
        free(c);
        return NULL;
    }
    return c;
}

bool columns_add(columns *c, const char *const *cells, columns_tone tone)
{
    line *grown = realloc(c->lines, (c->line_count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    c->lines = grown;
    line *l = &c->lines[c->line_count];
    l->tone = tone;
    if (!fill_line(l, c->count, cells))
        return false;
    c->line_count++;
    return true;
}

/* 0 for a column without text. */
static size_t column_width(const columns *c, size_t column)
{
    size_t widest = 0;
    for (size_t i = 0; i < c->line_count; i++) {
        size_t width = text_width(c->lines[i].cell[column]);
        widest = width > widest ? width : widest;
    }
    size_t title = text_width(c->title.cell[column]);
    return widest == 0 ? 0 : widest > title ? widest : title;
}

static void print_line(const columns *c, const line *l, const size_t *width, const char *colour,
                       FILE *out)
{
    size_t last = c->count;
    while (last > 0 && (width[last - 1] == 0 || l->cell[last - 1][0] == '\0'))
        last--;
    bool first = true;
    fputs(colour, out);
    for (size_t i = 0; i < last; i++) {
        if (width[i] == 0)
            continue;
        int pad = (int)(width[i] - text_width(l->cell[i]));
        bool right = c->align[i] == 'r';
        fprintf(out, "%s%*s%s", first ? "" : "  ", right ? pad : 0, "", l->cell[i]);
        if (!right && i + 1 < last)
            fprintf(out, "%*s", pad, "");
        first = false;
    }
    fputs(colour[0] != '\0' ? "\033[0m\n" : "\n", out);
}

void columns_print(const columns *c, FILE *out, bool colour)
{
    static const char *const tone[] = {"", "\033[33m", "\033[31m"};
    size_t width[COLUMNS_MAX];
    for (size_t i = 0; i < c->count; i++)
        width[i] = column_width(c, i);
    print_line(c, &c->title, width, colour ? "\033[1m" : "", out);
    for (size_t i = 0; i < c->line_count; i++)
        print_line(c, &c->lines[i], width, colour ? tone[c->lines[i].tone] : "", out);
}

void columns_escape(FILE *out, const char *text)
{
    static const char special[] = "&<>|\\`*~";
    for (const char *c = text; *c != '\0'; c++) {
        const bool link = *c == ']' && (c[1] == '(' || c[1] == '[' || c[1] == ':');
        const size_t control = attn_text_control(c);
        if (control > 0) {
            fputc('?', out);
            c += control - 1;
        } else if (link || strchr(special, *c) != NULL) {
            fprintf(out, "&#%d;", *c);
        } else {
            fputc(*c, out);
        }
    }
}

static void print_markdown_line(const columns *c, const line *l, const size_t *width, FILE *out)
{
    for (size_t i = 0; i < c->count; i++) {
        if (width[i] == 0)
            continue;
        fputs("| ", out);
        columns_escape(out, l->cell[i]);
        fputc(' ', out);
    }
    fputs("|\n", out);
}

void columns_print_markdown(const columns *c, FILE *out)
{
    size_t width[COLUMNS_MAX];
    for (size_t i = 0; i < c->count; i++)
        width[i] = column_width(c, i);
    print_markdown_line(c, &c->title, width, out);
    for (size_t i = 0; i < c->count; i++)
        if (width[i] > 0)
            fputs(c->align[i] == 'r' ? "|---:" : "|---", out);
    fputs("|\n", out);
    for (size_t i = 0; i < c->line_count; i++)
        print_markdown_line(c, &c->lines[i], width, out);
}

void columns_text(FILE *out, const char *text)
{
    char *clean = clean_copy(text);
    fprintf(out, "%s\n", clean ? clean : "");
    free(clean);
}

void columns_free(columns *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->line_count; i++)
        free_line(&c->lines[i], c->count);
    free_line(&c->title, c->count);
    free(c->lines);
    free(c);
}

bool columns_colour(FILE *out)
{
    const char *no = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE");
    if (no != NULL && no[0] != '\0')
        return false;
    if (force != NULL && force[0] != '\0' && strcmp(force, "0") != 0)
        return true;
    return isatty(fileno(out));
}
