/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/compare.h"
#include "harness/json_value.h"

static void set_times(json_t *o, const char *prefix, const compare_times *t)
{
    const struct {
        const char *name;
        double value;
    } fields[] = {{"ratio", t->ratio.value},
                  {"ratio_low", t->ratio.low},
                  {"ratio_high", t->ratio.high},
                  {"p", t->p},
                  {"share_slower", t->share}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s%s", prefix, fields[i].name);
        json_object_set_new(o, name, json_value_number(fields[i].value));
    }
}

static json_t *key_json(const result_row *row)
{
    char text[ATTN_WORKLOAD_TEXT];
    json_t *o = json_object();
    json_object_set_new(o, "kernel", json_value_text(row->kernel));
    json_object_set_new(o, "workload", json_value_text(attn_workload_format(row->workload, text)));
    json_object_set_new(o, "tier", json_value_text(attn_tier_name(row->tier)));
    json_object_set_new(o, "threads", row->threads ? json_integer(row->threads) : json_null());
    json_object_set_new(o, "device", json_value_text(row->device));
    json_object_set_new(o, "device_name", json_value_text(row->device_name));
    return o;
}

static json_t *pair_json(const compare_pair *pair)
{
    json_t *o = key_json(pair->a);
    json_object_set_new(o, "kernel_b", json_value_text(pair->b->kernel));
    json_object_set_new(o, "runs_a", json_value_count(pair->runs_a));
    json_object_set_new(o, "runs_b", json_value_count(pair->runs_b));
    json_object_set_new(o, "median_a_ns", json_value_number(pair->a->median_ns));
    json_object_set_new(o, "median_b_ns", json_value_number(pair->b->median_ns));
    set_times(o, "", &pair->raw);
    set_times(o, "normalised_", &pair->normalised);
    json_object_set_new(o, "in_turn", json_boolean(pair->in_turn));
    json_object_set_new(o, "roof_ratio", json_value_number(pair->machine));
    json_object_set_new(o, "verdict", json_value_text(compare_verdict_name(pair->verdict)));
    json_object_set_new(o, "reason", json_value_text(pair->why.text));
    return o;
}

static json_t *left_json(const compare_left *left)
{
    static const char *const kinds[] = {"only in A", "only in B", "not ok in A", "not ok in B",
                                        "not ok in both"};
    json_t *o = key_json(left->row);
    json_object_set_new(o, "left_out", json_string(kinds[left->kind]));
    json_object_set_new(o, "status", json_value_text(attn_status_name(left->row->status)));
    json_object_set_new(o, "reason", json_value_text(left->row->why.text));
    return o;
}

static json_t *runs_json(compare_side side)
{
    json_t *runs = json_array();
    for (size_t r = 0; r < side.count; r++)
        json_array_append_new(runs, json_value_text(side.runs[r].path));
    return runs;
}

static json_t *summary_json(const comparison *c)
{
    json_t *o = json_object();
    for (int v = 0; v < COMPARE_VERDICTS; v++)
        json_object_set_new(o, compare_verdict_name((compare_verdict)v),
                            json_value_count(c->verdicts[v]));
    json_object_set_new(o, "pairs", json_value_count(c->count));
    json_object_set_new(o, "mean_ratio", json_value_number(c->mean_ratio));
    return o;
}

json_t *compare_json(compare_side a, compare_side b, const comparison *c)
{
    json_t *pairs = json_array(), *left = json_array(), *o = json_object();
    for (size_t i = 0; i < c->count; i++)
        json_array_append_new(pairs, pair_json(&c->pairs[i]));
    for (size_t i = 0; i < c->left_count; i++)
        json_array_append_new(left, left_json(&c->left[i]));
    json_object_set_new(o, "a", runs_json(a));
    json_object_set_new(o, "b", runs_json(b));
    json_object_set_new(o, "warnings", compare_warnings(a, b));
    json_object_set_new(o, "differences", compare_differences(a, b));
    json_object_set_new(o, "pairs", pairs);
    json_object_set_new(o, "left_out", left);
    json_object_set_new(o, "summary", summary_json(c));
    return o;
}
