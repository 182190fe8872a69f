/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/registry.h"

typedef struct work {
    compare_side side[2];
    const compare_options *options;
    comparison *c;
    bool memory; /* there was enough of it */
} work;

static bool same_run(const work *w)
{
    return w->options->pair[0] != NULL;
}

/* Is this a row to compare, as one of side 0 or 1? */
static bool wanted(const work *w, const result_row *row, int side)
{
    const attn_kernel kernel = {.name = row->kernel, .device = row->device};
    if (row->roof)
        return false;
    return same_run(w) ? strcmp(row->kernel, w->options->pair[side]) == 0
                       : registry_matches(&kernel, w->options->kernels, w->options->kernel_count);
}

static bool same_key(const work *w, const run_file *a, const result_row *row_a, const run_file *b,
                     const result_row *row_b)
{
    const bool same_kernel = strcmp(row_a->kernel, row_b->kernel) == 0 &&
                             row_a->tier == row_b->tier && row_a->contract == row_b->contract;
    return (same_run(w) || same_kernel) && compare_same_place(a, row_a, b, row_b);
}

/* The row of this key in a run, as one of `side`; NULL if none. */
static const result_row *find(const work *w, const run_file *run, int side, const run_file *key_run,
                              const result_row *key)
{
    for (size_t i = 0; i < run->count; i++)
        if (wanted(w, &run->rows[i], side) && same_key(w, run, &run->rows[i], key_run, key))
            return &run->rows[i];
    return NULL;
}

/* The rows of a key on one side: the first that is ok, else the first; values of all that are ok.
 */
typedef struct found {
    const result_row *row;
    compare_values *values;
    size_t ok;
} found;

static void found_free(found *f)
{
    for (size_t i = 0; i < f->ok; i++)
        compare_values_free(&f->values[i]);
    free(f->values);
}

static found find_all(work *w, int side, const run_file *key_run, const result_row *key)
{
    const compare_side *s = &w->side[side];
    found f = {NULL, calloc(s->count, sizeof *f.values), 0};
    w->memory = w->memory && f.values != NULL;
    for (size_t r = 0; r < s->count && w->memory; r++) {
        const result_row *row = find(w, &s->runs[r], side, key_run, key);
        if (row == NULL || (f.row != NULL && row->status != ATTN_OK))
            continue;
        if (f.ok == 0)
            f.row = row;
        if (row->status == ATTN_OK && compare_values_of(&s->runs[r], row, &f.values[f.ok])) {
            if (same_run(w)) /* its rows are */
                f.values[f.ok].turns = s->runs[r].path;
            f.ok++;
        } else
            w->memory = row->status != ATTN_OK;
    }
    return f;
}

static void add_pair(comparison *c, const found *a, const found *b)
{
    compare_pair *pair = &c->pairs[c->count++];
    *pair = (compare_pair){.a = a->row, .b = b->row, .runs_a = a->ok, .runs_b = b->ok};
    compare_measure(pair, a->values, a->ok, b->values, b->ok);
}

static void add_left(comparison *c, const found *a, const found *b)
{
    compare_left *left = &c->left[c->left_count++];
    if (a->row == NULL || b->row == NULL)
        *left = (compare_left){a->row ? a->row : b->row, a->row ? COMPARE_ONLY_A : COMPARE_ONLY_B};
    else if (a->ok > 0)
        *left = (compare_left){b->row, COMPARE_NOT_OK_B};
    else
        *left = (compare_left){a->row, b->ok > 0 ? COMPARE_NOT_OK_A : COMPARE_NOT_OK};
}

/* Was a row of this key met before, in this side's earlier runs or on side A? */
static bool met_before(const work *w, int side, size_t run, const result_row *row)
{
    for (int s = 0; s <= side; s++)
        for (size_t r = 0; r < (s == side ? run : w->side[s].count); r++)
            if (find(w, &w->side[s].runs[r], s, &w->side[side].runs[run], row) != NULL)
                return true;
    return false;
}

static void take_row(work *w, int side, size_t run, const result_row *row)
{
    const run_file *file = &w->side[side].runs[run];
    if (!wanted(w, row, side) || met_before(w, side, run, row))
        return;
    found a = find_all(w, 0, file, row), b = find_all(w, 1, file, row);
    if (w->memory && a.ok > 0 && b.ok > 0)
        add_pair(w->c, &a, &b);
    else if (w->memory)
        add_left(w->c, &a, &b);
    found_free(&a);
    found_free(&b);
}

static void take_rows(work *w)
{
    size_t most = 1;
    for (int side = 0; side < 2; side++)
        for (size_t r = 0; r < w->side[side].count; r++)
            most += w->side[side].runs[r].count;
    w->c->pairs = calloc(most, sizeof *w->c->pairs);
    w->c->left = calloc(most, sizeof *w->c->left);
    w->memory = w->c->pairs != NULL && w->c->left != NULL;
    for (int side = 0; side < 2; side++)
        for (size_t r = 0; r < w->side[side].count; r++)
            for (size_t i = 0; i < w->side[side].runs[r].count && w->memory; i++)
                take_row(w, side, r, &w->side[side].runs[r].rows[i]);
}

/* For all pairs together. The two kinds of time are two families: a verdict needs both. */
static bool correct(comparison *c)
{
    double *p = malloc((c->count + 1) * sizeof *p);
    for (int normalised = 0; p != NULL && normalised < 2; normalised++) {
        for (size_t i = 0; i < c->count; i++)
            p[i] = normalised ? c->pairs[i].normalised.p : c->pairs[i].raw.p;
        stats_holm(p, c->count, p);
        for (size_t i = 0; i < c->count; i++)
            *(normalised ? &c->pairs[i].normalised.p : &c->pairs[i].raw.p) = p[i];
    }
    free(p);
    return p != NULL;
}

static void judge(work *w)
{
    comparison *c = w->c;
    double sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        compare_judge(&c->pairs[i], w->options->margin);
        c->verdicts[c->pairs[i].verdict]++;
        sum += log(c->pairs[i].raw.ratio.value);
    }
    c->mean_ratio = exp(sum / (double)c->count);
}

attn_status compare_contracts(compare_side a, compare_side b, attn_reason *why)
{
    const compare_side side[2] = {a, b};
    const run_file *first = &a.runs[0];
    const json_t *version = json_object_get(first->header, "contract_version");
    for (int i = 0; i < 2; i++)
        for (size_t r = 0; r < side[i].count; r++) {
            const run_file *run = &side[i].runs[r];
            const json_t *other = json_object_get(run->header, "contract_version");
            if (!json_is_integer(version) || !json_is_integer(other) || !json_equal(version, other))
                return attn_because(why, ATTN_ERROR,
                                    "%.90s and %.90s: not of one contract_version: their kernels "
                                    "compute different bits",
                                    first->path, run->path);
        }
    return ATTN_OK;
}

static attn_status refuse_empty(const work *w, attn_reason *why)
{
    size_t kinds[COMPARE_LEFT] = {0};
    for (size_t i = 0; i < w->c->left_count; i++)
        kinds[w->c->left[i].kind]++;
    return attn_because(why, ATTN_ERROR,
                        "nothing to compare: no row of A and B is of the same kernel, workload, "
                        "threads and device and ok in both (%zu only in A, %zu only in B, %zu not "
                        "ok)",
                        kinds[COMPARE_ONLY_A], kinds[COMPARE_ONLY_B],
                        kinds[COMPARE_NOT_OK_A] + kinds[COMPARE_NOT_OK_B] + kinds[COMPARE_NOT_OK]);
}

attn_status compare_runs(compare_side a, compare_side b, const compare_options *options,
                         comparison *c, attn_reason *why)
{
    work w = {{a, b}, options, c, true};
    *c = (comparison){.mean_ratio = NAN};
    attn_status status = compare_contracts(a, b, why);
    if (status != ATTN_OK)
        return status;
    take_rows(&w);
    if (!w.memory || !correct(c))
        status = attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    else if (c->count == 0)
        status = refuse_empty(&w, why);
    else
        judge(&w);
    if (status != ATTN_OK)
        compare_free(c);
    return status;
}

void compare_free(comparison *c)
{
    free(c->pairs);
    free(c->left);
    *c = (comparison){.pairs = NULL};
}
