/* SPDX-License-Identifier: Apache-2.0
 *
 * The SPIR-V inside the program, for other tools: without an argument the names of the modules,
 * with a name its words on stdout.
 */
#include <stdio.h>
#include <string.h>

#include "shaders/modules.h"

int main(int argc, char **argv)
{
    for (size_t i = 0; i < shader_module_count; i++) {
        const shader_module *module = &shader_modules[i];
        if (argc < 2)
            puts(module->name);
        else if (strcmp(argv[1], module->name) == 0)
            return fwrite(module->words, 1, module->bytes, stdout) != module->bytes;
    }
    return argc < 2 ? 0 : 1;
}
