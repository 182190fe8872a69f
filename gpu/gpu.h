/* SPDX-License-Identifier: Apache-2.0
 *
 * What the harness sees of Vulkan. The same functions exist in a build without Vulkan
 * (gpu/disabled.c): there gpu_unavailable says so.
 */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "attn/digest.h"
#include "attn/kernel.h"

typedef struct gpu_set gpu_set;
typedef struct gpu_row gpu_row;
typedef struct gpu_size gpu_size;     /* gpu/plans.h */
typedef struct gpu_tuning gpu_tuning; /* gpu/tuning.h */

/* What gpu_open takes beside what the program brings. */
typedef struct gpu_options {
    const gpu_row *const *rows; /* users' shaders (gpu/own.h), valid until gpu_close */
    size_t row_count;
    const gpu_tuning *tuning; /* sizes for this run, valid until gpu_close; or NULL */
} gpu_options;

/* The start-up probe (docs/numerics.md): which contracts this device can meet, and why not. */
typedef struct gpu_probe {
    bool f, m;           /* contract F; contracts M and X, whose arithmetic is the same */
    bool fused;          /* fma() rounds once */
    bool shader_fma;     /* ... as the instruction of VK_KHR_shader_fma */
    bool rounds_to_even; /* (1 + 2^-23) + 2^-24 == 0x3f800002 */
    bool keeps_order;    /* precise (2^24 + 1) - 2^24 == 0 */
    bool sweep;          /* a sweep of random triples hashes like the CPU's */
    char verdict[160];   /* one line: "F, M and X", "M and X only: fma() is split", ... */
} gpu_probe;

typedef struct gpu_device_info {
    char selector[16]; /* "vk0": index in enumeration order */
    char name[256];
    char uuid[33];        /* deviceUUID, 32 hex digits */
    char driver[256];     /* driver name and info of VkPhysicalDeviceDriverProperties */
    char type[16];        /* "discrete", "integrated", "virtual", "cpu", "other" */
    char api_version[16]; /* "1.3.224" */
    uint32_t vendor_id, device_id, driver_id, driver_version;
    bool software;         /* type cpu */
    char duplicate_of[16]; /* selector of an earlier device with the same UUID, or "" */
    /* Limits in force (after the test hook ATTNMARK_GPU_LIMITS lowered them). */
    uint32_t max_shared_bytes, max_invocations, max_group_x, subgroup_size, timestamp_bits;
    uint32_t max_groups_x;
    uint64_t max_buffer_range;
    double timestamp_period_ns;
    char unavailable[160]; /* "" or why this device cannot be used at all */
    gpu_probe probe;
} gpu_device_info;

/* ATTN_ERROR, with one line, where a variable of the environment that gpu_open reads is malformed
 * (gpu/validation.h, gpu/hooks.h). */
attn_status gpu_check_environment(attn_reason *why);

/* Never NULL unless out of memory; a machine without a loader, a driver or a device gives a set
 * whose gpu_unavailable is not NULL. Devices are opened and probed here. options: NULL for none. */
gpu_set *gpu_open(const gpu_options *options);
/* Returns how many messages the validation layer had from gpu_open on, up to those about what was
 * left behind (0 when the layer is off). */
unsigned gpu_close(gpu_set *set);

/* NULL, or one line: "no Vulkan loader (libvulkan.so.1)", "no Vulkan device", ... */
const char *gpu_unavailable(const gpu_set *set);
size_t gpu_device_count(const gpu_set *set);
const gpu_device_info *gpu_device(const gpu_set *set, size_t index);

/* One kernel per device, shader row and contract; where there is no device, one per row and
 * contract with device "vk" and the reason in `unavailable`. Owned by the set. */
const attn_kernel *gpu_kernels(const gpu_set *set, size_t *count);
/* The size that a kernel of the set would really have for a workload: plans shrink what does not
 * fit. Status as supports. */
attn_status gpu_kernel_size(const attn_kernel *kernel, const attn_workload *w, gpu_size *size,
                            attn_reason *why);
const attn_roof *gpu_roofs(const gpu_set *set, size_t *count);

/* XXH3-128 over the SPIR-V words of all shaders, in the order of their rows. */
attn_digest gpu_shaders_digest(void);

#endif
