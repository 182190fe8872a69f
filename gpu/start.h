/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices at the start of a run, and once more after a loss.
 */
#ifndef GPU_START_H
#define GPU_START_H

#include "gpu/device.h"

/* Opens and probes a described device, or notes in info.unavailable why it cannot be used. */
void gpu_context_start(gpu_context *device);

/* The context for new work on a device: itself or, when it is lost, the one opened again at the
 * first demand, which must meet the same contracts. ATTN_DEVICE_LOST when there is no such
 * context, or that is lost, too. What was made on the lost one keeps its handles until it is
 * closed. */
attn_status gpu_context_usable(gpu_context *device, gpu_context **usable, attn_reason *why);

#endif
