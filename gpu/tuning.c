/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/tuning.h"

#include <inttypes.h>
#include <string.h>

gpu_class gpu_class_of(const attn_workload *w)
{
    const uint32_t widest = w->d > w->dv ? w->d : w->dv;
    const uint64_t rows = (uint64_t)w->n * (w->h / w->hk);
    return (gpu_class){widest <= 64 ? 64 : widest <= 128 ? 128 : 256, rows < GPU_CLASS_ROWS};
}

bool gpu_class_equal(gpu_class a, gpu_class b)
{
    return a.head == b.head && a.few == b.few;
}

bool gpu_tuned_is(const gpu_tuned *tuned, const gpu_device_info *info)
{
    return strcmp(tuned->uuid, info->uuid) == 0 && tuned->driver_id == info->driver_id;
}

const char *gpu_tuned_stale(const gpu_tuned *tuned, const gpu_device_info *info)
{
    const attn_digest shaders = gpu_shaders_digest();
    if (tuned->driver_version != info->driver_version || strcmp(tuned->driver, info->driver) != 0)
        return "other driver";
    return strcmp(tuned->shaders, shaders.hex) != 0 ? "other shaders" : NULL;
}

const gpu_tuned *gpu_tuning_device(const gpu_tuning *tuning, const gpu_device_info *info)
{
    for (size_t i = 0; tuning && i < tuning->count; i++)
        if (gpu_tuned_is(&tuning->devices[i], info) && !gpu_tuned_stale(&tuning->devices[i], info))
            return &tuning->devices[i];
    return NULL;
}

const gpu_choice *gpu_tuning_find(const gpu_tuned *tuned, const char *kernel,
                                  const attn_workload *w)
{
    const gpu_class class = gpu_class_of(w);
    for (size_t i = 0; tuned && i < tuned->count; i++)
        if (strcmp(tuned->choices[i].kernel, kernel) == 0 &&
            gpu_class_equal(tuned->choices[i].class, class))
            return &tuned->choices[i];
    return NULL;
}

static const gpu_row *find_row(const char *kernel)
{
    for (size_t i = 0; i < gpu_row_count; i++)
        if (strcmp(gpu_rows[i].kernel, kernel) == 0)
            return &gpu_rows[i];
    return NULL;
}

static bool compete(const gpu_choice *a, const gpu_choice *b)
{
    const gpu_row *row_a = find_row(a->kernel), *row_b = find_row(b->kernel);
    return row_a && row_b && row_a->contract == row_b->contract &&
           gpu_class_equal(a->class, b->class);
}

void gpu_tuned_mark_best(gpu_tuned *tuned)
{
    for (size_t i = 0; i < tuned->count; i++) {
        gpu_choice *choice = &tuned->choices[i];
        choice->best = true;
        for (size_t j = 0; j < tuned->count && choice->best; j++)
            choice->best =
                !(tuned->choices[j].gflops > choice->gflops && compete(&tuned->choices[j], choice));
    }
}

gpu_row gpu_row_sized(const gpu_row *row, gpu_size size)
{
    gpu_row sized = *row;
    sized.local_x = size.local_x;
    sized.local_y = size.local_y;
    sized.rows = size.rows;
    return sized;
}

attn_status gpu_choice_check(const gpu_choice *choice, attn_reason *why)
{
    const gpu_row *row = find_row(choice->kernel);
    const gpu_plan_kind *kind = row ? gpu_plan_kind_of(row->plan) : NULL;
    if (!kind)
        return attn_because(why, ATTN_ERROR, "there is no kernel '%s'", choice->kernel);
    for (size_t i = 0; i < GPU_PLAN_SIZES && kind->sizes[i].local_x > 0; i++)
        if (kind->sizes[i].local_x == choice->size.local_x &&
            kind->sizes[i].local_y == choice->size.local_y &&
            kind->sizes[i].rows == choice->size.rows)
            return ATTN_OK;
    return attn_because(
        why, ATTN_ERROR, "%s: %" PRIu32 "x%" PRIu32 ", rows %" PRIu32 " is none of its sizes",
        choice->kernel, choice->size.local_x, choice->size.local_y, choice->size.rows);
}
