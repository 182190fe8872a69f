/* SPDX-License-Identifier: Apache-2.0
 *
 * The start-up probe: which contracts a device can meet (docs/numerics.md).
 */
#ifndef GPU_PROBE_H
#define GPU_PROBE_H

#include "gpu/device.h"

/* Runs the probe on an open device and fills device->info.probe. */
attn_status gpu_probe_run(gpu_context *device, attn_reason *why);

/* Derives f, m and verdict from the findings. fma_sweep: fma() agreed with the host's. */
void gpu_probe_judge(gpu_probe *probe, bool fma_sweep);

#endif
