/* SPDX-License-Identifier: Apache-2.0
 *
 * Text in columns as wide as their widest cell. A column without any text is left out.
 */
#ifndef HARNESS_COLUMNS_H
#define HARNESS_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

#define COLUMNS_MAX 16

typedef struct columns columns;
typedef enum { COLUMNS_PLAIN, COLUMNS_WARN, COLUMNS_ALARM } columns_tone;

/* align: one character per column, 'l' or 'r'; at most COLUMNS_MAX. NULL when out of memory. */
columns *columns_new(const char *const *titles, const char *align);
/* Copies the cells, one per column; control characters become '?'. The tone colours the line. */
bool columns_add(columns *c, const char *const *cells, columns_tone tone);
void columns_print(const columns *c, FILE *out, bool colour);
/* As a table of GitHub's Markdown. */
void columns_print_markdown(const columns *c, FILE *out);
/* A text on one line that is text to Markdown and HTML, whatever is in it. */
void columns_escape(FILE *out, const char *text);
/* A line of its own, control characters as '?'. */
void columns_text(FILE *out, const char *text);
void columns_free(columns *c);

/* Does this stream want colour? NO_COLOR, then CLICOLOR_FORCE, then: is it a terminal? */
bool columns_colour(FILE *out);

#endif
