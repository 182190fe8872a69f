/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "harness/columns.h"
#include "harness/format.h"
#include "harness/tune.h"

bool tune_group_alarming(const tune_group *g)
{
    bool any = attn_status_alarming(g->status);
    for (size_t i = 0; i < g->count; i++)
        any = any || attn_status_alarming(g->list[i].status);
    return any;
}

static columns_tone tone_of(attn_status status)
{
    return status == ATTN_OK              ? COLUMNS_PLAIN
           : attn_status_alarming(status) ? COLUMNS_ALARM
                                          : COLUMNS_WARN;
}

static const char *reason(char text[300], attn_status status, const attn_reason *why)
{
    snprintf(text, 300, "%s: %s", attn_status_name(status), why->text);
    return text;
}

static void add(columns *table, const tune_group *g, const tune_candidate *k, const char *note,
                columns_tone tone)
{
    const bool runs = g->status != ATTN_UNAVAILABLE; /* else there is no workload */
    const gpu_class class = runs ? gpu_class_of(&g->w) : (gpu_class){0, false};
    char head[16], ratio[32] = "";
    snprintf(head, sizeof head, "%u", (unsigned)class.head);
    if (k && isfinite(k->median_s) && g->own && isfinite(g->own->median_s))
        snprintf(ratio, sizeof ratio, "%.2fx", g->own->median_s / k->median_s);
    const format_text median = format_ns(k ? 1e9 * k->median_s : NAN);
    const char *const cells[] = {g->kernel->device,
                                 g->kernel->name,
                                 runs ? head : "",
                                 !runs       ? ""
                                 : class.few ? "few"
                                             : "many",
                                 k ? k->config : "",
                                 median.text,
                                 ratio,
                                 note};
    columns_add(table, cells, tone);
}

static void add_group(columns *table, const tune_group *g, bool best)
{
    char note[300];
    if (g->status != ATTN_OK)
        add(table, g, NULL, reason(note, g->status, &g->why), tone_of(g->status));
    for (size_t i = 0; i < g->count; i++) {
        const tune_candidate *k = &g->list[i];
        if (k->status == ATTN_OK && g->status != ATTN_OK)
            continue; /* no more to be said of it */
        if (k->status != ATTN_OK)
            reason(note, k->status, &k->why);
        else if (k != g->chosen)
            snprintf(note, sizeof note, "%s", k == g->own ? "default" : "");
        else
            snprintf(note, sizeof note, "chosen%s%s%s", k == g->own ? ", default" : "",
                     best ? ", fastest of contract " : "",
                     best ? attn_contract_name(g->kernel->contract) : "");
        add(table, g, k, note, tone_of(k->status));
    }
}

void tune_table(const tune_group *groups, const bool *best, size_t count)
{
    static const char *const titles[] = {"device", "kernel", "head",       "rows",
                                         "size",   "median", "vs default", "note"};
    columns *table = columns_new(titles, "llrllrrl");
    for (size_t i = 0; table && i < count; i++)
        add_group(table, &groups[i], best[i]);
    if (table)
        columns_print(table, stdout, columns_colour(stdout));
    columns_free(table);
}
