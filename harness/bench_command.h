/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `attnmark bench`.
 */
#ifndef HARNESS_BENCH_COMMAND_H
#define HARNESS_BENCH_COMMAND_H

#include "harness/bench.h"
#include "harness/own_shaders.h"
#include "harness/resume.h"
#include "harness/tuning.h"

typedef struct bench_command {
    bench_options options;
    own_shaders own;
    gpu_tuning tuning;
    char *threads, *device, *output, *roofs;
    char *against;                                               /* --against, or NULL */
    double budget_s, precision, row_budget_s, pause_s, window_s; /* precision: in percent */
    int seed;
    char *resume;    /* --resume, or NULL */
    resume earlier;  /* of --resume: what was run until now */
    bool new_budget; /* given beside --resume */
} bench_command;

/* Reads the command line; under --resume that of the run that goes on, in place of the other
 * options. What follows "--" belongs to Google Benchmark. Opens what it names: users' shaders, the
 * choices of tune. *c is zero before; free it whatever happens. Returns -1 to go on, else the exit
 * status. */
int bench_command_open(bench_command *c, int argc, const char **argv);
void bench_command_free(bench_command *c);

#endif
