/* SPDX-License-Identifier: Apache-2.0
 *
 * published_run DIR CPU GPU TIME RESULT SPEED [DRIVER]: writes a finished run as bench would, of a
 * machine that is made up: digests are those of the golden table, times are divided by SPEED. GPU
 * "": only a software device; "-": no device. RESULT: VALID or INVALID. DRIVER "-": the header
 * names none. What tests of submit and gallery read; the header tells who made it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/contract.h"
#include "harness/golden.h"
#include "harness/header.h"
#include "harness/store.h"

enum { WORKLOADS = 2, SAMPLES = 12 };

static const char *cpu, *gpu, *driver = "made up 1.0";
static double speed;

static bool put_row(store *s, result_row *row, attn_contract contract, double ns)
{
    attn_reason why = {""};
    attn_digest digest;
    bool kept = true;
    row->contract = contract;
    if (contract != ATTN_CONTRACT_NONE && golden_lookup(contract, row->workload, &digest))
        snprintf(row->digest, sizeof row->digest, "%s", digest.hex);
    row->clock = "wall";
    row->iterations = 1;
    row->stopped_by = "precision";
    for (int i = 0; i < SAMPLES && kept; i++)
        kept = result_row_sample(row, ns * (1 + 0.001 * i) / speed, i);
    result_row_finish(row);
    row->roof_gflops = 100;
    row->roof_share = row->gflops / 100;
    if (kept && store_row(s, row, &why) != ATTN_OK) {
        fprintf(stderr, "%s\n", why.text);
        kept = false;
    }
    result_row_free(row);
    return kept;
}

static result_row new_row(const char *kernel, const attn_workload *w, bool on_gpu)
{
    result_row row;
    result_row_init(&row);
    row.kernel = kernel;
    row.workload = w;
    row.threads = on_gpu ? 0 : 2;
    row.device = on_gpu ? "vk0" : "cpu";
    row.device_name = on_gpu ? (gpu[0] != '\0' ? gpu : "made up software") : cpu;
    row.software = on_gpu && gpu[0] == '\0';
    row.tier = ATTN_TIER_EXACT;
    row.flops = row.flops_dense = UINT64_C(2) * w->n * w->m * 128;
    row.bytes = 262144;
    snprintf(row.verified, sizeof row.verified, "golden");
    return row;
}

static bool put_rows(store *s, const attn_workload *w)
{
    const double ns = 10.0 * w->n * w->m;
    result_row row = new_row("scalar_m", w, false);
    bool kept = put_row(s, &row, ATTN_CONTRACT_M, 8 * ns);
    row = new_row("avx2_f_24x4", w, false);
    kept = kept && put_row(s, &row, ATTN_CONTRACT_F, ns);
    row = new_row("openblas", w, false);
    row.tier = ATTN_TIER_BOUNDED;
    snprintf(row.verified, sizeof row.verified, "oracle (3 of 64 rows)");
    kept = kept && put_row(s, &row, ATTN_CONTRACT_NONE, 0.9 * ns);
    if (strcmp(gpu, "-") != 0) {
        row = new_row("vk_tile_64_m", w, true);
        kept = kept && put_row(s, &row, ATTN_CONTRACT_M, 0.5 * ns);
    }
    row = new_row("avx2_x_24x4", w, false);
    row.contract = ATTN_CONTRACT_X;
    row.verified[0] = '\0';
    row.status =
        attn_because(&row.why, ATTN_ERROR, "cannot read /home/jane/x on tower.example.org");
    return kept && put_row(s, &row, ATTN_CONTRACT_X, ns);
}

static json_t *new_header(const char *time)
{
    static const char *const command[] = {"attnmark bench", "--output", "/home/jane/runs/one"};
    const registry nothing = {0};
    const own_shaders none = {.count = 0};
    const header_options options = {
        .argc = 3, .argv = command, .seed = GOLDEN_SEED, .budget_s = 1.5, .own = &none};
    json_t *header = header_json(&nothing, &options);
    json_t *machine = json_object_get(header, "machine"), *devices = json_array();
    json_object_del(machine, "cpu_vendor");
    json_object_set_new(machine, "cpu_model", json_value_text(cpu));
    json_object_set_new(machine, "processors", json_integer(2));
    json_object_set_new(header, "time", json_value_text(time));
    json_object_set_new(header, "environment",
                        json_pack("{s:s,s:s}", "VK_DRIVER_FILES", "/home/jane/icd.json",
                                  "SLURM_SUBMIT_HOST", "tower.example.org"));
    if (strcmp(gpu, "-") != 0)
        json_array_append_new(
            devices, json_pack("{s:s,s:o,s:s,s:s?,s:b,s:{},s:{}}", "selector", "vk0", "name",
                               json_value_text(gpu[0] != '\0' ? gpu : "made up software"), "uuid",
                               "00ff", "driver", strcmp(driver, "-") != 0 ? driver : NULL,
                               "software", gpu[0] == '\0', "limits", "probe"));
    json_object_set_new(header, "devices", devices);
    return header;
}

static bool put_end(store *s, const char *result, int rows)
{
    attn_reason why = {""};
    json_t *end = json_pack("{s:s,s:[],s:i,s:[],s:s,s:f}", "result", result, "reasons", "rows",
                            rows, "drift", "end_time", "2026-12-01T00:00:00Z", "elapsed_s", 12.5);
    if (strcmp(result, "VALID") != 0)
        json_array_append_new(json_object_get(end, "reasons"),
                              json_string("made up to be <b>INVALID</b>"));
    const bool kept = store_end(s, end, &why) == ATTN_OK;
    json_decref(end);
    return kept;
}

int main(int argc, char **argv)
{
    attn_reason why;
    attn_workload workloads[WORKLOADS];
    store *s;
    if (argc != 7 && argc != 8)
        return 2;
    driver = argc == 8 ? argv[7] : driver;
    cpu = argv[2];
    gpu = argv[3];
    speed = strtod(argv[6], NULL);
    json_t *header = new_header(argv[4]);
    const attn_status opened = store_open(argv[1], header, &s, &why);
    json_decref(header);
    if (opened != ATTN_OK) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    bool stored = true;
    for (int i = 0; i < WORKLOADS && stored; i++) {
        workloads[i] = attn_workload_default(256U << i, 64);
        workloads[i].h = workloads[i].hk = 1;
        stored = put_rows(s, &workloads[i]);
    }
    stored = stored && put_end(s, argv[5], WORKLOADS * (strcmp(gpu, "-") != 0 ? 5 : 4));
    store_close(s);
    return stored ? 0 : 1;
}
