/* SPDX-License-Identifier: Apache-2.0
 *
 * A submission that does nothing: what it costs to reach a device and to hear back from it.
 */
#ifndef GPU_EMPTY_H
#define GPU_EMPTY_H

#include "gpu/device.h"

/* Submits a dispatch of one invocation that does nothing, and waits, as gpu_program_run does with
 * a kernel. The first call makes the pipeline. device_s: as gpu_program_run. */
attn_status gpu_empty_run(gpu_context *device, double *device_s, attn_reason *why);
void gpu_empty_close(gpu_context *device); /* also when it never ran */

#endif
