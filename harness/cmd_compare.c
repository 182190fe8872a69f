/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark compare: is B faster than A? Exit status 1 where --fail-if-slower says so.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/file.h"
#include "harness/cli.h"
#include "harness/columns.h"
#include "harness/compare.h"
#include "harness/json_value.h"

enum { OPT_KERNEL = 1, OPT_BASELINE };

typedef struct command {
    cli_list kernels, baselines, operands;
    char *fail_if_slower, *margin;
    int rows, json;
    double slower; /* from this ratio on it is a failure; INFINITY: never */
    compare_options options;
    run_file *runs; /* those of A, then those of B */
    size_t run_count, a_count;
} command;

static bool take_option(void *context, int val, const char *argument)
{
    command *c = context;
    if (cli_list_add(val == OPT_KERNEL ? &c->kernels : &c->baselines, argument))
        return true;
    cli_usage("out of memory");
    return false;
}

/* "5%" as 0.05; false for anything else, or outside 0.1 to 1000 %. */
static bool percent(const char *text, double *part)
{
    char *end;
    if (text[strspn(text, "0123456789.")] != '%')
        return false;
    *part = strtod(text, &end) / 100;
    return strcmp(end, "%") == 0 && *part >= 0.001 && *part <= 10;
}

static int read_percents(command *c)
{
    double part = 0;
    c->slower = INFINITY;
    c->options.margin = COMPARE_MARGIN;
    if (c->fail_if_slower != NULL && !percent(c->fail_if_slower, &part))
        return cli_usage("--fail-if-slower %s: want a percentage like 5%%, 0.1%%..1000%%",
                         c->fail_if_slower);
    if (c->fail_if_slower != NULL)
        c->slower = 1 + part;
    if (c->margin != NULL && !percent(c->margin, &c->options.margin))
        return cli_usage("--margin %s: want a percentage like 1%%, 0.1%%..1000%%", c->margin);
    return -1;
}

static int check_operands(command *c)
{
    const size_t count = c->operands.count, baselines = c->baselines.count;
    if (c->rows && (count != 3 || baselines > 0 || c->kernels.count > 0))
        return cli_usage("--rows: want RUN KERNEL_A KERNEL_B, without --baseline and --kernel");
    if (!c->rows && baselines == 0 && count != 2)
        return cli_usage("want two runs, A and B; several of A by --baseline (see 'attnmark "
                         "compare --help')");
    if (!c->rows && baselines > 0 && count == 0)
        return cli_usage("--baseline: want the runs to compare with it, too");
    if (c->rows && strcmp(c->operands.items[1], c->operands.items[2]) == 0)
        return cli_usage("--rows: want two kernels, not %s twice", c->operands.items[1]);
    return -1;
}

static int parse(int argc, const char **argv, command *c)
{
    const struct poptOption table[] = {
        {"baseline", '\0', POPT_ARG_STRING, NULL, OPT_BASELINE,
         "a run of A; may be repeated, and all operands are runs of B", "RUN"},
        {"rows", '\0', POPT_ARG_NONE, &c->rows, 0,
         "two kernels of one run: the operands are RUN KERNEL_A KERNEL_B", NULL},
        {"kernel", '\0', POPT_ARG_STRING, NULL, OPT_KERNEL,
         "only kernels whose name (or device/name) matches; may be repeated", "GLOB"},
        {"fail-if-slower", '\0', POPT_ARG_STRING, &c->fail_if_slower, 0,
         "exit with status 1 if a row is SLOWER by more than this, as 5% (0.1%..1000%)", "PERCENT"},
        {"margin", '\0', POPT_ARG_STRING, &c->margin, 0,
         "differences below this are never told apart, 0.1%..1000% (default: 1%)", "PERCENT"},
        {"json", '\0', POPT_ARG_NONE, &c->json, 0, "one JSON object instead of the table", NULL},
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse_operands(argc, argv, table,
                                    "A B | --baseline A... B... | --rows RUN "
                                    "KERNEL_A KERNEL_B",
                                    take_option, c, &c->operands);
    if (status < 0)
        status = read_percents(c);
    return status < 0 ? check_operands(c) : status;
}

/* The runs of A come first. */
static const char *run_path(const command *c, size_t index)
{
    if (index < c->baselines.count)
        return c->baselines.items[index];
    return c->operands.items[index - c->baselines.count];
}

/* Copies of a run say no more about how runs spread than one of them. */
static int check_twice(const command *c)
{
    for (size_t i = 0; i < c->run_count; i++)
        for (size_t j = 0; j < i; j++)
            if ((i < c->a_count) == (j < c->a_count) &&
                attn_file_same(c->runs[i].path, c->runs[j].path))
                return cli_usage("%s: twice on one side", c->runs[i].path);
    return -1;
}

static int read_runs(command *c)
{
    const size_t count = c->rows ? 1 : c->baselines.count + c->operands.count;
    c->a_count = c->baselines.count > 0 ? c->baselines.count : 1;
    c->runs = calloc(count, sizeof *c->runs);
    if (c->runs == NULL)
        return cli_usage("out of memory");
    for (; c->run_count < count; c->run_count++) {
        attn_reason why;
        if (run_file_read(run_path(c, c->run_count), &c->runs[c->run_count], &why) != ATTN_OK)
            return cli_usage("%s", why.text);
    }
    return check_twice(c);
}

static int print(const command *c, compare_side a, compare_side b, const comparison *found)
{
    if (!c->json) {
        compare_print(stdout, a, b, found, columns_colour(stdout));
        return EXIT_OK;
    }
    json_t *o = compare_json(a, b, found);
    char *text = json_value_line(o);
    if (text != NULL)
        puts(text);
    free(text);
    json_decref(o);
    return text != NULL ? EXIT_OK : cli_usage("out of memory");
}

/* Returns the exit status. */
static int compare(command *c)
{
    attn_reason why;
    comparison found;
    const compare_side a = {c->runs, c->a_count};
    const compare_side b =
        c->rows ? a : (compare_side){c->runs + c->a_count, c->run_count - c->a_count};
    c->options.kernels = c->kernels.items;
    c->options.kernel_count = c->kernels.count;
    for (int i = 0; i < 2 && c->rows; i++)
        c->options.pair[i] = c->operands.items[1 + i];
    if (compare_runs(a, b, &c->options, &found, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    int status = print(c, a, b, &found);
    for (size_t i = 0; i < found.count && status == EXIT_OK; i++)
        if (found.pairs[i].verdict == COMPARE_SLOWER && found.pairs[i].raw.ratio.value > c->slower)
            status = EXIT_MISMATCH;
    compare_free(&found);
    return status;
}

int cmd_compare(int argc, const char **argv)
{
    command c = {.runs = NULL};
    int status = parse(argc, argv, &c);
    if (status < 0)
        status = read_runs(&c);
    if (status < 0)
        status = compare(&c);
    for (size_t i = 0; i < c.run_count; i++)
        run_file_free(&c.runs[i]);
    free(c.runs);
    cli_list_free(&c.kernels);
    cli_list_free(&c.baselines);
    cli_list_free(&c.operands);
    free(c.fail_if_slower);
    free(c.margin);
    return status;
}
