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
}

caption caption_of_rows(const result_row *rows, size_t count)
{
    caption c = {{false}, {false}};
    fields first, other;
    for (size_t i = 0; i < count; i++) {
        const attn_workload *w = rows[i].workload;
        split_fields(w, i == 0 ? &first : &other);
        for (size_t f = 0; i > 0 && f < CAPTION_FIELDS; f++)
            c.differs[f] = c.differs[f] || strcmp(first.field[f], other.field[f]) != 0;
        for (size_t f = 0; f < CAPTION_FIELDS; f++)
            c.shown[f] = c.shown[f] || (f != HK && f != M && f != DV && f != SCALE && f != SPLIT);
        c.shown[HK] = c.shown[HK] || w->hk != w->h;
        c.shown[M] = c.shown[M] || w->m != w->n;
        c.shown[DV] = c.shown[DV] || w->dv != w->d;
        c.shown[SPLIT] = c.shown[SPLIT] || w->split != 0;
        c.shown[SCALE] = c.shown[SCALE] || w->scale != attn_workload_default(w->n, w->d).scale;
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
