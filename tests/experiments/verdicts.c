/* SPDX-License-Identifier: Apache-2.0
 *
 * Do the verdicts of `attnmark compare` cry wolf, and do they find what is there?
 *   verdicts PROGRAM [SAME [SLOWED [SEED [OPTION...]]]]
 * SAME comparisons (60) of the best exact CPU kernel with itself, SLOWED (40) with the same kernel
 * slowed by 5 % (ATTNMARK_SLOWED), and as many by 2 %: two runs of `bench` each, with the OPTIONs,
 * that take turns, while up to two busy loops come and go at random; then the same with runs one
 * after the other. Prints how often each verdict came out. Exit status 1 where a comparison failed,
 * and with 40 or more of a kind where verdicts are not as docs/measuring.md wants them.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/run_file.h"
#include "harness/stats.h"
#include "harness/turns.h"

enum { FASTER, SLOWER, SAME, UNCLEAR, VERDICTS, MANY = 40, LOOPS = 2 };

static const char *const verdicts[] = {"FASTER", "SLOWER", "SAME", "UNCLEAR"};
static const char *program;
static char dir[] = "/tmp/attnmark-verdicts-XXXXXX";
static char **options;
static int option_count;

/* A busy loop; gone with the process that started it, whatever ends that. */
static pid_t spin(void)
{
    const pid_t parent = getpid(), child = fork();
    volatile unsigned long turns = 0;
    while (child == 0 && getppid() == parent)
        for (int i = 0; i < 1000000; i++)
            turns++;
    if (child == 0)
        _exit(0);
    return child;
}

static void end(pid_t child)
{
    if (child > 0 && kill(child, SIGTERM) == 0)
        waitpid(child, NULL, 0);
}

/* None to two loops, for up to four seconds, again and again. */
static pid_t load(uint64_t seed)
{
    const pid_t parent = getpid(), child = fork();
    stats_random random = stats_random_start(seed);
    while (child == 0 && getppid() == parent) {
        pid_t loops[LOOPS];
        const uint32_t count = stats_random_below(&random, LOOPS + 1);
        const struct timespec wait = {stats_random_below(&random, 4),
                                      (long)stats_random_below(&random, 1000) * 1000000};
        for (uint32_t i = 0; i < count; i++)
            loops[i] = spin();
        nanosleep(&wait, NULL);
        for (uint32_t i = 0; i < count; i++)
            end(loops[i]);
    }
    if (child == 0)
        _exit(0);
    return child;
}

/* Runs the program with its output to a file; the exit status, or -1. */
static int run(const char *const *arguments, const char *slowed, const char *output)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        if (slowed != NULL)
            setenv("ATTNMARK_SLOWED", slowed, 1);
        if (freopen(output, "w", stdout) == NULL)
            _exit(126);
        execv(program, (char *const *)arguments);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

/* DIR/NAME, until the next call but three. */
static const char *in_dir(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

/* against: NULL, or the program to take turns with. */
static bool bench(const char *kernel, const char *slowed, const char *name, const char *against)
{
    /* Samples of one run each; the first run, of every kernel, takes the budget alone. */
    static const char *const usual[] = {"--budget", "10", "--window",
                                        "0.0003",   "--", "--benchmark_repetitions=1000"};
    const char *arguments[64] = {
        program,          "bench",    "--device", "cpu",      "--threads",  "1",       "--workload",
        "h=1,n=256,d=64", "--kernel", kernel,     "--output", in_dir(name), "--roofs", "judging"};
    int count = 14;
    if (against != NULL) {
        arguments[count++] = "--against";
        arguments[count++] = against;
    }
    const bool all = strcmp(kernel, "*") == 0, own = option_count > 0 && !all;
    for (int i = 0; i < (all ? 2 : own ? option_count : 6) && count < 63; i++)
        arguments[count++] = own ? options[i] : usual[i];
    const int status = run(arguments, slowed, in_dir("output"));
    if (status != 0)
        fprintf(stderr, "bench: status %d\n", status);
    return status == 0;
}

static void forget(const char *name)
{
    static const char *const files[] = {"run.jsonl", "gb.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", name, files[i]);
        remove(in_dir(path));
    }
    remove(in_dir(name));
}

/* The exact kernel of the highest rate; empty when there is none, which is said. */
static const char *best_kernel(char *name, size_t size)
{
    run_file f;
    attn_reason why;
    double best = 0;
    name[0] = '\0';
    if (!bench("*", NULL, "all", NULL))
        return name;
    if (run_file_read(in_dir("all"), &f, &why) != ATTN_OK) {
        fprintf(stderr, "%s\n", why.text);
        return name;
    }
    for (size_t i = 0; i < f.count; i++) {
        const result_row *row = &f.rows[i];
        if (!row->roof && row->status == ATTN_OK && row->tier == ATTN_TIER_EXACT &&
            row->gflops > best) {
            best = row->gflops;
            snprintf(name, size, "%s", row->kernel);
        }
    }
    run_file_free(&f);
    forget("all");
    if (name[0] == '\0')
        fprintf(stderr, "no exact kernel was measured\n");
    return name;
}

/* A verdict on the runs a and b; VERDICTS when there is none. */
static int verdict(void)
{
    const char *const arguments[] = {
        program, "compare", "--json", in_dir("a"), in_dir("a" TURNS_SUFFIX), NULL};
    json_error_t error;
    int found = 0;
    if (run(arguments, NULL, in_dir("output")) != 0)
        return VERDICTS;
    json_t *o = json_load_file(in_dir("output"), 0, &error);
    const json_t *pair = json_array_get(json_object_get(o, "pairs"), 0);
    const char *word = json_string_value(json_object_get(pair, "verdict"));
    while (found < VERDICTS && (word == NULL || strcmp(word, verdicts[found]) != 0))
        found++;
    json_decref(o);
    return found;
}

/* The same program, its kernel slowed where `slowed` is not NULL: for the second of two runs that
 * take turns, which has the environment of the first. */
static bool write_second(const char *slowed)
{
    FILE *script = fopen(in_dir("second"), "w");
    if (script == NULL)
        return false;
    fputs("#!/bin/sh\n", script);
    if (slowed != NULL)
        fprintf(script, "ATTNMARK_SLOWED='%s'\nexport ATTNMARK_SLOWED\n", slowed);
    fputs("exec \"$VERDICTS_PROGRAM\" \"$@\"\n", script);
    return fclose(script) == 0 && chmod(in_dir("second"), 0700) == 0;
}

static bool bench_both(const char *kernel, const char *slowed, bool in_turn)
{
    if (in_turn)
        return write_second(slowed) && bench(kernel, NULL, "a", in_dir("second"));
    return bench(kernel, NULL, "a", NULL) && bench(kernel, slowed, "a" TURNS_SUFFIX, NULL);
}

/* Compares the kernel with itself so many times, the second run slowed by this much. */
static bool compare(const char *kernel, int times, const char *percent, bool in_turn,
                    int counts[VERDICTS + 1])
{
    char slowed[96];
    snprintf(slowed, sizeof slowed, "%s:%s", kernel, percent ? percent : "");
    memset(counts, 0, (VERDICTS + 1) * sizeof *counts);
    for (int i = 0; i < times; i++) {
        const bool ran = bench_both(kernel, percent ? slowed : NULL, in_turn);
        counts[ran ? verdict() : VERDICTS]++;
        forget("a");
        forget("a" TURNS_SUFFIX);
    }
    printf("%3d times %s slowed by %s %%, %s:", times, kernel, percent ? percent : "0",
           in_turn ? "in turn" : "one after the other");
    for (int v = 0; v < VERDICTS; v++)
        printf(" %d %s", counts[v], verdicts[v]);
    printf(", %d failed\n", counts[VERDICTS]);
    fflush(stdout);
    return counts[VERDICTS] == 0;
}

/* With few comparisons the counts say nothing. Runs one after the other need not find anything, but
 * must not cry wolf. */
static bool experiment(const char *kernel, int same, int slowed, bool in_turn)
{
    int counts[VERDICTS + 1];
    bool good = compare(kernel, same, NULL, in_turn, counts);
    if (same >= MANY)
        good = good && 20 * (counts[FASTER] + counts[SLOWER]) <= same &&
               (!in_turn || 2 * counts[SAME] >= same);
    good = compare(kernel, slowed, "5", in_turn, counts) && good;
    if (slowed >= MANY)
        good = good && (!in_turn || 10 * counts[SLOWER] >= 9 * slowed);
    good = compare(kernel, slowed, "2", in_turn, counts) && good;
    return good && (slowed < MANY || counts[FASTER] == 0);
}

static int number(int argc, char **argv, int index, int missing)
{
    return argc > index ? atoi(argv[index]) : missing;
}

int main(int argc, char **argv)
{
    char kernel[64];
    if (argc < 2 || mkdtemp(dir) == NULL) {
        fprintf(stderr, "usage: verdicts PROGRAM [SAME [SLOWED [SEED [OPTION...]]]]\n");
        return 2;
    }
    program = argv[1];
    options = argv + 5;
    option_count = argc > 5 ? argc - 5 : 0;
    const pid_t loader = load((uint64_t)number(argc, argv, 4, 1));
    const int same = number(argc, argv, 2, 60), slowed = number(argc, argv, 3, 40);
    bool good = setenv("VERDICTS_PROGRAM", program, 1) == 0 &&
                best_kernel(kernel, sizeof kernel)[0] != '\0';
    if (good) {
        good = experiment(kernel, same, slowed, true);
        good = experiment(kernel, same, slowed, false) && good;
    }
    end(loader);
    remove(in_dir("second"));
    remove(in_dir("output"));
    remove(dir);
    return good ? 0 : 1;
}
