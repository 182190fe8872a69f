/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/result.h"

#include <stddef.h>

typedef struct result_row {
    VkResult result;
    const char *name;
    attn_status status;
} result_row;

#define ROW(result, status)                                                                        \
    {                                                                                              \
        result, #result, status                                                                    \
    }
static const result_row rows[] = {
    ROW(VK_SUCCESS, ATTN_OK),
    ROW(VK_NOT_READY, ATTN_ERROR),
    ROW(VK_TIMEOUT, ATTN_TIMEOUT),
    ROW(VK_INCOMPLETE, ATTN_ERROR),
    ROW(VK_ERROR_OUT_OF_HOST_MEMORY, ATTN_OUT_OF_MEMORY),
    ROW(VK_ERROR_OUT_OF_DEVICE_MEMORY, ATTN_OUT_OF_MEMORY),
    ROW(VK_ERROR_OUT_OF_POOL_MEMORY, ATTN_OUT_OF_MEMORY),
    ROW(VK_ERROR_DEVICE_LOST, ATTN_DEVICE_LOST),
    ROW(VK_ERROR_INITIALIZATION_FAILED, ATTN_ERROR), /* of pipelines, too */
    ROW(VK_ERROR_INCOMPATIBLE_DRIVER, ATTN_UNAVAILABLE),
    ROW(VK_ERROR_LAYER_NOT_PRESENT, ATTN_UNAVAILABLE),
    ROW(VK_ERROR_EXTENSION_NOT_PRESENT, ATTN_UNAVAILABLE),
    ROW(VK_ERROR_FEATURE_NOT_PRESENT, ATTN_UNAVAILABLE),
    ROW(VK_ERROR_MEMORY_MAP_FAILED, ATTN_ERROR),
    ROW(VK_ERROR_TOO_MANY_OBJECTS, ATTN_ERROR),
    ROW(VK_ERROR_UNKNOWN, ATTN_ERROR),
};

attn_status gpu_result(VkResult result, const char *call, attn_reason *why)
{
    if (result == VK_SUCCESS)
        return ATTN_OK;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].result == result)
            return attn_because(why, rows[i].status, "%s: %s", call, rows[i].name);
    return attn_because(why, ATTN_ERROR, "%s: VkResult %d", call, (int)result);
}
