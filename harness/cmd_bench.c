/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cpu/cpu.h"
#include "harness/bench.h"
#include "harness/golden.h"
#include "harness/header.h"
#include "harness/interrupt.h"
#include "harness/own_shaders.h"
#include "harness/progress.h"
#include "harness/resume.h"
#include "harness/tuning.h"

enum { OPT_KERNEL = 1, OPT_WORKLOAD };

typedef struct command {
    bench_options options;
    own_shaders own;
    gpu_tuning tuning;
    char *threads, *device, *output, *roofs;
    double budget_s, precision, row_budget_s, pause_s, window_s; /* precision: in percent */
    int seed;
    char *resume;    /* --resume, or NULL */
    resume *earlier; /* of --resume: what was run until now */
    bool new_budget; /* given beside --resume */
} command;

static bool take_option(void *context, int val, const char *argument)
{
    command *c = context;
    bool taken;
    const bool added = own_shaders_take(&c->own, val, argument, &taken);
    cli_list *list = val == OPT_KERNEL ? &c->options.kernels : &c->options.workloads;
    if (taken ? added : cli_list_add(list, argument))
        return true;
    cli_usage("out of memory");
    return false;
}

/* What follows "--" belongs to Google Benchmark. Returns -1 to go on, else the exit status. */
static int parse(int argc, const char **argv, command *c)
{
    const struct poptOption table[] = {
        {"kernel", '\0', POPT_ARG_STRING, NULL, OPT_KERNEL,
         "only kernels whose name (or device/name) matches; may be repeated", "GLOB"},
        {"workload", '\0', POPT_ARG_STRING, NULL, OPT_WORKLOAD,
         "what to run; may be repeated (default: " BENCH_DEFAULT_WORKLOAD ")", "TEXT"},
        {"threads", '\0', POPT_ARG_STRING, &c->threads, 0,
         "thread counts of the CPU kernels (default: 1 and all)", "LIST"},
        {"device", '\0', POPT_ARG_STRING, &c->device, 0,
         "cpu, vk, or a Vulkan device by index, UUID or part of its name (default: all)", "SEL"},
        {"budget", '\0', POPT_ARG_DOUBLE | POPT_ARGFLAG_SHOW_DEFAULT, &c->budget_s, 0,
         "seconds of warm-up and timing in all; verification comes on top", "SECONDS"},
        {"row-budget", '\0', POPT_ARG_DOUBLE, &c->row_budget_s, 0,
         "seconds of samples of one row (default: its share of the budget)", "SECONDS"},
        {"precision", '\0', POPT_ARG_DOUBLE | POPT_ARGFLAG_SHOW_DEFAULT, &c->precision, 0,
         "a row stops when the interval's half-width is this much of its median", "PERCENT"},
        {"pause", '\0', POPT_ARG_DOUBLE, &c->pause_s, 0,
         "wait so long before each round: for machines that throttle", "SECONDS"},
        {"window", '\0', POPT_ARG_DOUBLE | POPT_ARGFLAG_SHOW_DEFAULT, &c->window_s, 0,
         "a sample averages runs for so long: shorter ones escape a busy machine", "SECONDS"},
        {"roofs", '\0', POPT_ARG_STRING, &c->roofs, 0,
         "all or judging: also those that judge no row (default: all from a budget of 30 s on)",
         "WHICH"},
        {"output", '\0', POPT_ARG_STRING, &c->output, 0,
         "directory for run.jsonl and gb.json (default: out/<UTC time>)", "DIR"},
        {"seed", '\0', POPT_ARG_INT | POPT_ARGFLAG_SHOW_DEFAULT, &c->seed, 0, "of the inputs", "N"},
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
    if (!(c->budget_s > 0) || !isfinite(c->budget_s))
        return cli_usage("--budget: want a positive number of seconds");
    if (!(c->row_budget_s > 0))
        return cli_usage("--row-budget: want a positive number of seconds");
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

/* What the run that goes on was told stands. */
static int check_alone(int argc, const char **argv, command *c)
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
static int parse_earlier(command *c, resume *earlier)
{
    attn_reason why;
    const double budget_s = c->budget_s;
    if (resume_read(c->resume, earlier, &why) != ATTN_OK)
        return cli_usage("--resume %s", why.text);
    char *const path = c->resume;
    c->resume = NULL;
    const int status = parse(earlier->argc, earlier->argv, c);
    if (status >= 0 || c->resume != NULL) {
        free(path);
        return status >= 0 ? status : cli_usage("--resume: the command of this run is a --resume");
    }
    c->resume = path;
    c->earlier = earlier;
    if (c->new_budget)
        c->options.budget_s = c->budget_s = budget_s;
    return -1;
}

/* Everything is decided and the files are open: measure, print, and say how it went. */
static int measure(bench *b, const command *c, const char *json_path, const char *directory)
{
    attn_reason why;
    attn_status status = c->options.all_roofs ? bench_machine(b, &why) : ATTN_OK;
    for (size_t i = 0; i < b->group_count && status == ATTN_OK; i++) {
        status = bench_group_run(b, &b->groups[i], &why);
        if (status == ATTN_OK)
            status = gbench_write(b->engine, json_path, &why);
    }
    progress_clear();
    const verdict_context context = {.asked_for_software =
                                         c->device != NULL || c->options.kernels.count > 0,
                                     .facts = &b->machine,
                                     .stopped = status == ATTN_OK ? NULL : why.text};
    const int exit_status = bench_report(b, &context, json_path);
    if (status == ATTN_OK)
        return exit_status;
    fflush(stdout);
    cli_usage("%s; to go on: attnmark bench --resume '%s'", why.text, directory);
    return interrupt_signal() ? 128 + interrupt_signal() : EXIT_USAGE;
}

/* gb.json replaces neither the rows of this run nor what an earlier one left. A file that the user
 * named may be replaced, as Google Benchmark would, and so may that of the run that goes on. */
static attn_status check_json(const char *json, const char *rows, bool replaced, attn_reason *why)
{
    struct stat existing, own;
    if (stat(json, &existing) != 0)
        return ATTN_OK;
    if (!replaced)
        return attn_because(why, ATTN_ERROR, "%.150s exists: choose another directory", json);
    if (!S_ISREG(existing.st_mode))
        return attn_because(why, ATTN_ERROR, "--benchmark_out=%.150s: not a regular file", json);
    if (stat(rows, &own) == 0 && own.st_dev == existing.st_dev && own.st_ino == existing.st_ino)
        return attn_because(why, ATTN_ERROR,
                            "--benchmark_out=%.150s: the rows of this run go there", json);
    return ATTN_OK;
}

#define DIRECTORY 4096

/* Where the files of this run are, or will be. Returns -1 to go on, else the exit status. */
static int find_directory(const command *c, char directory[DIRECTORY])
{
    const char *wanted = c->earlier ? c->earlier->file.path : c->output;
    if (wanted == NULL)
        store_default_directory(directory, DIRECTORY);
    else if (snprintf(directory, DIRECTORY, "%s", wanted) >= DIRECTORY)
        return cli_usage("--%s: a path of less than %d bytes wanted",
                         c->earlier ? "resume" : "output", DIRECTORY);
    char *const slash = strrchr(directory, '/');
    if (c->earlier && slash == NULL)
        snprintf(directory, DIRECTORY, ".");
    else if (c->earlier)
        *slash = '\0';
    return -1;
}

static attn_status open_store(bench *b, const command *c, const header_options *options,
                              const char *directory, attn_reason *why)
{
    if (c->earlier)
        return resume_open(c->earlier, &b->file, why);
    json_t *header = header_json(b->kernels, options);
    const attn_status status = store_open(directory, header, &b->file, why);
    json_decref(header);
    return status;
}

static int open_files(bench *b, const command *c, const header_options *options)
{
    char directory[DIRECTORY], path[sizeof directory + sizeof "/gb.json"];
    attn_reason why;
    const char *json = gbench_output(b->engine);
    int exit_status = find_directory(c, directory);
    if (exit_status >= 0)
        return exit_status;
    interrupt_catch();
    attn_status status = open_store(b, c, options, directory, &why);
    if (status != ATTN_OK)
        return cli_usage("%s", why.text);
    snprintf(path, sizeof path, "%s/gb.json", directory);
    status = check_json(json ? json : path, store_path(b->file), json || c->earlier, &why);
    if (json == NULL)
        json = path;
    if (status == ATTN_OK)
        status = gbench_write(b->engine, json, &why); /* now, while nothing is lost if it fails */
    if (status != ATTN_OK) {
        store_discard(b->file);
        return cli_usage("%s", why.text);
    }
    exit_status = measure(b, c, json, c->resume ? c->resume : directory);
    store_close(b->file);
    return exit_status;
}

/* Is this where the run began, and are its rows those of its command? */
static attn_status take_earlier(bench *b, const command *c, const header_options *options,
                                attn_reason *why)
{
    attn_reason fault;
    json_t *header = header_json(b->kernels, options);
    attn_status status = resume_same(c->earlier, header, &fault);
    json_decref(header);
    if (status == ATTN_OK)
        status = resume_take(c->earlier, b, c->new_budget, &fault);
    return status == ATTN_OK
               ? status
               : attn_because(why, status, "--resume %.60s: %s", c->earlier->file.path, fault.text);
}

/* What the machine is like just before the first row. */
static void look_around(bench *b)
{
    const facts_sources sources = {.root = "",
                                   .window_s = FACTS_WINDOW_S,
                                   .cpus_allowed = cpu_allowed(),
                                   .gpu = b->kernels->gpu,
                                   .counters = &b->meters->counters,
                                   .energy = &b->meters->energy};
    facts_read(&b->machine, &sources);
}

static int run(const registry *r, const command *c, const header_options *header)
{
    bench_meters meters; /* opened before OpenMP makes its threads */
    bench b = {.meters = &meters};
    attn_reason why;
    bool listed = false;
    int exit_status = EXIT_OK;
    counters_open(&meters.counters);
    energy_open(&meters.energy, "");
    attn_status status = bench_plan(&b, r, &c->options, &why);
    if (status == ATTN_OK)
        status = gbench_open(c->options.flag_count, c->options.flags, &b.engine, &why);
    if (status == ATTN_OK)
        status = bench_select(&b, &listed, &why);
    if (status == ATTN_OK && c->earlier)
        status = take_earlier(&b, c, header, &why);
    if (status != ATTN_OK)
        exit_status = cli_usage("%s", why.text);
    else if (!listed) {
        look_around(&b);
        header_options all = *header;
        all.facts = &b.machine;
        exit_status = open_files(&b, c, &all);
    }
    gbench_close(b.engine);
    bench_free(&b);
    counters_close(&meters.counters);
    return exit_status;
}

int cmd_bench(int argc, const char **argv)
{
    command c = {0};
    registry r;
    attn_reason why;
    resume earlier = {.argc = 0};
    int exit_status = parse(argc, argv, &c);
    if (exit_status < 0 && c.resume != NULL)
        exit_status = check_alone(argc, argv, &c);
    if (exit_status < 0 && c.resume != NULL)
        exit_status = parse_earlier(&c, &earlier);
    if (exit_status < 0)
        exit_status = own_shaders_open(&c.own, &c.options.kernels);
    if (exit_status < 0)
        exit_status = tuning_open(&c.tuning);
    if (exit_status < 0) {
        const gpu_options options = own_shaders_options(&c.own, &c.tuning);
        if (registry_open(&r, c.device, &options, &why) != ATTN_OK) {
            exit_status = cli_usage("%s", why.text);
        } else {
            const header_options header = {argc,      argv, c.options.seed, c.budget_s, &c.own,
                                           &c.tuning, NULL};
            exit_status = registry_finish(&r, run(&r, &c, &header));
        }
    }
    tuning_free(&c.tuning);
    own_shaders_close(&c.own);
    cli_list_free(&c.options.kernels);
    cli_list_free(&c.options.workloads);
    free(c.threads);
    free(c.device);
    free(c.output);
    free(c.resume);
    resume_free(&earlier);
    free(c.roofs);
    return exit_status;
}
