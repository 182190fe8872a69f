/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/caption.h"

#include <string.h>

/* Fields of the canonical text, in its order. */
enum { B, H, HK, N, M, D, DV, DTYPE, MASK, SCALE, SPLIT };

typedef struct fields {
    char text[ATTN_WORKLOAD_TEXT];
    const char *field[CAPTION_FIELDS];
} fields;

static void split_fields(const attn_workload *w, fields *f)
{
    attn_workload_format(w, f->text);
    char *next = f->text;
    for (size_t i = 0; i < CAPTION_FIELDS; i++) {
        f->field[i] = next;
        next += strcspn(next, ",");
        if (*next == ',')
            *next++ = '\0';
    }
    if (w->n == 0 && w->m == 0)
        f->field[M] = "m=n"; /* both sweep: see without_length */
}

/* Takes another workload in; the first one shows what differs. */
static void meet(caption *c, const attn_workload *first, const attn_workload *w)
{
    fields one, other;
    split_fields(first, &one);
    split_fields(w, &other);
    for (size_t f = 0; f < CAPTION_FIELDS; f++) {
        c->differs[f] = c->differs[f] || strcmp(one.field[f], other.field[f]) != 0;
        c->shown[f] = c->shown[f] || (f != HK && f != M && f != DV && f != SCALE && f != SPLIT);
    }
    c->shown[HK] = c->shown[HK] || w->hk != w->h;
    c->shown[M] = c->shown[M] || w->m != w->n;
    c->shown[DV] = c->shown[DV] || w->dv != w->d;
    c->shown[SPLIT] = c->shown[SPLIT] || w->split != 0;
    c->shown[SCALE] = c->shown[SCALE] || w->scale != attn_workload_default(w->n, w->d).scale;
}

caption caption_of_rows(const result_row *rows, size_t count)
{
    caption c = {{false}, {false}};
    for (size_t i = 0; i < count; i++)
        meet(&c, rows[0].workload, rows[i].workload);
    return c;
}

/* What the rows of a curve share: the lengths that sweep are 0. */
static attn_workload without_length(const series *s)
{
    attn_workload w = *s->first->workload;
    w.n = s->axis == SERIES_M ? w.n : 0;
    w.m = s->axis == SERIES_N ? w.m : 0;
    return w;
}

caption caption_of_curves(const series *list, size_t count, char length)
{
    caption c = {{false}, {false}};
    attn_workload first;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (series_length(&list[i]) != length)
            continue;
        const attn_workload w = without_length(&list[i]);
        first = any ? first : w;
        any = true;
        meet(&c, &first, &w);
    }
    return c;
}

static const char *join(const caption *c, const attn_workload *w, bool differing,
                        char text[ATTN_WORKLOAD_TEXT])
{
    fields f;
    split_fields(w, &f);
    text[0] = '\0';
    for (size_t i = 0; i < CAPTION_FIELDS; i++)
        if (c->shown[i] && c->differs[i] == differing) {
            if (text[0] != '\0')
                strcat(text, " ");
            strcat(text, f.field[i]);
        }
    return text;
}

const char *caption_shared(const caption *c, const attn_workload *w, char text[ATTN_WORKLOAD_TEXT])
{
    return join(c, w, false, text);
}

const char *caption_own(const caption *c, const attn_workload *w, char text[ATTN_WORKLOAD_TEXT])
{
    return join(c, w, true, text);
}

const char *caption_curve(const caption *c, const series *s, char text[ATTN_WORKLOAD_TEXT])
{
    const attn_workload w = without_length(s);
    return caption_own(c, &w, text);
}
