/* SPDX-License-Identifier: Apache-2.0
 *
 * The shader rows as attention kernels.
 */
#ifndef GPU_KERNELS_H
#define GPU_KERNELS_H

#include "attn/kernel.h"
#include "gpu/device.h"

/* For kernels with a gpu_row as impl and an open gpu_context as context. */
extern const attn_kernel_ops gpu_kernel_ops;

/* What prepare leaves in the output: a NaN that no kernel writes. */
#define GPU_SENTINEL 0x7fa5a5a5u

#endif
