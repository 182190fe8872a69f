/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "attn/file.h"
#include "harness/cli.h"
#include "harness/export.h"

static const struct format {
    const char *name;
    export_format *write;
} formats[] = {
    {NULL, NULL},      {"csv", export_csv}, {"md", export_markdown},
    {"gb", export_gb}, {"bmf", export_bmf}, {"sql", export_sql},
};
enum { CSV = 1, MD, GB, BMF, SQL };

typedef struct command {
    int format; /* index of formats; 0: none yet */
    char *output;
    cli_list runs;
} command;

static bool take_option(void *context, int val, const char *argument)
{
    command *c = context;
    (void)argument;
    if (c->format != 0)
        cli_usage("--%s beside --%s: want one format", formats[val].name, formats[c->format].name);
    const bool first = c->format == 0;
    c->format = val;
    return first;
}

/* Returns -1 to go on, else the exit status. */
static int parse(int argc, const char **argv, command *c)
{
    const struct poptOption table[] = {
        {"csv", '\0', POPT_ARG_NONE, NULL, CSV, "RFC 4180, a line per row", NULL},
        {"md", '\0', POPT_ARG_NONE, NULL, MD, "the table as Markdown", NULL},
        {"gb", '\0', POPT_ARG_NONE, NULL, GB, "Google Benchmark's JSON, for its compare.py", NULL},
        {"bmf", '\0', POPT_ARG_NONE, NULL, BMF, "Bencher Metric Format", NULL},
        {"sql", '\0', POPT_ARG_NONE, NULL, SQL, "a table and its rows, as sqlite3 reads it", NULL},
        {"output", 'o', POPT_ARG_STRING, &c->output, 0, "where to (default: standard output)",
         "FILE"},
        POPT_AUTOHELP POPT_TABLEEND};
    const int status = cli_parse_operands(argc, argv, table, "--csv|--md|--gb|--bmf|--sql RUN...",
                                          take_option, c, &c->runs);
    if (status >= 0)
        return status;
    if (c->format == 0)
        return cli_usage("want a format: --csv, --md, --gb, --bmf or --sql");
    if (c->runs.count == 0)
        return cli_usage("want a RUN: a run.jsonl, or its directory");
    return -1;
}

/* The file to be written must be none of those that are read. */
static attn_status check_output(const char *output, const run_file *runs, size_t count,
                                attn_reason *why)
{
    for (size_t i = 0; i < count; i++)
        if (attn_file_same(output, runs[i].path))
            return attn_file_refuse(why, output, "cannot write: this is the run itself");
    return ATTN_OK;
}

static attn_status write_runs(const command *c, const run_file *runs, attn_reason *why)
{
    export_format *const write = formats[c->format].write;
    attn_file file;
    if (c->output == NULL)
        return write(stdout, runs, c->runs.count, why);
    attn_status status = check_output(c->output, runs, c->runs.count, why);
    if (status == ATTN_OK)
        status = attn_file_create(c->output, &file, why);
    if (status != ATTN_OK)
        return status;
    status = write(file.stream, runs, c->runs.count, why);
    if (status == ATTN_OK)
        return attn_file_commit(&file, why);
    attn_file_abandon(&file);
    return status;
}

static int export_runs(const command *c)
{
    attn_reason why;
    size_t read = 0;
    run_file *runs = calloc(c->runs.count, sizeof *runs);
    if (runs == NULL)
        return cli_usage("out of memory");
    attn_status status = ATTN_OK;
    while (read < c->runs.count && status == ATTN_OK) {
        status = run_file_read(c->runs.items[read], &runs[read], &why);
        read += status == ATTN_OK;
    }
    if (status == ATTN_OK)
        status = write_runs(c, runs, &why);
    for (size_t i = 0; i < read; i++)
        run_file_free(&runs[i]);
    free(runs);
    return status == ATTN_OK ? EXIT_OK : cli_usage("%s", why.text);
}

int cmd_export(int argc, const char **argv)
{
    command c = {.format = 0};
    int exit_status = parse(argc, argv, &c);
    if (exit_status < 0)
        exit_status = export_runs(&c);
    cli_list_free(&c.runs);
    free(c.output);
    return exit_status;
}
