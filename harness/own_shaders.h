/* SPDX-License-Identifier: Apache-2.0
 *
 * The options --shader and --define, which verify, bench and run share.
 */
#ifndef HARNESS_OWN_SHADERS_H
#define HARNESS_OWN_SHADERS_H

#include <jansson.h>

#include "gpu/own.h"
#include "harness/cli.h"

/* Values that popt returns for the two options. */
enum { OWN_SHADERS_FILE = 1000, OWN_SHADERS_DEFINE };

/* Entries of a command's option table. */
#define OWN_SHADERS_TABLE                                                                          \
    {"shader",         '\0',                                                                       \
     POPT_ARG_STRING,  NULL,                                                                       \
     OWN_SHADERS_FILE, "compile this shader and run its kernels; may be repeated",                 \
     "FILE.comp"},                                                                                 \
    {                                                                                              \
        "define", '\0', POPT_ARG_STRING, NULL, OWN_SHADERS_DEFINE,                                 \
            "a macro for all --shader; may be repeated", "NAME[=VALUE]"                            \
    }

typedef struct own_shaders {
    cli_list files, defines;
    gpu_own_shader *shaders; /* of each file, once they are open */
    size_t count;
    const gpu_row **rows; /* of all */
    size_t row_count;
} own_shaders;

/* Takes one of the two options; *taken tells whether it was one. false when out of memory. */
bool own_shaders_take(own_shaders *own, int val, const char *argument, bool *taken);

/* Compiles them all. What the compiler says goes to stderr. Where `kernels` holds no pattern and
 * there are shaders, their kernels' names go there: without --kernel they run alone. Returns -1 to
 * go on, else the exit status, all said. */
int own_shaders_open(own_shaders *own, cli_list *kernels);
void own_shaders_close(own_shaders *own); /* also when it was never opened */

/* What gpu_open takes: these rows, and the sizes of others. */
gpu_options own_shaders_options(const own_shaders *own, const gpu_tuning *tuning);

/* " --shader 'my own.comp' --define K=V", as a shell takes it; nothing where there are none. */
void own_shaders_print(FILE *to, const own_shaders *own);

/* For the header of run.jsonl: an array of objects. */
json_t *own_shaders_json(const own_shaders *own);

#endif
