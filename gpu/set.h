/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything that gpu_open finds.
 */
#ifndef GPU_SET_H
#define GPU_SET_H

#include "gpu/device.h"
#include "gpu/instance.h"
#include "gpu/roof.h"

struct gpu_set {
    gpu_instance instance;
    char unavailable[sizeof(attn_reason)]; /* "" or why there is no device at all */
    gpu_context *devices;
    size_t device_count;
    attn_kernel *kernels;
    size_t kernel_count;
    attn_roof *roofs;
    gpu_roof *roof_contexts; /* GPU_ROOFS for each device */
    size_t roof_count;
};

#endif
