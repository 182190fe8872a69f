/* SPDX-License-Identifier: Apache-2.0
 *
 * Test hooks, set through the environment:
 *   ATTNMARK_GPU_LIMITS=KEY=N,...   lowers limits of every device: shared (bytes of shared memory),
 *                                   invocations (of a workgroup), range (bytes of one buffer),
 *                                   groups (workgroups per dimension), loops (iterations of all
 *                                   loops of one invocation), work (FLOPs of one dispatch; without
 *                                   it, the work of a dispatch is what takes 100 ms at most),
 *                                   subgroup (lanes), timestamps (valid bits, 0: there are none)
 *   ATTNMARK_GPU_STAGING=1          the host maps no tensor, as on most cards (0: as it is)
 *   ATTNMARK_GPU_FAULT=FAULT,...    failures, each [DEVICE:]KIND:K[+]: on DEVICE ("vk1"; without
 *                                   it on every one) the K-th chance of this KIND fails, with a +
 *                                   all later ones, too:
 *                                     submit    the submission loses the device
 *                                     timeout   the submission is not waited for
 *                                     memory    the allocation is refused
 *                                     pipeline  the pipeline cannot be made
 *                                   Counted from 1, and on when the device is opened again; the
 *                                   start-up probe is left alone.
 */
#ifndef GPU_HOOKS_H
#define GPU_HOOKS_H

#include <stddef.h>

#include "gpu/device_limits.h"

bool gpu_hook_staging(void);
/* ATTN_ERROR names the values that there are. */
attn_status gpu_hook_staging_check(attn_reason *why);

/* Lowers limits by `text` (NULL: none; a larger number changes nothing). ATTN_ERROR names what
 * it does not understand. */
attn_status gpu_hook_limits(const char *text, gpu_limits *limits, attn_reason *why);

typedef enum {
    GPU_FAULT_SUBMIT,
    GPU_FAULT_TIMEOUT,
    GPU_FAULT_MEMORY,
    GPU_FAULT_PIPELINE,
    GPU_FAULT_KINDS
} gpu_fault_kind;

#define GPU_MAX_FAULTS 16

/* The faults of one device, and how many chances each kind had so far. */
typedef struct gpu_faults {
    struct {
        gpu_fault_kind kind;
        uint64_t first, last;
    } list[GPU_MAX_FAULTS];
    size_t count;
    uint64_t chances[GPU_FAULT_KINDS];
    bool armed; /* else nothing is counted, and nothing fails */
} gpu_faults;

/* Those of `text` (NULL: none) that concern the device, not armed. ATTN_ERROR names what it does
 * not understand. */
attn_status gpu_hook_faults(const char *text, const char *selector, gpu_faults *faults,
                            attn_reason *why);

/* Counts a chance of this kind. Must it fail? */
bool gpu_hook_fails(gpu_faults *faults, gpu_fault_kind kind);

#endif
