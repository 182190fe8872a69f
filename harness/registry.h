/* SPDX-License-Identifier: Apache-2.0
 *
 * All kernels and roofs of this machine in one list, CPU first.
 */
#ifndef HARNESS_REGISTRY_H
#define HARNESS_REGISTRY_H

#include "attn/kernel.h"
#include "gpu/gpu.h"

typedef struct registry {
    attn_kernel *kernels;
    size_t count;
    attn_roof *roofs;
    size_t roof_count;
    gpu_set *gpu;
} registry;

/* selector: NULL for everything; "cpu"; "vk" for every Vulkan device; a Vulkan device by
 * selector ("vk0") or index ("0"), UUID (32 hex digits, dashes allowed), or a case-insensitive
 * part of its name, three characters or more. A selector that names nothing gives ATTN_ERROR and
 * a line that lists what there is. options: of gpu_open. */
attn_status registry_open(registry *r, const char *selector, const gpu_options *options,
                          attn_reason *why);
/* As gpu_close. */
unsigned registry_close(registry *r);
/* registry_close at the end of a command: messages of the validation layer, which are on stderr
 * already, turn success into EXIT_MISMATCH. Returns the exit status. */
int registry_finish(registry *r, int exit_status);

/* Selector for a command that runs one kernel: `device` if given, else where a kernel of that name
 * (NULL: any) is, so that Vulkan is opened only when it is wanted. */
const char *registry_device(const char *device, const char *kernel);

/* Shell glob over the kernel's name ("avx2_*"), or over "device/name" when it holds a '/'
 * ("vk0/vk_tile_m"). No globs: everything matches. */
bool registry_matches(const attn_kernel *kernel, char *const *globs, size_t globs_count);
/* The roof that judges a kernel: same device and, of bytes, those in memory; of
 * multiply-accumulates, same contract (NONE takes F's), or M's where nothing fuses. NULL if none.
 */
const attn_roof *registry_roof(const registry *r, const attn_kernel *kernel, attn_roof_kind kind);

#endif
