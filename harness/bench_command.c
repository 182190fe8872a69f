/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/bench_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/golden.h"

enum { OPT_KERNEL = 1, OPT_WORKLOAD };

static bool take_option(void *context, int val, const char *argument)
{
    bench_command *c = context;
    bool taken;
    const bool added = own_shaders_take(&c->own, val, argument, &taken);
    cli_list *list = val == OPT_KERNEL ? &c->options.kernels : &c->options.workloads;
    if (taken ? added : cli_list_add(list, argument))
        return true;
    cli_usage("out of memory");
    return false;
}

/* Are the values in their ranges? Takes them over. */
static int check(bench_command *c)
{
    if (!(c->budget_s > 0) || !isfinite(c->budget_s))
        return cli_usage("--budget: want a number of seconds above 0");
    if (!(c->row_budget_s > 0))
        return cli_usage("--row-budget: want a number of seconds above 0");
    if (!(c->precision >= 0.01 && c->precision <= 100))
        return cli_usage("--precision: want 0.01..100 percent");
    if (!(c->pause_s >= 0 && c->pause_s <= 3600))
        return cli_usage("--pause: want 0..3600 seconds");
    if (!(c->window_s >= 1e-5 && c->window_s <= 1))
        return cli_usage("--window: want 0.00001..1 seconds");
    if (!cli_seed(c->seed) ||
        (c->threads != NULL &&
         !cli_threads(c->threads, c->options.threads, sizeof c->options.threads / sizeof(unsigned),
                      &c->options.thread_count)))
        return EXIT_USAGE;
    if (c->against != NULL && c->against[0] == '\0')
        return cli_usage("--against: want a program");
    if (c->roofs != NULL && strcmp(c->roofs, "all") != 0 && strcmp(c->roofs, "judging") != 0)
        return cli_usage("--roofs %s: want all or judging", c->roofs);
    c->options.all_roofs =
        c->roofs != NULL ? strcmp(c->roofs, "all") == 0 : c->budget_s >= BENCH_MACHINE_BUDGET_S;
    c->options.budget_s = c->budget_s;
    c->options.precision = c->precision / 100;
    c->options.row_budget_s = c->row_budget_s;
    c->options.pause_s = c->pause_s;
    c->options.window_s = c->window_s;
    c->options.seed = (uint32_t)c->seed;
    return -1;
}

/* What follows "--" belongs to Google Benchmark. Returns -1 to go on, else the exit status. */
static int parse(int argc, const char **argv, bench_command *c)
{
    const struct poptOption table[] = {
        {"kernel", '\0', POPT_ARG_STRING, NULL, OPT_KERNEL,
         "only kernels whose name (or device/name) matches; may be repeated", "GLOB"},
        {"workload", '\0', POPT_ARG_STRING, NULL, OPT_WORKLOAD,
         "what to run; may be repeated (default: " BENCH_DEFAULT_WORKLOAD ")", "TEXT"},
        {"threads", '\0', POPT_ARG_STRING, &c->threads, 0,
         "thread counts of the CPU kernels, each 1..1024 (default: 1 and all)", "LIST"},
        {"device", '\0', POPT_ARG_STRING, &c->device, 0,
         "cpu, vk, or a Vulkan device by index, UUID or part of its name (default: all)", "SEL"},
        {"budget", '\0', POPT_ARG_DOUBLE | POPT_ARGFLAG_SHOW_DEFAULT, &c->budget_s, 0,
         "seconds of warm-up and timing in all; verification comes on top (above 0)", "SECONDS"},
        {"row-budget", '\0', POPT_ARG_DOUBLE, &c->row_budget_s, 0,
         "seconds of samples of one row; by default its share of the budget (above 0)", "SECONDS"},
        {"precision", '\0', POPT_ARG_DOUBLE | POPT_ARGFLAG_SHOW_DEFAULT, &c->precision, 0,
         "a row stops when the interval's half-width is this much of its median (0.01..100)",
         "PERCENT"},
        {"pause", '\0', POPT_ARG_DOUBLE, &c->pause_s, 0,
         "wait so long before each round: for machines that throttle (0..3600)", "SECONDS"},
        {"window", '\0', POPT_ARG_DOUBLE | POPT_ARGFLAG_SHOW_DEFAULT, &c->window_s, 0,
         "a sample averages runs for so long: shorter ones escape a busy machine (0.00001..1)",
         "SECONDS"},
        {"roofs", '\0', POPT_ARG_STRING, &c->roofs, 0,
         "all or judging: also those that judge no row (default: all from a budget of 30 s on)",
         "WHICH"},
        {"output", '\0', POPT_ARG_STRING, &c->output, 0,
         "directory for run.jsonl and gb.json (default: out/<UTC time>)", "DIR"},
        {"against", '\0', POPT_ARG_STRING, &c->against, 0,
         "take turns, sample by sample, with a run of this attnmark; its files: DIR" TURNS_SUFFIX,
         "PROGRAM"},
        {"seed", '\0', POPT_ARG_INT | POPT_ARGFLAG_SHOW_DEFAULT, &c->seed, 0,
         "of the inputs (0..2147483647)", "N"},
        {"resume", '\0', POPT_ARG_STRING, &c->resume, 0,
         "go on with a run that did not end; no other option but --budget", "DIR"},
        OWN_SHADERS_TABLE,
        POPT_AUTOHELP POPT_TABLEEND};
    int own = 1;
    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    c->options.flags = own < argc ? argv + own + 1 : NULL;
    c->options.flag_count = own < argc ? argc - own - 1 : 0;
    c->budget_s = BENCH_DEFAULT_BUDGET_S;
    c->precision = 100 * BENCH_PRECISION;
    c->row_budget_s = INFINITY;
    c->window_s = BENCH_WINDOW_S;
    c->seed = GOLDEN_SEED;
    int status =
        cli_parse(own, argv, table, "[OPTION...] [-- Google Benchmark's flags]", take_option, c);
    if (status >= 0)
        return status;
    return check(c);
}

/* What the run that goes on was told stands. */
static int check_alone(int argc, const char **argv, bench_command *c)
{
    for (int i = 1; i < argc; i++) {
        const char *const word = argv[i];
        const bool budget = strncmp(word, "--budget", 8) == 0;
        if (!budget && strncmp(word, "--resume", 8) != 0)
            return cli_usage("--resume takes no other option but --budget, not %s", word);
        c->new_budget = c->new_budget || budget;
        i += strchr(word, '=') == NULL; /* its argument */
    }
    return -1;
}

/* The command of the run that goes on, in place of this one. */
static int parse_earlier(bench_command *c)
{
    attn_reason why;
    const double budget_s = c->budget_s;
    if (resume_read(c->resume, &c->earlier, &why) != ATTN_OK)
        return cli_usage("--resume %s", why.text);
    char *const path = c->resume;
    c->resume = NULL;
    const int status = parse(c->earlier.argc, c->earlier.argv, c);
    if (status >= 0 || c->resume != NULL) {
        free(path);
        return status >= 0 ? status : cli_usage("--resume: the command of this run is a --resume");
    }
    c->resume = path;
    if (c->against != NULL)
        return cli_usage("--resume: this run took turns with another: start both anew");
    if (c->new_budget)
        c->options.budget_s = c->budget_s = budget_s;
    return -1;
}

int bench_command_open(bench_command *c, int argc, const char **argv)
{
    int exit_status = parse(argc, argv, c);
    if (exit_status < 0 && c->resume != NULL)
        exit_status = check_alone(argc, argv, c);
    if (exit_status < 0 && c->resume != NULL)
        exit_status = parse_earlier(c);
    if (exit_status < 0)
        exit_status = own_shaders_open(&c->own, &c->options.kernels);
    if (exit_status < 0)
        exit_status = tuning_open(&c->tuning);
    return exit_status;
}

void bench_command_free(bench_command *c)
{
    tuning_free(&c->tuning);
    own_shaders_close(&c->own);
    cli_list_free(&c->options.kernels);
    cli_list_free(&c->options.workloads);
    free(c->threads);
    free(c->device);
    free(c->output);
    free(c->roofs);
    free(c->against);
    free(c->resume);
    resume_free(&c->earlier);
}
