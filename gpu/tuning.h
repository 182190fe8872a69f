/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of the shader rows as measured on a device (attnmark tune), in place of those of
 * shaders.def. Built with and without Vulkan.
 */
#ifndef GPU_TUNING_H
#define GPU_TUNING_H

#include "gpu/plans.h"
#include "gpu/rows.h"

/* Workloads that share a choice. */
typedef struct gpu_class {
    uint32_t head; /* 64, 128 or 256: the smallest that holds d and dv */
    bool few;      /* fewer than GPU_CLASS_ROWS query rows per key head, as in decode */
} gpu_class;

#define GPU_CLASS_ROWS 64

gpu_class gpu_class_of(const attn_workload *w);
bool gpu_class_equal(gpu_class a, gpu_class b);

typedef struct gpu_choice {
    char kernel[48];
    gpu_class class;
    gpu_size size;
    char workload[ATTN_WORKLOAD_TEXT]; /* it was measured on */
    double median_ns, gflops;
    bool best; /* gpu_tuned_mark_best */
} gpu_choice;

/* The choices of one device. They hold for one driver and for the shaders of one build. */
typedef struct gpu_tuned {
    char uuid[33], name[256], driver[256];
    uint32_t driver_id, driver_version;
    char shaders[33]; /* gpu_shaders_digest */
    char time[32];    /* UTC, "2026-01-31T12:00:00Z" */
    gpu_choice *choices;
    size_t count;
} gpu_tuned;

struct gpu_tuning {
    gpu_tuned *devices;
    size_t count;
};

/* Is this the device, whatever its driver's version? */
bool gpu_tuned_is(const gpu_tuned *tuned, const gpu_device_info *info);
/* NULL where the choices hold for the device as it is, else what differs: "other driver". */
const char *gpu_tuned_stale(const gpu_tuned *tuned, const gpu_device_info *info);

/* The choices that hold for a device, or NULL. tuning may be NULL. */
const gpu_tuned *gpu_tuning_device(const gpu_tuning *tuning, const gpu_device_info *info);
/* The choice for a kernel, or NULL. tuned may be NULL. */
const gpu_choice *gpu_tuning_find(const gpu_tuned *tuned, const char *kernel,
                                  const attn_workload *w);

/* Marks, of each class and contract, the choice of the highest rate: its fastest kernel. */
void gpu_tuned_mark_best(gpu_tuned *tuned);

/* The row with another size. */
gpu_row gpu_row_sized(const gpu_row *row, gpu_size size);
/* ATTN_ERROR where no shader of this build has that name, or its plan no such candidate. */
attn_status gpu_choice_check(const gpu_choice *choice, attn_reason *why);

#endif
