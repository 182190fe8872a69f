/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of many rows, written at once: a store would sync each of them.
 */
#include "synthetic.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/directories.h"
#include "harness/store.h"

enum { KERNELS = 16, LENGTHS = 8, PER_WORKLOAD = 2 * KERNELS, SAMPLES = 12 };

static const char *const kernels[KERNELS] = {
    "scalar_naive", "scalar_f",    "scalar_m",    "avx2_f_8x1",  "avx2_f_8x4", "avx2_f_24x4",
    "avx2_m_24x4",  "avx2_f_6x16", "avx2_m_6x16", "avx2_free",   "openblas",   "onednn",
    "vk_naive_m",   "vk_rows_m",   "vk_lanes_m",  "vk_tile_64_m"};

/* Where rows run; threads 0 is a GPU. */
typedef struct device {
    const char *selector, *name, *roof;
    unsigned threads;
    double roof_rate; /* FLOPs per ns */
} device;

static const device devices[] = {
    {"cpu", "AMD EPYC 7763 64-Core Processor", "roof_f_avx2", 1, 30},
    {"cpu", "AMD EPYC 7763 64-Core Processor", "roof_f_avx2", 2, 50},
    {"vk0", "llvmpipe (LLVM 15.0.6, 256 bits)", "roof_m_vk", 0, 25},
    {"vk1", "SwiftShader Device (LLVM 10.0.0)", "roof_m_vk", 0, 20},
};
enum { DEVICES = sizeof devices / sizeof *devices };

typedef struct writer {
    FILE *file;
    double factor;
    uint64_t random;
    attn_workload workload;
    double roofs[DEVICES]; /* as measured for this workload */
} writer;

/* Uniform in [0, 1). */
static double draw(writer *w)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(w->random >> 33) / 2147483648.0;
}

static bool write_line(writer *w, json_t *value)
{
    char *text = json_value_line(value);
    const bool written = text != NULL && fprintf(w->file, "%s\n", text) > 0;
    free(text);
    json_decref(value);
    return written;
}

static bool write_row(writer *w, result_row *row)
{
    result_row_finish(row);
    const bool written = write_line(w, store_row_json(row));
    result_row_free(row);
    return written;
}

static result_row new_row(writer *w, const char *kernel, const device *on)
{
    result_row row;
    result_row_init(&row);
    row.kernel = kernel;
    row.workload = &w->workload;
    row.threads = on->threads;
    row.device = on->selector;
    row.device_name = on->name;
    row.software = on->threads == 0;
    row.flops = attn_flops(&w->workload);
    row.flops_dense = attn_flops_dense(&w->workload);
    row.bytes = attn_bytes(&w->workload);
    return row;
}

/* At so many FLOPs per ns, with a noise of 5 %; false when out of memory. */
static bool add_samples(writer *w, result_row *row, double rate)
{
    bool added = true;
    row->clock = row->threads > 0 ? "wall" : "gpu_timestamp";
    row->iterations = 1;
    row->stopped_by = "precision";
    for (int i = 0; i < SAMPLES && added; i++)
        added = result_row_sample(row, (double)row->flops / rate * (1 + 0.05 * draw(w)), i) &&
                (row->threads > 0 || row->roof || result_row_clocks(row, 2e6, 1e5));
    return added;
}

static void set_library(writer *w, result_row *row)
{
    row->library = "onednn";
    row->library_ratio = 0.4 + draw(w);
    row->library_ratio_low = row->library_ratio * 0.9;
    row->library_ratio_high = row->library_ratio * 1.1;
}

static bool add_result(writer *w, size_t index, size_t kernel, size_t place)
{
    const device *on = &devices[place];
    result_row row = new_row(w, kernels[kernel], on);
    row.contract = on->threads > 0 ? ATTN_CONTRACT_F : ATTN_CONTRACT_M;
    if (index % 10 == 9) {
        row.status = attn_because(&row.why, ATTN_SKIPPED,
                                  "11 runs of about %zu.105 s need 58.35 s; of the 90 s budget "
                                  "2.504 s are free after cheaper rows",
                                  index);
        return write_row(w, &row);
    }
    snprintf(row.digest, sizeof row.digest, "%032llx", index * 77777777777ULL);
    snprintf(row.verified, sizeof row.verified, "golden");
    snprintf(row.config, sizeof row.config, "%s", on->threads > 0 ? "" : "8x1, 4 rows");
    if (!add_samples(w, &row, (1 + (double)kernel) / w->factor))
        return false;
    if (on->threads > 0)
        set_library(w, &row);
    result_row_finish(&row);
    const result_row roof = {.status = ATTN_OK, .gflops = w->roofs[place], .gb_per_s = 15};
    result_row_judge(&row, &roof, &roof);
    return write_row(w, &row);
}

static bool add_roofs(writer *w)
{
    bool added = true;
    for (size_t i = 0; i < DEVICES && added; i++) {
        result_row row = new_row(w, devices[i].roof, &devices[i]);
        row.roof = true;
        added = add_samples(w, &row, devices[i].roof_rate);
        result_row_finish(&row);
        w->roofs[i] = row.gflops;
        added = added && write_row(w, &row);
    }
    return added;
}

/* The last four kernels are those of Vulkan devices. */
static bool add_rows(writer *w, size_t count)
{
    bool added = true;
    for (size_t i = 0; i < count && added; i++) {
        const size_t place = i / PER_WORKLOAD, kernel = i / 2 % KERNELS;
        w->workload = attn_workload_default(64u << place % LENGTHS, 64);
        w->workload.h = w->workload.hk = (uint32_t)(1 + place / LENGTHS);
        if (i % PER_WORKLOAD == 0)
            added = add_roofs(w);
        added = added && add_result(w, i, kernel, i % 2 + (kernel + 4 >= KERNELS ? 2 : 0));
    }
    return added;
}

bool synthetic_many(const char *directory, const json_t *header, size_t count, double factor)
{
    char path[1024];
    size_t made;
    attn_reason why;
    snprintf(path, sizeof path, "%s/run.jsonl", directory);
    if (directories_make(directory, &made, &why) != ATTN_OK)
        return false;
    writer w = {fopen(path, "w"), factor, 1, attn_workload_default(64, 64), {0}};
    if (w.file == NULL)
        return false;
    const bool written = write_line(&w, json_deep_copy(header)) && add_rows(&w, count) &&
                         write_line(&w, json_pack("{s:s,s:[],s:[],s:f}", "result", "VALID",
                                                  "reasons", "drift", "elapsed_s", 12.5));
    return fclose(w.file) == 0 && written;
}
