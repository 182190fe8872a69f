/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine without Vulkan (case 23): test_absent REASON expects gpu_open to say REASON, and every
 * kernel with it.
 */
#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"

static int check(const gpu_set *set, const char *reason)
{
    size_t kernels, roofs;
    const attn_kernel *list = gpu_kernels(set, &kernels);
    gpu_roofs(set, &roofs);
    if (gpu_device_count(set) != 0 || kernels == 0 || roofs != 0)
        return printf("%d devices, %d kernels, %d roofs\n", (int)gpu_device_count(set),
                      (int)kernels, (int)roofs);
    for (size_t i = 0; i < kernels; i++)
        if (strcmp(list[i].device, "vk") != 0 || strcmp(list[i].unavailable, reason) != 0)
            return printf("%s on %s: %s\n", list[i].name, list[i].device, list[i].unavailable);
    return 0;
}

int main(int argc, char **argv)
{
    const char *reason = argc > 1 ? argv[1] : "";
    gpu_set *set = gpu_open(NULL);
    if (!set || !gpu_unavailable(set) || strcmp(gpu_unavailable(set), reason) != 0) {
        printf("got '%s', want '%s'\n", set && gpu_unavailable(set) ? gpu_unavailable(set) : "",
               reason);
        gpu_close(set);
        return 1;
    }
    const int failed = check(set, reason);
    gpu_close(set);
    return failed != 0;
}
