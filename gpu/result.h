/* SPDX-License-Identifier: Apache-2.0
 *
 * VkResult as attn_status.
 */
#ifndef GPU_RESULT_H
#define GPU_RESULT_H

#include <volk.h>

#include "attn/status.h"

/* ATTN_OK for VK_SUCCESS, else the matching status with "<call>: VK_ERROR_..." as reason. */
attn_status gpu_result(VkResult result, const char *call, attn_reason *why);

#endif
