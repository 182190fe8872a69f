/* SPDX-License-Identifier: Apache-2.0
 *
 * How much work a dispatch may hold. Systems stop a device that seems to hang, and show nothing
 * else while it works, so no dispatch takes longer than GPU_DISPATCH_S. Rates of kernels and
 * devices differ by a factor of a million: a few dispatches of growing size tell.
 */
#ifndef GPU_PACE_H
#define GPU_PACE_H

#include "gpu/program.h"
#include "gpu/rows.h"

#define GPU_DISPATCH_S 0.1

/* May a dispatch of this plan take too long? Then gpu_pace tells. */
bool gpu_pace_needed(const gpu_limits *limits, const gpu_plan *plan);

/* Replaces the plan of an open program by one of shorter dispatches, where it needs to. Measures on
 * the buffers, of which scratch is opened here and closed again: the output, and nothing else,
 * holds garbage afterwards. The mask should hide nothing, since work is counted as if there were
 * none. */
attn_status gpu_pace(gpu_program *program, const gpu_row *row, const attn_workload *w,
                     gpu_buffer *const *buffers, gpu_plan *plan, attn_reason *why);

#endif
