/* SPDX-License-Identifier: Apache-2.0
 *
 * synthetic_run DIR ROWS [FACTOR]: writes a run of so many rows, all times multiplied.
 *
 * synthetic_run DIR: writes a run as bench would, of rows that strain whoever reads it: every
 * status, two devices of one kernel, a roof, a row without an interval, hostile names (cases 11 and
 * 25). What tests of the formats read.
 */
#include "synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/header.h"
#include "harness/store.h"

#define HOSTILE "A \"quoted\" 'card' | <b>GPU</b> & `co` \\ [x](y), line\r\nbreak; \x01\xff end"

static attn_workload workload;
static char longest[301];

static result_row new_row(attn_status status, const char *kernel)
{
    result_row row;
    result_row_init(&row);
    row.kernel = kernel;
    row.workload = &workload;
    row.threads = 2;
    row.device = "cpu";
    row.device_name = HOSTILE;
    row.contract = ATTN_CONTRACT_F;
    row.tier = ATTN_TIER_EXACT;
    row.flops = row.flops_dense = 1000000;
    row.bytes = 4000;
    row.status = status;
    if (status != ATTN_OK)
        attn_because(&row.why, status, "because of \"%s\" | <i>&\n'quoted' ~struck~",
                     attn_status_name(status));
    return row;
}

static bool add_samples(result_row *row, size_t count)
{
    bool added = true;
    row->clock = "wall";
    row->iterations = 3;
    row->warmup = 2;
    row->stopped_by = "budget";
    for (size_t i = 0; i < count && added; i++)
        added = result_row_sample(row, 1000.0 / 3 + (double)i, 0.25 * (double)i);
    return added;
}

/* Finished, stored and freed. */
static bool keep(store *s, result_row *row, const result_row *library)
{
    attn_reason why = {""};
    result_row_finish(row);
    if (library != NULL)
        result_row_compare(row, library, 1);
    const bool kept = store_row(s, row, &why) == ATTN_OK;
    if (!kept)
        fprintf(stderr, "%s\n", why.text);
    if (row != library)
        result_row_free(row);
    return kept;
}

static bool store_gpu(store *s)
{
    static const char *const devices[] = {"vk0", "vk1"};
    bool kept = true;
    for (int i = 0; i < 2 && kept; i++) {
        result_row row = new_row(ATTN_OK, "vk_tile_64_m");
        row.threads = 0;
        row.device = devices[i];
        row.device_name = i ? "" : longest;
        row.software = i;
        snprintf(row.config, sizeof row.config, "8x8, 4 rows");
        kept = add_samples(&row, 1) && result_row_clocks(&row, 2000, 500);
        row.clock = "gpu_timestamp";
        kept = kept && keep(s, &row, NULL);
    }
    return kept;
}

static bool store_rows(store *s)
{
    result_row library = new_row(ATTN_OK, "openblas"), row = new_row(ATTN_OK, "avx2_f_24x4");
    result_row roof = new_row(ATTN_OK, "roof_f_avx2");
    roof.roof = true;
    snprintf(row.digest, sizeof row.digest, "0123456789abcdef0123456789abcdef");
    snprintf(row.verified, sizeof row.verified, "sampled (3 of 64 rows)");
    bool kept = add_samples(&library, 12) && add_samples(&row, 11) && add_samples(&roof, 10);
    kept = kept && keep(s, &library, &library) && keep(s, &row, &library) && keep(s, &roof, NULL);
    result_row_free(&library);
    for (int status = ATTN_OK + 1; status <= ATTN_ERROR && kept; status++) {
        char kernel[32];
        snprintf(kernel, sizeof kernel, "kernel_%d", status);
        row = new_row((attn_status)status, kernel);
        kept = keep(s, &row, NULL);
    }
    return kept && store_gpu(s);
}

/* One of every kind; 0, or 1 after a fault. */
static int write_kinds(const char *directory, const json_t *header)
{
    attn_reason why;
    store *s;
    if (store_open(directory, header, &s, &why) != ATTN_OK) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    const bool stored = store_rows(s);
    store_close(s);
    return stored ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const char *const command[] = {"attnmark bench", "--kernel", "", HOSTILE};
    const registry nothing = {0};
    const own_shaders none = {.count = 0};
    const header_options options = {.argc = 4, .argv = command, .budget_s = 1.5, .own = &none};
    if (argc < 2 || argc > 4)
        return 2;
    workload = attn_workload_default(64, 16);
    memset(longest, 'x', sizeof longest - 1);
    json_t *header = header_json(&nothing, &options);
    int status;
    if (argc == 2)
        status = write_kinds(argv[1], header);
    else
        status = !synthetic_many(argv[1], header, strtoul(argv[2], NULL, 10),
                                 argc > 3 ? strtod(argv[3], NULL) : 1);
    json_decref(header);
    return status;
}
