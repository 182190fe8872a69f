/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame around the CPU kernels: jobs, threads, scratch memory.
 */
#ifndef CPU_FRAME_H
#define CPU_FRAME_H

#include "attn/kernel.h"

/* The operations of every CPU kernel; attn_kernel.impl is a cpu_kernel_impl (cpu/tile.h). */
extern const attn_kernel_ops cpu_kernel_ops;

#endif
