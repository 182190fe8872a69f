/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu/own.h in a build without shaderc.
 */
#include "gpu/own.h"

#include "attn/file.h"

attn_status gpu_own_open(const char *file, const char *const *defines, size_t define_count,
                         gpu_own_shader *shader, char **log, attn_reason *why)
{
    (void)defines, (void)define_count;
    *shader = (gpu_own_shader){0};
    *log = NULL;
    return attn_file_refuse(why, file, "cannot be compiled: built without shaderc");
}

void gpu_own_close(gpu_own_shader *shader)
{
    (void)shader;
}
