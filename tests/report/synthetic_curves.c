/* SPDX-License-Identifier: Apache-2.0
 *
 * synthetic_curves DIR [CPU]: writes a run with curves over n and, in decode, over m, on two
 * devices, with roofs: what tests of figures and reports draw. Times are exact, so much per visible
 * pair. One kernel has a name that tries to break out of whatever quotes it.
 */
#include <stdio.h>
#include <string.h>

#include "harness/header.h"
#include "harness/store.h"

/* Of shells, gnuplot, Markdown, XML and tables. */
#define HOSTILE                                                                                    \
    "it's `touch pwned` $(touch pwned) \"q\" | <b>&amp;</b> ]](x) {/=99 _^@} % \\n\n\t; \x01 end"

static const char *cpu_name = "Synthetic CPU";

typedef struct kind {
    const char *kernel, *device;
    unsigned threads;
    attn_contract contract;
    attn_tier tier;
    double ns; /* per visible pair */
} kind;

static const kind kinds[] = {
    {"scalar_f", "cpu", 2, ATTN_CONTRACT_F, ATTN_TIER_EXACT, 8},
    {"avx2_f_24x4", "cpu", 1, ATTN_CONTRACT_F, ATTN_TIER_EXACT, 1},
    {"avx2_f_24x4", "cpu", 2, ATTN_CONTRACT_F, ATTN_TIER_EXACT, 0.5},
    {"openblas", "cpu", 2, ATTN_CONTRACT_NONE, ATTN_TIER_BOUNDED, 0.75},
    {HOSTILE, "vk0", 0, ATTN_CONTRACT_M, ATTN_TIER_EXACT, 2},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], LIBRARY = 3, SAMPLES = 12 };

static void start_row(result_row *row, const attn_workload *w, const kind *k)
{
    result_row_init(row);
    row->kernel = k->kernel;
    row->workload = w;
    row->threads = k->threads;
    row->device = k->device;
    row->device_name = k->threads > 0 ? cpu_name : HOSTILE;
    row->contract = k->contract;
    row->tier = k->tier;
    row->flops = attn_flops(w);
    row->flops_dense = attn_flops_dense(w);
    row->bytes = attn_bytes(w);
    row->clock = k->threads > 0 ? "wall" : "gpu_timestamp";
    row->iterations = 1;
    row->stopped_by = "limit";
    snprintf(row->verified, sizeof row->verified, "golden");
    snprintf(row->digest, sizeof row->digest, "0123456789abcdef0123456789abcdef");
}

/* Samples around `ns`, which is their median. */
static bool finish_row(result_row *row, double ns)
{
    bool added = true;
    for (int i = 0; i < SAMPLES + 1 && added; i++)
        added = result_row_sample(row, ns * (1 + 0.01 * (i - SAMPLES / 2)), 0.01 * i) &&
                (row->threads > 0 || result_row_clocks(row, ns, 10));
    result_row_finish(row);
    return added;
}

static bool keep(store *s, result_row *row)
{
    attn_reason why = {""};
    const bool kept = store_row(s, row, &why) == ATTN_OK;
    if (!kept)
        fprintf(stderr, "%s\n", why.text);
    return kept;
}

/* A run holds one roof for a device and its threads. */
static bool first_of_place(const kind *k)
{
    for (const kind *other = kinds; other < k; other++)
        if (strcmp(other->device, k->device) == 0 && other->threads == k->threads)
            return false;
    return true;
}

/* A roof of `rate` GFLOP/s or GB/s. */
static bool make_roof(store *s, result_row *roof, const attn_workload *w, const kind *k,
                      attn_roof_kind bound, double rate)
{
    kind own = *k;
    own.kernel = bound == ATTN_ROOF_MAC ? "roof_of_mac" : "roof_of_read";
    start_row(roof, w, &own);
    roof->roof = true;
    roof->bound = bound;
    roof->level = bound == ATTN_ROOF_MAC ? ATTN_LEVEL_NONE : ATTN_LEVEL_MEMORY;
    roof->digest[0] = roof->verified[0] = '\0';
    roof->flops = roof->flops_dense = bound == ATTN_ROOF_MAC ? 1000000 : 0;
    roof->bytes = bound == ATTN_ROOF_MAC ? 0 : 1000000;
    return finish_row(roof, 1000000 / rate) && (!first_of_place(k) || keep(s, roof));
}

static bool make_rows(store *s, const attn_workload *w)
{
    const double slow = w->n == 1 ? 16 : 1; /* decode waits for memory */
    result_row rows[KINDS];
    bool made = true;
    for (int k = 0; k < KINDS; k++) {
        start_row(&rows[k], w, &kinds[k]);
        made = finish_row(&rows[k], slow * kinds[k].ns * (double)attn_pairs(w)) && made;
    }
    for (int k = 0; k < KINDS && made; k++) {
        result_row mac, read;
        made = make_roof(s, &mac, w, &kinds[k], ATTN_ROOF_MAC, 600) &&
               make_roof(s, &read, w, &kinds[k], ATTN_ROOF_READ, 100);
        result_row_judge(&rows[k], &mac, &read);
        if (kinds[k].threads == kinds[LIBRARY].threads)
            result_row_compare(&rows[k], &rows[LIBRARY], 1);
        made = made && keep(s, &rows[k]);
        result_row_free(&mac);
        result_row_free(&read);
    }
    for (int k = 0; k < KINDS; k++)
        result_row_free(&rows[k]);
    return made;
}

int main(int argc, char **argv)
{
    static const char *const command[] = {"attnmark bench", "--kernel", "it's"};
    static const char *const texts[] = {"h=1,n=64..512,d=64", "h=1,n=1,m=1024..4096,d=64"};
    const registry nothing = {0};
    const own_shaders none = {.count = 0};
    const header_options options = {.argc = 3, .argv = command, .budget_s = 1.5, .own = &none};
    attn_workload list[ATTN_MAX_SWEEP];
    attn_reason why;
    store *s;
    size_t count;
    if (argc < 2)
        return 2;
    cpu_name = argc > 2 ? argv[2] : cpu_name;
    json_t *header = header_json(&nothing, &options);
    json_object_set_new(json_object_get(header, "machine"), "cpu_model", json_value_text(cpu_name));
    bool made = store_open(argv[1], header, &s, &why) == ATTN_OK;
    json_decref(header);
    if (!made)
        return 1;
    for (int t = 0; t < 2 && made; t++) {
        made = attn_workload_parse(texts[t], list, &count, &why) == ATTN_OK;
        for (size_t i = 0; i < count && made; i++)
            made = make_rows(s, &list[i]);
    }
    json_t *end = json_pack("{s:s,s:[],s:i,s:[],s:s,s:f}", "result", "VALID", "reasons", "rows", 0,
                            "drift", "end_time", "2026-11-30T10:00:00Z", "elapsed_s", 1.5);
    made = made && store_end(s, end, &why) == ATTN_OK;
    json_decref(end);
    store_close(s);
    return made ? 0 : 1;
}
