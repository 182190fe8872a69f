/* SPDX-License-Identifier: Apache-2.0
 *
 * Which figures there are, what they are called and what is in them.
 */
#include <stdlib.h>
#include <string.h>

#include "attn/text.h"
#include "harness/caption.h"
#include "harness/report/best.h"
#include "harness/report/figure_parts.h"
#include "harness/report/output.h"

static const char *const names[FIGURE_KINDS] = {"time", "rate", "bandwidth", "share", "roofline"};

/* "h=1 d=64 dtype=f32 mask=full": without the lengths that are 0. Returns text. */
static const char *describe(const attn_workload *w, char text[ATTN_WORKLOAD_TEXT])
{
    char all[ATTN_WORKLOAD_TEXT];
    const result_row row = {.workload = w};
    const caption c = caption_of_rows(&row, 1);
    caption_shared(&c, w, all);
    text[0] = '\0';
    for (const char *word = all; *word != '\0';) {
        const int length = (int)strcspn(word, " ");
        const bool sweeps = strncmp(word, "n=0", 3) == 0 || strncmp(word, "m=0", 3) == 0 ||
                            strncmp(word, "m=n", 3) == 0;
        if (!sweeps)
            attn_text_add(text, ATTN_WORKLOAD_TEXT, "%s%.*s", text[0] ? " " : "", length, word);
        word += length + (word[length] == ' ');
    }
    return text;
}

/* Names of a kind are numbered from the second on. */
static figure *add(figure *list, size_t *count, figure new)
{
    size_t same = 1;
    for (size_t i = 0; i < *count; i++)
        same += list[i].kind == new.kind;
    report_figure *about = &new.about;
    if (same > 1)
        snprintf(about->name, sizeof about->name, "%s-%zu", names[new.kind], same);
    else
        snprintf(about->name, sizeof about->name, "%s", names[new.kind]);
    list[*count] = new;
    return &list[(*count)++];
}

static const series *first_of_group(const figure_runs *f, size_t group)
{
    size_t i = 0;
    while (f->curves[i].group != group)
        i++;
    return f->curves[i].series;
}

/* Decode is bound by bandwidth, anything else by arithmetic. */
static void add_lines(const figure_runs *f, size_t group, figure *list, size_t *count)
{
    char text[ATTN_WORKLOAD_TEXT];
    const series *s = first_of_group(f, group);
    attn_workload w = *s->first->workload;
    const bool decode = s->axis == SERIES_M && w.n == 1;
    const char length = series_length(s);
    w.n = s->axis == SERIES_M ? w.n : 0;
    w.m = s->axis == SERIES_N ? w.m : 0;
    figure new = {.from = f, .kind = FIGURE_TIME, .index = group};
    describe(&w, text);
    snprintf(
        new.about.caption, sizeof new.about.caption,
        "Median time of one run against %c with 95 %% intervals and fits a + b %c + c %c^2; %s",
        length, length, length, text);
    add(list, count, new);
    new.kind = decode ? FIGURE_BANDWIDTH : FIGURE_RATE;
    if (decode)
        snprintf(new.about.caption, sizeof new.about.caption,
                 "Bandwidth of decode against the number of keys m: least traffic over median "
                 "time, with 95 %% intervals; %s",
                 text);
    else
        snprintf(new.about.caption, sizeof new.about.caption,
                 "Rate against %c: FLOPs over median time, with 95 %% intervals; %s", length, text);
    add(list, count, new);
}

/* Do the workloads differ in their lengths alone? Prefill and decode are two things. */
static bool same_family(const attn_workload *a, const attn_workload *b)
{
    attn_workload one = *a, other = *b;
    if ((a->n == 1) != (b->n == 1))
        return false;
    one.n = one.m = other.n = other.m = 0;
    return attn_workload_same(&one, &other);
}

static bool first_of_family(const figure_runs *f, size_t run, size_t index)
{
    const run_file *runs = f->report->runs;
    for (size_t r = 0; r <= run; r++)
        for (size_t i = 0; i < (r < run ? runs[r].count : index); i++)
            if (report_counts(&runs[r].rows[i]) &&
                same_family(runs[r].rows[i].workload, runs[run].rows[index].workload))
                return false;
    return true;
}

static void add_share(const figure_runs *f, size_t run, size_t index, figure *list, size_t *count)
{
    char text[ATTN_WORKLOAD_TEXT];
    figure_bar bars[FIGURE_BARS];
    figure new = {.from = f, .kind = FIGURE_SHARE, .index = index, .run = run};
    if (figure_bars(&new, bars) == 0)
        return;
    snprintf(new.about.caption, sizeof new.about.caption,
             "Share of the roof that binds, with the most threads of each device, and rate over "
             "that of the best library; arrows: intervals that go on; %s",
             describe(bars[0].row->workload, text));
    add(list, count, new);
}

bool figure_in_family(const figure *f, const result_row *row)
{
    return same_family(f->from->report->runs[f->run].rows[f->index].workload, row->workload);
}

static void add_roofline(const figure_runs *f, size_t run, figure *list, size_t *count)
{
    char name[256]; /* a line that it began would be one of the script */
    figure new = {.from = f, .kind = FIGURE_ROOFLINE, .run = run};
    if (!figure_has_roofs(&new))
        return;
    snprintf(new.about.caption, sizeof new.about.caption,
             "Rate against FLOPs per byte of least traffic, below the roofs of the run, with the "
             "most threads of each device; %s",
             report_clean(report_run_name(f->report, run), 100, name, sizeof name));
    add(list, count, new);
}

figure *figure_plan(const figure_runs *f, size_t *count)
{
    size_t most = 2 * f->groups + f->report->count;
    for (size_t r = 0; r < f->report->count; r++)
        most += f->report->runs[r].count;
    figure *list = malloc((most + 1) * sizeof *list);
    *count = 0;
    if (list == NULL)
        return NULL;
    for (size_t group = 0; group < f->groups; group++)
        add_lines(f, group, list, count);
    for (size_t r = 0; r < f->report->count; r++)
        for (size_t i = 0; i < f->report->runs[r].count; i++)
            if (report_counts(&f->report->runs[r].rows[i]) && first_of_family(f, r, i))
                add_share(f, r, i, list, count);
    for (size_t r = 0; r < f->report->count; r++)
        add_roofline(f, r, list, count);
    return list;
}
