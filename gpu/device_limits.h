/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device can do, as far as plans depend on it.
 */
#ifndef GPU_DEVICE_LIMITS_H
#define GPU_DEVICE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "attn/status.h"

typedef struct gpu_limits {
    uint32_t shared;      /* bytes of shared memory of a workgroup */
    uint32_t invocations; /* of a workgroup */
    uint32_t group_x, group_y;
    uint32_t groups;     /* workgroups of a dispatch, in x and in y */
    uint64_t range;      /* bytes of one storage buffer, as far as a shader sees it */
    uint64_t allocation; /* bytes of one buffer */
    uint64_t align;      /* bindings begin at multiples of so many bytes */
    uint64_t texels;     /* elements of one texel buffer */
    uint32_t subgroup;   /* lanes of a subgroup */
    uint32_t timestamps; /* valid bits of a timestamp, 0: the queue has none */
    uint32_t width;      /* lanes that may share loads: a power of two <= 8, or 0 */
    /* Iterations of all loops of one invocation together that plans may use; UINT64_MAX: no limit.
     * Some drivers end the loops when it is passed, and give wrong results without an error. */
    uint64_t loops;
    uint64_t work; /* FLOPs of one dispatch; UINT64_MAX: whatever fits into its time */
    uint32_t fill; /* workgroups that keep every part of the device busy */
} gpu_limits;

/* What the limits say of a dispatch where nothing was measured or lowered. */
#define GPU_ANY_WORK UINT64_MAX

/* The loop limit of a driver. driver_id is a VkDriverId, info the driverInfo text. */
uint64_t gpu_limits_loops(uint32_t driver_id, const char *info);

/* What sizes and limits are compared by. */
static inline uint64_t gpu_smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}
static inline uint64_t gpu_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
static inline uint64_t gpu_ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

#endif
