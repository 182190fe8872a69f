/* SPDX-License-Identifier: Apache-2.0
 *
 * The Vulkan instance, with the validation layer on request.
 */
#ifndef GPU_INSTANCE_H
#define GPU_INSTANCE_H

#include <volk.h>

#include <stdbool.h>

#include "attn/status.h"

typedef struct gpu_instance {
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger;
    unsigned messages; /* of the validation layer */
} gpu_instance;

/* ATTN_UNAVAILABLE with one line for people where there is no loader, no driver, or no layer
 * although the environment asks for it. The instance must not move while it is open. */
attn_status gpu_instance_open(gpu_instance *instance, attn_reason *why);
/* Also when open failed. all: its devices are closed; else it stays until the process ends. */
void gpu_instance_close(gpu_instance *instance, bool all);

#endif
