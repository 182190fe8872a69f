/* SPDX-License-Identifier: Apache-2.0
 *
 * The text form of a workload, written and read.
 */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/text.h"
#include "attn/workload_keys.h"

/* printf and strtod follow the locale's decimal point; the text form never does. */
static void replace_point(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from);

    if (!at)
        return;
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
}

/* Room for a number of MAX_NUMBER characters and a decimal point of several bytes. */
enum { MAX_NUMBER = 64, NUMBER_BUFFER = MAX_NUMBER + 16 };

static double text_to_double(const char *text)
{
    char local[NUMBER_BUFFER];

    strcpy(local, text);
    replace_point(local, ".", localeconv()->decimal_point);
    return strtod(local, NULL);
}

static void double_to_text(double value, char text[NUMBER_BUFFER])
{
    for (int digits = 1; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(text, NUMBER_BUFFER, "%.*g", digits, value);
        replace_point(text, localeconv()->decimal_point, ".");
        if (text_to_double(text) == value)
            return;
    }
}

const char *attn_workload_format(const attn_workload *w, char text[ATTN_WORKLOAD_TEXT])
{
    char mask[ATTN_WORKLOAD_TEXT / 2 + 256], scale[NUMBER_BUFFER];

    snprintf(mask, sizeof mask, "%s", attn_mask_names[w->mask]);
    if (w->mask == ATTN_MASK_WINDOW || w->mask == ATTN_MASK_CHUNK)
        attn_text_add(mask, sizeof mask, ":%u", (unsigned)w->mask_size);
    if (w->mask == ATTN_MASK_LEN)
        for (uint32_t s = 0; s < w->lens; s++)
            attn_text_add(mask, sizeof mask, ":%u", (unsigned)w->len[s]);
    double_to_text(w->scale + 0.0, scale); /* -0 is written as 0 */
    snprintf(text, ATTN_WORKLOAD_TEXT,
             "b=%u,h=%u,hk=%u,n=%u,m=%u,d=%u,dv=%u,dtype=%s,mask=%s,scale=%s,split=%u",
             (unsigned)w->b, (unsigned)w->h, (unsigned)w->hk, (unsigned)w->n, (unsigned)w->m,
             (unsigned)w->d, (unsigned)w->dv, attn_dtype_name(w->dtype), mask, scale,
             (unsigned)w->split);
    return text;
}

/* The lengths that a key lists, rising. */
typedef struct sizes {
    uint32_t at[ATTN_MAX_SWEEP];
    size_t count;
} sizes;

/* What a text has said so far. */
typedef struct draft {
    attn_workload w;
    bool given[KEYS];
    sizes n, m;
} draft;

/* A whole token of decimal digits with a value in min..max. */
static bool read_integer(const char *text, uint32_t min, uint32_t max, uint32_t *value)
{
    uint64_t v = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        v = 10 * v + (uint64_t)(*text - '0');
        if (v > max)
            return false;
    }
    *value = (uint32_t)v;
    return v >= min;
}

static size_t skip_digits(const char **text)
{
    const char *start = *text;

    while (**text >= '0' && **text <= '9')
        ++*text;
    return (size_t)(*text - start);
}

/* [-+]digits[.digits][e[-+]digits], the digits before or after the point may be missing. */
static bool read_double(const char *text, double *value)
{
    const char *at = text;

    at += *at == '-' || *at == '+';
    size_t digits = skip_digits(&at);
    if (*at == '.') {
        at++;
        digits += skip_digits(&at);
    }
    if (digits && (*at == 'e' || *at == 'E')) {
        at++;
        at += *at == '-' || *at == '+';
        digits = skip_digits(&at);
    }
    if (!digits || *at || at - text > MAX_NUMBER)
        return false;
    *value = text_to_double(text) + 0.0; /* -0 becomes 0: one problem, one key */
    return fabs(*value) <= MAX_SCALE;
}

/* Splits off the text up to the separator; *rest becomes NULL after the last part. */
static char *next_part(char **rest, const char *separator)
{
    char *part = *rest, *end = strstr(part, separator);

    *rest = end ? end + strlen(separator) : NULL;
    if (end)
        *end = '\0';
    return part;
}

static bool read_sizes(sizes *list, char *text)
{
    if (strstr(text, "..")) {
        uint32_t from, to;
        char *rest = text;
        if (!read_integer(next_part(&rest, ".."), 1, ATTN_MAX_LENGTH, &from) ||
            !read_integer(rest, from, ATTN_MAX_LENGTH, &to))
            return false;
        for (uint64_t size = from; size <= to; size *= 2)
            list->at[list->count++] = (uint32_t)size;
        return true;
    }
    for (char *rest = text; rest; list->count++) {
        const uint32_t above = list->count ? list->at[list->count - 1] + 1 : 1;
        if (list->count == ATTN_MAX_SWEEP ||
            !read_integer(next_part(&rest, ":"), above, ATTN_MAX_LENGTH, &list->at[list->count]))
            return false;
    }
    return true;
}

static bool read_mask(attn_workload *w, char *text)
{
    char *rest = text;
    const char *name = next_part(&rest, ":");
    unsigned kind = 0;

    while (kind < MASK_KINDS && strcmp(name, attn_mask_names[kind]) != 0)
        kind++;
    if (kind == MASK_KINDS)
        return false;
    w->mask = (attn_mask_kind)kind;
    if (w->mask == ATTN_MASK_WINDOW || w->mask == ATTN_MASK_CHUNK)
        return rest && read_integer(rest, 1, ATTN_MAX_LENGTH, &w->mask_size);
    if (w->mask != ATTN_MASK_LEN)
        return !rest;
    if (!rest)
        return false;
    for (; rest; w->lens++)
        if (w->lens == ATTN_MAX_LENS ||
            !read_integer(next_part(&rest, ":"), 0, ATTN_MAX_LENGTH, &w->len[w->lens]))
            return false;
    return true;
}

static bool read_dtype(attn_workload *w, const char *text)
{
    for (unsigned i = 0; i < DTYPES; i++)
        if (strcmp(text, attn_dtype_name((attn_dtype)i)) == 0) {
            w->dtype = (attn_dtype)i;
            return true;
        }
    return false;
}

static bool read_value(draft *t, size_t key, char *value)
{
    switch (key) {
    case KEY_N:
        return read_sizes(&t->n, value);
    case KEY_M:
        return read_sizes(&t->m, value);
    case KEY_DTYPE:
        return read_dtype(&t->w, value);
    case KEY_MASK:
        return read_mask(&t->w, value);
    case KEY_SCALE:
        return read_double(value, &t->w.scale);
    default:
        return read_integer(value, attn_keys[key].min, attn_keys[key].max,
                            (uint32_t *)((char *)&t->w + attn_keys[key].offset));
    }
}

/* One `key=value`. */
static attn_status read_item(draft *t, char *item, attn_reason *why)
{
    char shown[40];
    char *value = strchr(item, '=');
    size_t key = 0;

    if (!value)
        return attn_because(why, ATTN_ERROR, "key=value wanted, got '%.40s'", item);
    *value++ = '\0';
    while (key < KEYS && strcmp(item, attn_keys[key].name) != 0)
        key++;
    if (key == KEYS)
        return attn_because(why, ATTN_ERROR,
                            "unknown key '%.40s': b, h, hk, n, m, d, dv, dtype, mask, scale or "
                            "split wanted",
                            item);
    if (t->given[key])
        return attn_because(why, ATTN_ERROR, "%s: given twice", item);
    t->given[key] = true;
    snprintf(shown, sizeof shown, "%s", value); /* reading takes the value apart */
    if (read_value(t, key, value))
        return ATTN_OK;
    return attn_because(why, ATTN_ERROR, "%s: %s wanted, got '%s'", item, attn_keys[key].wanted,
                        shown);
}

attn_status attn_workload_parse(const char *text, attn_workload list[ATTN_MAX_SWEEP], size_t *count,
                                attn_reason *why)
{
    draft t = {.w = attn_workload_default(1024, 64)};
    char copy[2 * ATTN_WORKLOAD_TEXT];

    *count = 0;
    if (strlen(text) >= sizeof copy)
        return attn_because(why, ATTN_ERROR, "a workload of at most %zu characters wanted",
                            sizeof copy - 1);
    strcpy(copy, text);
    for (char *rest = *copy ? copy : NULL; rest;) {
        const attn_status status = read_item(&t, next_part(&rest, ","), why);
        if (status != ATTN_OK)
            return status;
    }
    if (t.n.count > 1 && t.m.count > 1)
        return attn_because(why, ATTN_ERROR, "m: one size wanted where n sweeps");
    if (!t.given[KEY_N])
        t.n.at[t.n.count++] = t.w.n;
    if (!t.given[KEY_HK])
        t.w.hk = t.w.h;
    if (!t.given[KEY_DV])
        t.w.dv = t.w.d;
    if (!t.given[KEY_SCALE])
        t.w.scale = 1.0 / sqrt(t.w.d);
    const size_t all = t.m.count > 1 ? t.m.count : t.n.count;
    for (size_t i = 0; i < all; i++) {
        t.w.n = t.n.at[t.n.count > 1 ? i : 0];
        t.w.m = t.m.count == 0 ? t.w.n : t.m.at[t.m.count > 1 ? i : 0];
        const attn_status status = attn_workload_check(&t.w, why);
        if (status != ATTN_OK)
            return status;
        list[i] = t.w;
    }
    *count = all;
    return ATTN_OK;
}
