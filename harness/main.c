/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark: one program, one subcommand per task.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attn/contract.h"
#include "cpu/cpu.h"
#include "gpu/gpu.h"
#include "harness/cli.h"
#include "harness/slowed.h"
#include "harness_config.h"

typedef struct command {
    const char *name;
    const char *title; /* argv[0] of its messages and help */
    int (*run)(int argc, const char **argv);
    const char *story;
} command;

static const command commands[] = {
    {"devices", "attnmark devices", cmd_devices, "the CPU and every Vulkan device, with limits"},
    {"doctor", "attnmark doctor", cmd_doctor, "what makes numbers unreliable on this machine"},
    {"list", "attnmark list", cmd_list, "every kernel: contract, tier, why it cannot run here"},
    {"verify", "attnmark verify", cmd_verify, "check kernels against the reference and the oracle"},
    {"bench", "attnmark bench", cmd_bench, "verify, then time: table, scaling curve, run.jsonl"},
    {"compare", "attnmark compare", cmd_compare, "two runs, or two kernels of one: is B faster?"},
    {"crossover", "attnmark crossover", cmd_crossover, "from which n on one kernel beats another"},
    {"export", "attnmark export", cmd_export, "finished runs as CSV, Markdown, SQL and more"},
    {"gallery", "attnmark gallery", cmd_gallery, "published runs of many machines as a site"},
    {"submit", "attnmark submit", cmd_submit,
     "check a run and place it in results/, to publish it"},
    {"report", "attnmark report", cmd_report, "finished runs as one page that opens anywhere"},
    {"tune", "attnmark tune", cmd_tune,
     "find the fastest sizes on a Vulkan device, for the others"},
    {"run", "attnmark run", cmd_run, "run a kernel on your own .npy tensors"},
    {"hash", "attnmark hash", cmd_hash, "the canonical digest of a workload"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help(FILE *to)
{
    fputs("Usage: attnmark COMMAND [OPTION...]\n"
          "Attention benchmarks whose every number is earned by a bit-exact check.\n\n",
          to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-11s%s\n", commands[i].name, commands[i].story);
    fputs("\n'attnmark COMMAND --help' lists the options of a command; --version the versions.\n",
          to);
}

/* Registered, because popt and Google Benchmark exit for --help. */
static void close_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    cli_usage("writing to standard output failed");
    _exit(EXIT_USAGE);
}

int main(int argc, const char **argv)
{
    if (atexit(close_output) != 0)
        return cli_usage("out of memory");
    const char *word = argc > 1 ? argv[1] : "--help";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0 || strcmp(word, "-h") == 0 ||
        strcmp(word, "help") == 0) {
        help(argc > 1 ? stdout : stderr);
        return argc > 1 ? EXIT_OK : EXIT_USAGE;
    }
    if (strcmp(word, "--version") == 0) {
        printf("attnmark %s (numerics contract %d)\n", ATTNMARK_VERSION, ATTN_CONTRACT_VERSION);
        return EXIT_OK;
    }
    attn_reason why;
    if (cpu_check_environment(&why) != ATTN_OK || cpu_check_arithmetic(&why) != ATTN_OK ||
        gpu_check_environment(&why) != ATTN_OK || slowed_check(&why) != ATTN_OK)
        return cli_usage("%s", why.text);
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0) {
            argv[1] = commands[i].title;
            return commands[i].run(argc - 1, argv + 1);
        }
    char names[256] = "";
    for (int i = 0; i < COMMANDS; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                 commands[i].name);
    return cli_usage("unknown command '%s' (allowed: %s)", word, names);
}
