/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "shaders/modules.h"

attn_digest gpu_shaders_digest(void)
{
    size_t bytes = 0, at = 0;
    for (size_t i = 0; i < shader_module_count; i++)
        bytes += shader_modules[i].bytes;
    char *all = malloc(bytes);
    for (size_t i = 0; all && i < shader_module_count; i++) {
        memcpy(all + at, shader_modules[i].words, shader_modules[i].bytes);
        at += shader_modules[i].bytes;
    }
    const attn_digest digest = attn_digest_bytes(all, at);
    free(all);
    return digest;
}
