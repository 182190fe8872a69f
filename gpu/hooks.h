/* SPDX-License-Identifier: Apache-2.0
 *
 * Test hooks, set through the environment:
 *   ATTNMARK_GPU_LIMITS=KEY=N,...   lowers limits of every device: shared (bytes of shared memory),
 *                                   invocations (of a workgroup), range (bytes of one buffer),
 *                                   groups (workgroups per dimension), loops (iterations of all
 *                                   loops of one invocation), subgroup (lanes), timestamps (valid
 *                                   bits, 0: there are none)
 *   ATTNMARK_GPU_FAULT=submit:K     from its K-th submission on, a device counts as lost; those of
 *                                   the start-up probe are not counted
 */
#ifndef GPU_HOOKS_H
#define GPU_HOOKS_H

#include "gpu/device_limits.h"

/* Lowers limits by `text` (NULL: none; a larger number changes nothing). ATTN_ERROR names what
 * it does not understand. */
attn_status gpu_hook_limits(const char *text, gpu_limits *limits, attn_reason *why);

/* K of "submit:K", or 0 when text is NULL. */
attn_status gpu_hook_fault(const char *text, uint64_t *submit, attn_reason *why);

#endif
