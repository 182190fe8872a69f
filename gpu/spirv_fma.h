/* SPDX-License-Identifier: Apache-2.0
 *
 * fma() as an instruction of SPV_KHR_fma, which rounds once; GLSL.std.450's Fma may round twice.
 * Compilers that know the extension are new, so the words of a module are rewritten instead.
 */
#ifndef GPU_SPIRV_FMA_H
#define GPU_SPIRV_FMA_H

#include <stddef.h>
#include <stdint.h>

#include "attn/status.h"

/* Makes a copy of words[count], for free(), in which every Fma of GLSL.std.450 on binary32 numbers
 * or vectors of them is an OpFmaKHR with the same result, type and operands, and the module
 * declares what that needs. A module without one is copied as it is. ATTN_ERROR where words are no
 * SPIR-V module, ATTN_OUT_OF_MEMORY. */
attn_status gpu_spirv_fma(const uint32_t *words, size_t count, uint32_t **copy, size_t *copy_count,
                          attn_reason *why);

#endif
