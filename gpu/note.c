/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/file.h"
#include "attn/text.h"

#define MARK      "attnmark:"
#define MOST_LINE 400 /* characters after the mark */

/* All invocations of a workgroup, and all their rows. */
#define MOST_INVOCATIONS 1024
#define MOST_ROWS        4096

typedef struct place {
    const char *file;
    unsigned line;
} place;

static attn_status refuse(const place *at, attn_reason *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static attn_status refuse(const place *at, attn_reason *why, const char *format, ...)
{
    char text[sizeof why->text], file[sizeof why->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t length = strlen(at->file), most = 100;
    snprintf(file, sizeof file, "%s:%u", at->file + (length > most ? length - most : 0), at->line);
    return attn_file_refuse(why, file, "%s", text);
}

static const char *skip_blanks(const char *c)
{
    while (*c == ' ' || *c == '\t')
        c++;
    return c;
}

/* What follows the mark where a line is such a comment, else NULL. */
static const char *after_mark(const char *line)
{
    line = skip_blanks(line);
    if (strncmp(line, "//", 2) != 0)
        return NULL;
    line = skip_blanks(line + 2);
    return strncmp(line, MARK, strlen(MARK)) == 0 ? line + strlen(MARK) : NULL;
}

/* The only note of the text, its line number in at->line. */
static attn_status find(const char *text, place *at, const char **found, attn_reason *why)
{
    unsigned line = 1, found_line = 0;
    for (const char *c = text; c; c = strchr(c, '\n') ? strchr(c, '\n') + 1 : NULL, line++) {
        const char *after = after_mark(c);
        if (!after)
            continue;
        at->line = line;
        if (found_line > 0)
            return refuse(at, why, "a second line // " MARK " (the first is line %u)", found_line);
        found_line = line;
        *found = after;
    }
    at->line = found_line;
    if (found_line == 0)
        return attn_file_refuse(why, at->file,
                                "no line like // " MARK " plan=tile local=16x16 rows=4 (see "
                                "docs/adding-a-kernel.md)");
    return ATTN_OK;
}

static bool read_number(const char **c, uint32_t *number)
{
    char *end;
    if (**c < '1' || **c > '9')
        return false;
    const unsigned long value = strtoul(*c, &end, 10);
    *number = (uint32_t)value;
    *c = end;
    return value <= MOST_ROWS;
}

static attn_status read_plan(const char *value, gpu_note *note, const place *at, attn_reason *why)
{
    char names[120] = "";
    for (size_t i = 0; i < gpu_plan_kind_count; i++)
        attn_text_add(names, sizeof names, "%s%s", i ? ", " : "", gpu_plan_kinds[i].name);
    note->kind = gpu_plan_kind_find(value);
    return note->kind ? ATTN_OK
                      : refuse(at, why, "plan=%.20s: unknown (allowed: %s)", value, names);
}

static attn_status read_local(const char *value, gpu_note *note, const place *at, attn_reason *why)
{
    const char *c = value;
    note->local_y = 1;
    bool good = read_number(&c, &note->local_x);
    if (good && *c == 'x') {
        c++;
        good = read_number(&c, &note->local_y);
    }
    return good && *c == '\0' ? ATTN_OK
                              : refuse(at, why, "local=%.20s: want X or XxY, as 16x16, each 1..%d",
                                       value, MOST_INVOCATIONS);
}

static attn_status read_rows(const char *value, gpu_note *note, const place *at, attn_reason *why)
{
    const char *c = value;
    return read_number(&c, &note->rows) && *c == '\0'
               ? ATTN_OK
               : refuse(at, why, "rows=%.20s: want 1..%d", value, MOST_ROWS);
}

static attn_status read_contracts(const char *value, gpu_note *note, const place *at,
                                  attn_reason *why)
{
    static const struct {
        char letter;
        attn_contract contract;
    } known[GPU_NOTE_CONTRACTS] = {
        {'m', ATTN_CONTRACT_M}, {'f', ATTN_CONTRACT_F}, {'x', ATTN_CONTRACT_X}};
    note->contract_count = 0;
    for (int i = 0; i < GPU_NOTE_CONTRACTS; i++)
        if (strchr(value, known[i].letter))
            note->contracts[note->contract_count++] = known[i].contract;
    return note->contract_count > 0 && strlen(value) == note->contract_count
               ? ATTN_OK
               : refuse(at, why, "contracts=%.20s: want some of the letters mfx", value);
}

static attn_status read_story(const char *value, gpu_note *note, const place *at, attn_reason *why)
{
    if (strlen(value) >= sizeof note->story)
        return refuse(at, why, "story: want at most %zu characters", sizeof note->story - 1);
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return refuse(at, why, "story: holds a control character");
    snprintf(note->story, sizeof note->story, "%s", value);
    return ATTN_OK;
}

static attn_status read_word(const char *key, const char *value, gpu_note *note, const place *at,
                             attn_reason *why)
{
    static const struct {
        const char *key;
        attn_status (*read)(const char *, gpu_note *, const place *, attn_reason *);
    } known[] = {{"plan", read_plan},
                 {"local", read_local},
                 {"rows", read_rows},
                 {"contracts", read_contracts},
                 {"story", read_story}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(key, known[i].key) == 0)
            return known[i].read(value, note, at, why);
    return refuse(at, why, "'%.20s': unknown (allowed: plan=, local=, rows=, contracts=, story=)",
                  key);
}

/* Cuts the next KEY=VALUE or KEY="VALUE" out of a line. False at its end. */
static bool next_word(char **line, char **key, char **value)
{
    char *c = *line + strspn(*line, " \t");
    if (*c == '\0')
        return false;
    *key = c;
    c += strcspn(c, "= \t");
    *value = c;
    if (*c == '=') {
        *c++ = '\0';
        const char *ends = *c == '"' ? "\"" : " \t";
        c += *c == '"';
        *value = c;
        c += strcspn(c, ends);
    }
    if (*c != '\0')
        *c++ = '\0';
    *line = c;
    return true;
}

static attn_status check(const gpu_note *note, const place *at, attn_reason *why)
{
    if (!note->kind)
        return refuse(at, why, "plan= is missing");
    if (note->local_x == 0)
        return refuse(at, why, "local= is missing");
    const gpu_plan_kind *kind = note->kind;
    if (note->local_x > kind->most_x || note->local_y > kind->most_y ||
        note->rows > kind->most_rows)
        return refuse(at, why, "plan=%s takes local=%ux%u and rows=%u at most", kind->name,
                      (unsigned)kind->most_x, (unsigned)kind->most_y, (unsigned)kind->most_rows);
    const uint32_t invocations = note->local_x * note->local_y;
    if (invocations > MOST_INVOCATIONS || invocations * note->rows > MOST_ROWS)
        return refuse(at, why, "local=%ux%u rows=%u: at most %d invocations, and %d times rows",
                      (unsigned)note->local_x, (unsigned)note->local_y, (unsigned)note->rows,
                      MOST_INVOCATIONS, MOST_ROWS);
    return ATTN_OK;
}

attn_status gpu_note_read(const char *file, const char *text, gpu_note *note, attn_reason *why)
{
    place at = {file, 0};
    const char *found = NULL;
    *note = (gpu_note){.rows = 1,
                       .contracts = {ATTN_CONTRACT_M, ATTN_CONTRACT_F, ATTN_CONTRACT_X},
                       .contract_count = GPU_NOTE_CONTRACTS};
    attn_status status = find(text, &at, &found, why);
    if (status != ATTN_OK)
        return status;
    char copy[MOST_LINE], *line = copy, *key, *value;
    const size_t length = strcspn(found, "\r\n");
    if (length >= sizeof copy)
        return refuse(&at, why, "a line of at most %d characters wanted", MOST_LINE);
    memcpy(copy, found, length);
    copy[length] = '\0';
    while (status == ATTN_OK && next_word(&line, &key, &value))
        status = read_word(key, value, note, &at, why);
    return status == ATTN_OK ? check(note, &at, why) : status;
}
