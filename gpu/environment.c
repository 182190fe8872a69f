/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "gpu/gpu.h"
#include "gpu/hooks.h"
#include "gpu/validation.h"

attn_status gpu_check_environment(attn_reason *why)
{
    unsigned checks;
    gpu_faults faults;
    gpu_limits limits = {0};
    attn_status status = gpu_validation_parse(getenv("ATTNMARK_VALIDATION"), &checks, why);
    if (status == ATTN_OK)
        status = gpu_hook_limits(getenv("ATTNMARK_GPU_LIMITS"), &limits, why);
    if (status == ATTN_OK)
        status = gpu_hook_staging_check(why);
    if (status == ATTN_OK)
        status = gpu_hook_faults(getenv("ATTNMARK_GPU_FAULT"), "", &faults, why);
    return status;
}
