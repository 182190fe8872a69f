/* SPDX-License-Identifier: Apache-2.0
 *
 * ATTNMARK_VALIDATION: which checks of the Khronos validation layer are wanted. Built with and
 * without Vulkan.
 */
#ifndef GPU_VALIDATION_H
#define GPU_VALIDATION_H

#include "attn/status.h"

enum gpu_validation {
    GPU_VALIDATION_CORE = 1, /* valid usage of every call */
    GPU_VALIDATION_SYNC = 2, /* hazards between commands */
    GPU_VALIDATION_GPU = 4,  /* instrumented shaders: accesses past the end of a buffer */
};

/* NULL, "" and "0" want none; "1" is "core,sync"; else a list of core, sync, gpu. ATTN_ERROR
 * names what it does not understand. */
attn_status gpu_validation_parse(const char *text, unsigned *checks, attn_reason *why);

#endif
