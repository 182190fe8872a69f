/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory of a user's shader: a device need not refuse one that declares more than it has.
 */
#ifndef GPU_SHARED_H
#define GPU_SHARED_H

#include "attn/status.h"
#include "shaders/modules.h"

/* Bytes of shared memory of a workgroup, with specs[SPEC_COUNT] as specialization constants.
 * Lengths by operations that are not known here count as 0. */
attn_status gpu_shared_bytes(const shader_module *code, const uint32_t *specs, uint64_t *bytes,
                             attn_reason *why);

/* ATTN_UNSUPPORTED with both numbers where they are more than `most`. */
attn_status gpu_shared_fits(const shader_module *code, const uint32_t *specs, uint32_t most,
                            attn_reason *why);

#endif
