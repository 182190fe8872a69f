/* SPDX-License-Identifier: Apache-2.0
 *
 * The first run of an island against each other one.
 */
#include <math.h>

#include "harness/compare.h"
#include "harness/report/data.h"

static json_t *row_place(const data_builder *b, size_t r, const result_row *row)
{
    return json_value_count(b->places[r][row - b->runs[r].rows]);
}

static json_t *pairs_json(const data_builder *b, size_t other, const comparison *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->count; i++) {
        const compare_pair *pair = &c->pairs[i];
        const stats_ratio *ratio = &pair->raw.ratio;
        json_t *o = json_object();
        json_object_set_new(o, "a", row_place(b, 0, pair->a));
        json_object_set_new(o, "b", row_place(b, other, pair->b));
        json_object_set_new(o, "ratio", json_value_number(ratio->value));
        json_object_set_new(o, "low", json_value_number(ratio->low));
        json_object_set_new(o, "high", json_value_number(ratio->high));
        json_object_set_new(o, "p", json_value_number(pair->raw.p));
        json_object_set_new(o, "verdict", json_string(compare_verdict_name(pair->verdict)));
        json_object_set_new(o, "why", json_value_text(pair->why.text));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *counts_json(const comparison *c)
{
    json_t *o = json_object();
    for (int v = 0; v < COMPARE_VERDICTS; v++)
        json_object_set_new(o, compare_verdict_name((compare_verdict)v),
                            json_value_count(c->verdicts[v]));
    return o;
}

/* Rows that are in no pair. */
static json_t *left_json(const comparison *c)
{
    size_t only_a = 0, only_b = 0;
    for (size_t i = 0; i < c->left_count; i++) {
        only_a += c->left[i].kind == COMPARE_ONLY_A;
        only_b += c->left[i].kind == COMPARE_ONLY_B;
    }
    json_t *o = json_object();
    json_object_set_new(o, "only_a", json_value_count(only_a));
    json_object_set_new(o, "only_b", json_value_count(only_b));
    json_object_set_new(o, "not_ok", json_value_count(c->left_count - only_a - only_b));
    return o;
}

/* [[what, a, b]] */
static json_t *differences_json(compare_side a, compare_side b)
{
    static const char *const names[] = {"what", "a", "b"};
    json_t *found = compare_differences(a, b), *list = json_array();
    for (size_t i = 0; i < json_array_size(found); i++) {
        json_t *texts = json_array();
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            json_array_append_new(
                texts,
                data_known(data_value(json_object_get(json_array_get(found, i), names[n])).text));
        json_array_append_new(list, texts);
    }
    json_decref(found);
    return list;
}

static void set_results(json_t *o, const data_builder *b, size_t other, const comparison *c,
                        const char *error)
{
    json_object_set_new(o, "mean_ratio", json_value_number(c->mean_ratio));
    json_object_set_new(o, "counts", counts_json(c));
    json_object_set_new(o, "left_out", left_json(c));
    json_object_set_new(o, "error", json_value_text(error));
    json_object_set_new(o, "pairs", pairs_json(b, other, c));
}

/* NULL when out of memory. */
static json_t *comparison_json(const data_builder *b, size_t other)
{
    const compare_options options = {.margin = COMPARE_MARGIN};
    const compare_side one = {b->runs, 1}, two = {&b->runs[other], 1};
    comparison c;
    attn_reason why = {""};
    const attn_status status = compare_runs(one, two, &options, &c, &why);
    if (status == ATTN_OUT_OF_MEMORY)
        return NULL;
    json_t *o = json_object();
    json_object_set_new(o, "a", json_integer(0));
    json_object_set_new(o, "b", json_value_count(other));
    json_object_set_new(o, "differences", differences_json(one, two));
    json_object_set_new(o, "warnings", compare_warnings(one, two));
    if (status != ATTN_OK)
        c = (comparison){.mean_ratio = NAN};
    set_results(o, b, other, &c, status == ATTN_OK ? NULL : why.text);
    compare_free(&c);
    return o;
}

json_t *data_comparisons(const data_builder *b)
{
    json_t *list = json_array();
    for (size_t r = 1; r < b->count; r++) {
        json_t *o = comparison_json(b, r);
        if (o == NULL) {
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, o);
    }
    return list;
}
