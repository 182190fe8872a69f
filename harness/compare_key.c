/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "harness/compare.h"

static const char *device_text(const json_t *device, const char *field)
{
    const char *text = json_string_value(json_object_get(device, field));
    return text ? text : "";
}

/* The place of a row's device among those of its name, by their UUIDs. */
static size_t twin(const run_file *run, const result_row *row)
{
    const json_t *devices = json_object_get(run->header, "devices");
    const char *uuid = "";
    size_t before = 0;
    for (size_t i = 0; i < json_array_size(devices); i++) {
        const json_t *device = json_array_get(devices, i);
        if (strcmp(device_text(device, "selector"), row->device) == 0)
            uuid = device_text(device, "uuid");
    }
    for (size_t i = 0; i < json_array_size(devices); i++) {
        const json_t *device = json_array_get(devices, i);
        before += strcmp(device_text(device, "name"), row->device_name) == 0 &&
                  strcmp(device_text(device, "uuid"), uuid) < 0;
    }
    return before;
}

static bool same_device(const run_file *a, const result_row *row_a, const run_file *b,
                        const result_row *row_b)
{
    const bool cpu = strcmp(row_a->device, "cpu") == 0;
    if (cpu || strcmp(row_b->device, "cpu") == 0)
        return cpu && strcmp(row_b->device, "cpu") == 0;
    return strcmp(row_a->device_name, row_b->device_name) == 0 && twin(a, row_a) == twin(b, row_b);
}

bool compare_same_place(const run_file *a, const result_row *row_a, const run_file *b,
                        const result_row *row_b)
{
    return row_a->threads == row_b->threads &&
           attn_workload_same(row_a->workload, row_b->workload) && same_device(a, row_a, b, row_b);
}

/* The file does not name the roof of a row, but its rate is there. */
static bool judges(const result_row *roof, const result_row *row)
{
    const bool reads = row->bound == ATTN_ROOF_READ;
    const double rate = reads ? roof->gb_per_s : roof->gflops;
    const double noted = reads ? row->roof_gb_per_s : row->roof_gflops;
    return roof->roof && roof->status == ATTN_OK && roof->bound == row->bound &&
           fabs(rate / noted - 1) < 1e-9 && strcmp(roof->device, row->device) == 0 &&
           attn_workload_same(roof->workload, row->workload);
}

const result_row *compare_roof(const run_file *run, const result_row *row)
{
    for (size_t i = 0; i < run->count; i++)
        if (judges(&run->rows[i], row))
            return &run->rows[i];
    return NULL;
}
