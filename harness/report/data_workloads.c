/* SPDX-License-Identifier: Apache-2.0
 *
 * The workloads of an island, each once.
 */
#include <stdarg.h>
#include <string.h>

#include "harness/report/data.h"
#include "harness/series.h"

/* The value of a field of a canonical text: "mask=window:64" gives "window:64". */
static data_text field(const char *text, const char *name)
{
    data_text out = {""};
    char key[16];
    snprintf(key, sizeof key, ",%s=", name);
    const char *found = strstr(text, key);
    if (found != NULL)
        snprintf(out.text, sizeof out.text, "%.*s", (int)strcspn(found + strlen(key), ","),
                 found + strlen(key));
    return out;
}

__attribute__((format(printf, 3, 4))) static void word(data_text *out, bool shown,
                                                       const char *format, ...)
{
    const size_t used = strlen(out->text);
    va_list arguments;
    if (!shown || used + 2 > sizeof out->text)
        return;
    snprintf(out->text + used, sizeof out->text - used, "%s", used > 0 ? " " : "");
    const size_t start = strlen(out->text);
    va_start(arguments, format);
    vsnprintf(out->text + start, sizeof out->text - start, format, arguments);
    va_end(arguments);
}

/* "h=8 n=1024 d=64 causal": what is as by default is left out. */
static data_text label_of(const attn_workload *w, const char *text)
{
    const attn_workload plain = attn_workload_default(w->n, w->d);
    data_text out = {""};
    word(&out, w->b != 1, "b=%u", (unsigned)w->b);
    word(&out, true, "h=%u", (unsigned)w->h);
    word(&out, w->hk != w->h, "hk=%u", (unsigned)w->hk);
    word(&out, true, "n=%u", (unsigned)w->n);
    word(&out, w->m != w->n, "m=%u", (unsigned)w->m);
    word(&out, true, "d=%u", (unsigned)w->d);
    word(&out, w->dv != w->d, "dv=%u", (unsigned)w->dv);
    word(&out, w->split != 0, "split=%u", (unsigned)w->split);
    word(&out, w->scale != plain.scale, "scale=%s", field(text, "scale").text);
    word(&out, w->dtype != ATTN_F32, "%s", attn_dtype_name(w->dtype));
    word(&out, w->mask != ATTN_MASK_FULL, "%s", field(text, "mask").text);
    return out;
}

/* The place of a text among the names of an object, which gets it where it is new. */
static json_t *place_of(json_t *places, const char *text)
{
    json_t *place = json_object_get(places, text);
    if (place == NULL) {
        json_object_set_new(places, text, json_value_count(json_object_size(places)));
        place = json_object_get(places, text);
    }
    return json_incref(place);
}

static json_t *workload_json(data_builder *b, const attn_workload *w, const char *text)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"b", w->b},
                  {"h", w->h},
                  {"hk", w->hk},
                  {"n", w->n},
                  {"m", w->m},
                  {"d", w->d},
                  {"dv", w->dv},
                  {"flops", attn_flops(w)},
                  {"bytes", attn_bytes(w)}};
    char key[ATTN_WORKLOAD_TEXT];
    json_t *o = json_object();
    json_object_set_new(o, "text", json_string(text));
    json_object_set_new(o, "label", json_string(label_of(w, text).text));
    json_object_set_new(o, "group", place_of(b->groups, series_workload(w, key)));
    json_object_set_new(o, "dtype", json_string(attn_dtype_name(w->dtype)));
    json_object_set_new(o, "mask", json_string(field(text, "mask").text));
    json_object_set_new(o, "decode", json_boolean(w->n == 1 && w->m > 1));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_object_set_new(o, counts[i].name, json_value_count(counts[i].value));
    return o;
}

json_t *data_workload_place(data_builder *b, const attn_workload *w)
{
    char text[ATTN_WORKLOAD_TEXT];
    const size_t before = json_object_size(b->workload_places);
    json_t *place = place_of(b->workload_places, attn_workload_format(w, text));
    if (json_object_size(b->workload_places) > before)
        json_array_append_new(b->workloads, workload_json(b, w, text));
    return place;
}
