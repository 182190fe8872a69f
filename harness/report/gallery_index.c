/* SPDX-License-Identifier: Apache-2.0
 *
 * The island of the first page: who is fastest at what, what stands apart, and whether all bits
 * agree.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/golden.h"
#include "harness/report/gallery.h"

/* A row and where it is from. */
typedef struct entry {
    const result_row *row;
    size_t run;
    json_int_t workload;
} entry;

typedef struct entries {
    entry *list;
    size_t count;
    bool exhausted;
} entries;

static const run_file *run_of(const gallery *g, const entry *e)
{
    return &g->runs[e->run].submission.run;
}

static bool alike(const gallery *g, const entry *a, const entry *b)
{
    return a->workload == b->workload && g->runs[a->run].machine == g->runs[b->run].machine &&
           gallery_same_device(run_of(g, a), a->row, run_of(g, b), b->row);
}

static entry *find(const gallery *g, const entries *all, const entry *e)
{
    for (size_t i = 0; i < all->count; i++)
        if (alike(g, &all->list[i], e))
            return &all->list[i];
    return NULL;
}

static void append(entries *all, const entry *e)
{
    entry *list = realloc(all->list, (all->count + 1) * sizeof *list);
    if (list == NULL) {
        all->exhausted = true;
        return;
    }
    all->list = list;
    list[all->count++] = *e;
}

/* Keeps the faster of what is alike. */
static void keep_faster(const gallery *g, entries *all, const entry *e)
{
    entry *known = find(g, all, e);
    if (known == NULL)
        append(all, e);
    else if (e->row->median_ns < known->row->median_ns)
        *known = *e;
}

typedef struct boards {
    entries leaders, others, wrong; /* wrong: the output was */
} boards;

static void sort_row(const gallery *g, boards *b, const entry *e)
{
    const result_row *row = e->row;
    if (row->roof || row->tier != ATTN_TIER_EXACT)
        return;
    if (row->status == ATTN_FAILED)
        append(&b->wrong, e);
    else if (gallery_is_timed(row))
        keep_faster(g, g->runs[e->run].valid && gallery_is_earned(row) ? &b->leaders : &b->others,
                    e);
}

static void sort_rows(const gallery *g, data_builder *names, boards *b)
{
    for (size_t r = 0; r < g->count; r++) {
        const run_file *run = &g->runs[r].submission.run;
        for (size_t i = 0; i < run->count; i++) {
            json_t *place = data_workload_place(names, run->rows[i].workload);
            const entry e = {&run->rows[i], r, json_integer_value(place)};
            json_decref(place);
            sort_row(g, b, &e);
        }
    }
}

/* Why it is in no leaderboard; NULL: it is. */
static const char *why_apart(const gallery *g, const entry *e)
{
    if (e->row->status != ATTN_OK)
        return e->row->why.text;
    if (!g->runs[e->run].valid)
        return "the run is INVALID";
    if (e->row->verified[0] == '\0' || e->row->digest[0] == '\0')
        return "not verified";
    return gallery_is_earned(e->row) ? NULL : "too few samples for an interval";
}

static json_t *entry_json(const gallery *g, const entry *e)
{
    const result_row *row = e->row;
    const bool reads = row->bound == ATTN_ROOF_READ;
    const double share = reads ? row->bandwidth_share : row->roof_share;
    json_t *o = json_object();
    json_object_set_new(o, "workload", json_integer(e->workload));
    json_object_set_new(o, "machine", json_value_count(g->runs[e->run].machine));
    json_object_set_new(o, "run", json_value_count(e->run));
    json_object_set_new(o, "device", json_value_text(row->device));
    json_object_set_new(o, "device_name", json_value_text(row->device_name));
    json_object_set_new(o, "driver", json_value_text(data_driver(run_of(g, e), row)));
    json_object_set_new(o, "software", json_boolean(row->software));
    json_object_set_new(o, "threads", row->threads > 0 ? json_integer(row->threads) : json_null());
    json_object_set_new(o, "kernel", json_value_text(row->kernel));
    json_object_set_new(o, "contract", json_string(attn_contract_name(row->contract)));
    json_object_set_new(o, "median_ns", json_value_number(row->median_ns));
    json_object_set_new(o, "low_ns", json_value_number(row->ci_low_ns));
    json_object_set_new(o, "high_ns", json_value_number(row->ci_high_ns));
    json_object_set_new(o, "gflops", json_value_number(row->gflops));
    json_object_set_new(o, "gb_per_s", json_value_number(row->gb_per_s));
    json_object_set_new(
        o, "bound", isfinite(share) ? json_string(attn_roof_kind_name(row->bound)) : json_null());
    json_object_set_new(o, "share", json_value_number(share));
    json_object_set_new(o, "digest", json_value_text(row->digest));
    json_object_set_new(o, "why", json_value_text(why_apart(g, e)));
    return o;
}

static json_t *entries_json(const gallery *g, const entries *all, const entries *unless)
{
    json_t *list = json_array();
    for (size_t i = 0; i < all->count; i++)
        if (unless == NULL || find(g, unless, &all->list[i]) == NULL)
            json_array_append_new(list, entry_json(g, &all->list[i]));
    return list;
}

/* The object of a list whose members have these values; NULL: none has. */
static json_t *member(const json_t *list, const json_t *values)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *one = json_array_get(list, i);
        bool same = true;
        const char *name;
        json_t *value;
        json_object_foreach((json_t *)values, name, value)
        {
            same = same && json_equal(json_object_get(one, name), value);
        }
        if (same)
            return one;
    }
    return NULL;
}

/* The same, or a copy of the values with `list_name`, an empty array, at the end of the list. */
static json_t *member_or_new(json_t *list, json_t *values, const char *list_name)
{
    json_t *found = member(list, values);
    if (found == NULL) {
        json_array_append(list, values);
        json_object_set_new(values, list_name, json_array());
        found = values;
    }
    json_decref(values);
    return found;
}

static json_t *golden_json(const result_row *row, json_t *seed)
{
    attn_digest digest;
    const bool known = json_integer_value(seed) == GOLDEN_SEED &&
                       golden_lookup(row->contract, row->workload, &digest);
    return known ? json_string(digest.hex) : json_null();
}

static void add_hash(json_t *hashes, const gallery_run *run, const result_row *row, json_t *place)
{
    json_t *seed = json_object_get(run->submission.run.header, "seed");
    json_t *hash = member_or_new(hashes,
                                 json_pack("{s:O,s:s,s:O}", "workload", place, "contract",
                                           attn_contract_name(row->contract), "seed", seed),
                                 "digests");
    if (json_object_get(hash, "golden") == NULL)
        json_object_set_new(hash, "golden", golden_json(row, seed));
    json_t *digest = member_or_new(json_object_get(hash, "digests"),
                                   json_pack("{s:s}", "digest", row->digest), "machines");
    json_t *machines = json_object_get(digest, "machines");
    const size_t last = json_array_size(machines);
    const json_t *latest = last > 0 ? json_array_get(machines, last - 1) : NULL;
    if (latest == NULL || json_integer_value(latest) != (json_int_t)run->machine)
        json_array_append_new(machines, json_value_count(run->machine));
    json_object_set_new(digest, "rows",
                        json_integer(json_integer_value(json_object_get(digest, "rows")) + 1));
}

/* Bits are right or wrong in an INVALID run, too. */
static json_t *hashes_json(const gallery *g, data_builder *names)
{
    json_t *hashes = json_array();
    for (size_t r = 0; r < g->count; r++) {
        const run_file *run = &g->runs[r].submission.run;
        for (size_t i = 0; i < run->count; i++) {
            if (!gallery_is_earned(&run->rows[i]))
                continue;
            json_t *place = data_workload_place(names, run->rows[i].workload);
            add_hash(hashes, &g->runs[r], &run->rows[i], place);
            json_decref(place);
        }
    }
    return hashes;
}

json_t *gallery_index(const gallery *g)
{
    data_builder names = gallery_builder();
    boards b = {{NULL, 0, false}, {NULL, 0, false}, {NULL, 0, false}};
    sort_rows(g, &names, &b);
    json_t *o = gallery_island(g, "index", "attnmark: results", 0, g->count);
    json_t *apart = entries_json(g, &b.others, &b.leaders),
           *wrong = entries_json(g, &b.wrong, NULL);
    json_array_extend(apart, wrong);
    json_decref(wrong);
    json_object_set_new(o, "leaders", entries_json(g, &b.leaders, NULL));
    json_object_set_new(o, "apart", apart);
    json_object_set_new(o, "hashes", hashes_json(g, &names));
    json_object_set(o, "workloads", names.workloads);
    json_object_set(o, "faults", g->faults);
    const bool exhausted = b.leaders.exhausted || b.others.exhausted || b.wrong.exhausted;
    free(b.leaders.list);
    free(b.others.list);
    free(b.wrong.list);
    gallery_builder_free(&names);
    if (!exhausted)
        return o;
    json_decref(o);
    return NULL;
}
