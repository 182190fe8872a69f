/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu.h in a build without Vulkan: the kernels are listed, and say why they cannot run.
 */
#include "gpu/gpu.h"

#include <stdlib.h>

#include "gpu/rows.h"

static const char reason[] = "built without Vulkan";

struct gpu_set {
    size_t count;
    attn_kernel kernels[]; /* [count] */
};

gpu_set *gpu_open(const gpu_options *options)
{
    const size_t count = gpu_rows_total(options);
    gpu_set *set = malloc(sizeof *set + count * sizeof *set->kernels);
    if (!set)
        return NULL;
    set->count = count;
    gpu_rows_absent(reason, options, set->kernels);
    return set;
}

unsigned gpu_close(gpu_set *set)
{
    free(set);
    return 0;
}

const char *gpu_unavailable(const gpu_set *set)
{
    (void)set;
    return reason;
}

size_t gpu_device_count(const gpu_set *set)
{
    (void)set;
    return 0;
}

const gpu_device_info *gpu_device(const gpu_set *set, size_t index)
{
    (void)set, (void)index;
    return NULL;
}

const attn_kernel *gpu_kernels(const gpu_set *set, size_t *count)
{
    *count = set->count;
    return set->kernels;
}

attn_status gpu_kernel_size(const attn_kernel *kernel, const attn_workload *w, gpu_size *size,
                            attn_reason *why)
{
    (void)kernel, (void)w, (void)size;
    return attn_because(why, ATTN_UNAVAILABLE, "%s", reason);
}

const attn_roof *gpu_roofs(const gpu_set *set, size_t *count)
{
    (void)set;
    *count = 0;
    return NULL;
}

attn_digest gpu_shaders_digest(void)
{
    return attn_digest_bytes("", 0);
}
