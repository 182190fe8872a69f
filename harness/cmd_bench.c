/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "attn/file.h"
#include "cpu/cpu.h"
#include "harness/bench_command.h"
#include "harness/header.h"
#include "harness/interrupt.h"
#include "harness/progress.h"
#include "harness/shell.h"

static int status_of_stop(void)
{
    return interrupt_signal() ? 128 + interrupt_signal() : EXIT_USAGE;
}

static void say_stopped(const bench *b, const char *why, const char *directory)
{
    if (b->turns->id[0] != '\0') {
        cli_usage("%s; runs that take turns are not gone on with: start both anew", why);
        return;
    }
    char *const word = shell_word(directory);
    cli_usage("%s; to go on: attnmark bench --resume %s", why, word ? word : directory);
    free(word);
}

/* Everything is decided and the files are open: measure, print, and say how it went. */
static int measure(bench *b, const bench_command *c, const char *json_path, const char *directory)
{
    attn_reason why;
    attn_status status = bench_store_closed(b, &why);
    if (status == ATTN_OK && c->options.all_roofs)
        status = bench_machine(b, &why);
    for (size_t i = 0; i < b->group_count && status == ATTN_OK; i++) {
        status = bench_group_run(b, &b->groups[i], &why);
        if (status == ATTN_OK)
            status = gbench_write(b->engine, json_path, &why);
    }
    progress_clear();
    const verdict_context context = {.asked_for_software =
                                         c->device != NULL || c->options.kernels.count > 0,
                                     .facts = &b->machine,
                                     .stopped = status == ATTN_OK ? NULL : why.text,
                                     .lost = b->turns->lost};
    const int exit_status = bench_report(b, &context, json_path);
    if (status == ATTN_OK)
        return exit_status;
    fflush(stdout);
    say_stopped(b, why.text, directory);
    return status_of_stop();
}

/* gb.json replaces neither the rows of this run nor what an earlier one left. A file that the user
 * named may be replaced, as Google Benchmark would, and so may that of the run that goes on. */
static attn_status check_json(const char *json, const char *rows, bool replaced, attn_reason *why)
{
    struct stat existing;
    if (stat(json, &existing) != 0)
        return ATTN_OK;
    if (!replaced)
        return attn_because(why, ATTN_ERROR, "%.150s exists: choose another directory", json);
    if (!S_ISREG(existing.st_mode))
        return attn_because(why, ATTN_ERROR, "--benchmark_out=%.150s: not a regular file", json);
    if (attn_file_same(json, rows))
        return attn_because(why, ATTN_ERROR,
                            "--benchmark_out=%.150s: the rows of this run go there", json);
    return ATTN_OK;
}

#define DIRECTORY 4096

/* Where the files of this run are, or will be. Returns -1 to go on, else the exit status. */
static int find_directory(const bench_command *c, char directory[DIRECTORY])
{
    const char *wanted = c->resume ? c->earlier.file.path : c->output;
    if (wanted == NULL)
        store_default_directory(directory, DIRECTORY);
    else if (snprintf(directory, DIRECTORY, "%s", wanted) >= DIRECTORY)
        return cli_usage("--%s: a path of less than %d bytes wanted",
                         c->resume ? "resume" : "output", DIRECTORY);
    char *const slash = strrchr(directory, '/');
    if (c->resume && slash == NULL)
        snprintf(directory, DIRECTORY, ".");
    else if (c->resume)
        *slash = '\0';
    return -1;
}

static attn_status open_store(bench *b, const bench_command *c, const header_options *options,
                              const char *directory, attn_reason *why)
{
    if (c->resume)
        return resume_open(&c->earlier, &b->file, why);
    json_t *header = header_json(b->kernels, options);
    const attn_status status = store_open(directory, header, &b->file, why);
    json_decref(header);
    return status;
}

/* The files of --against are open as well, if there are any; nothing is measured yet. */
static attn_status begin(bench *b, const header_options *options, const char *json,
                         const char *directory, attn_reason *why)
{
    attn_status status = gbench_write(b->engine, json, why); /* while nothing is lost if it fails */
    if (status != ATTN_OK)
        return status;
    status = turns_begin(b->turns, options->argc, options->argv, directory, why);
    if (status != ATTN_OK)
        remove(json);
    return status;
}

/* The worse of the two exit statuses; that of a signal which ended this one before both. */
static int finish(bench *b, int exit_status)
{
    char *const directory = b->turns->directory; /* NULL: there is no other, or this is it */
    b->turns->directory = NULL;
    const int other = turns_end(b->turns);
    if (directory != NULL && other != 0)
        cli_usage("--against: the other run ended with status %d", other);
    else if (directory != NULL)
        printf("Against: %s\n", directory);
    free(directory);
    return interrupt_signal() || exit_status > other ? exit_status : other;
}

static int open_files(bench *b, const bench_command *c, const header_options *options)
{
    char directory[DIRECTORY], path[sizeof directory + sizeof "/gb.json"];
    attn_reason why;
    const char *json = gbench_output(b->engine);
    int exit_status = find_directory(c, directory);
    if (exit_status >= 0)
        return exit_status;
    interrupt_catch();
    if (json != NULL && c->against != NULL)
        return cli_usage("--against: both runs would write --benchmark_out=%s: leave it out", json);
    attn_status status = open_store(b, c, options, directory, &why);
    if (status != ATTN_OK)
        return cli_usage("%s", why.text);
    snprintf(path, sizeof path, "%s/gb.json", directory);
    status = check_json(json ? json : path, store_path(b->file), json || c->resume, &why);
    if (json == NULL)
        json = path;
    if (status == ATTN_OK)
        status = begin(b, options, json, directory, &why);
    if (status != ATTN_OK) {
        store_discard(b->file);
        cli_usage("%s", why.text);
        return status_of_stop();
    }
    exit_status = measure(b, c, json, c->resume ? c->resume : directory);
    store_close(b->file);
    return finish(b, exit_status);
}

/* Is this where the run began, and are its rows those of its command? */
static attn_status take_earlier(bench *b, bench_command *c, const header_options *options,
                                attn_reason *why)
{
    attn_reason fault;
    json_t *header = header_json(b->kernels, options);
    attn_status status = resume_same(&c->earlier, header, &fault);
    json_decref(header);
    if (status == ATTN_OK)
        status = resume_take(&c->earlier, b, c->new_budget, &fault);
    return status == ATTN_OK
               ? status
               : attn_because(why, status, "--resume %.60s: %s", c->earlier.file.path, fault.text);
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

static int run(const registry *r, bench_command *c, const header_options *header, turns *t)
{
    bench_meters meters; /* opened before OpenMP makes its threads */
    bench b = {.meters = &meters, .turns = t};
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
    if (status == ATTN_OK && c->resume)
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
    bench_command c = {0};
    registry r;
    attn_reason why;
    int exit_status = bench_command_open(&c, argc, argv);
    if (exit_status < 0) {
        const gpu_options options = own_shaders_options(&c.own, &c.tuning);
        turns t;
        const header_options header = {argc,   argv,      c.options.seed, c.budget_s,
                                       &c.own, &c.tuning, NULL,           &t};
        if (turns_open(&t, c.against, &c.output, &why) != ATTN_OK ||
            registry_open(&r, c.device, &options, &why) != ATTN_OK)
            exit_status = cli_usage("%s", why.text);
        else
            exit_status = registry_finish(&r, run(&r, &c, &header, &t));
        turns_end(&t);
    }
    bench_command_free(&c);
    return exit_status;
}
