/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark report: finished runs as something to publish.
 */
#include <stdlib.h>
#include <string.h>

#include "attn/file.h"
#include "harness/cli.h"
#include "harness/report/figures.h"
#include "harness/report/markdown.h"
#include "harness/report/pts.h"
#include "harness/report/relative.h"
#include "harness/report/report.h"

/* What to write, by the extension of --output. */
static const struct {
    const char *extension;
    report_format *write;
} formats[] = {
    {".html", report_page},
    {".md", report_markdown},
};

enum { OPT_KERNEL = 1, OPT_WORKLOAD };

typedef struct command {
    cli_list kernels, workloads, operands;
    char *output, *title, *figures, *pts;
    report_format *write;
    run_file *runs;
    size_t count; /* of those that were read */
    bool drawn;   /* what gnuplot should draw */
} command;

static bool take_option(void *context, int val, const char *argument)
{
    command *c = context;
    if (cli_list_add(val == OPT_KERNEL ? &c->kernels : &c->workloads, argument))
        return true;
    cli_usage("out of memory");
    return false;
}

/* Where the report goes; NULL: only the directories were asked for. */
static const char *output_of(const command *c)
{
    const bool others = c->figures != NULL || c->pts != NULL;
    return c->output ? c->output : others ? NULL : "report.html";
}

/* Returns -1 to go on, else the exit status. */
static int find_format(command *c)
{
    const char *dot = output_of(c) != NULL ? strrchr(output_of(c), '.') : NULL;
    if (output_of(c) == NULL)
        return -1;
    for (size_t i = 0; dot != NULL && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(dot, formats[i].extension) == 0)
            c->write = formats[i].write;
    if (c->write != NULL)
        return -1;
    char allowed[64] = "";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s",
                 i > 0 ? " or " : "", formats[i].extension);
    return cli_usage("--output %s: want a name that ends in %s", output_of(c), allowed);
}

/* The same. */
static int parse(int argc, const char **argv, command *c)
{
    const struct poptOption table[] = {
        {"output", 'o', POPT_ARG_STRING, &c->output, 0,
         "where to; the extension says what: .html or .md (default: report.html)", "FILE"},
        {"figures", '\0', POPT_ARG_STRING, &c->figures, 0,
         "figures for papers: SVG and PDF by gnuplot, with their scripts and data", "DIR"},
        {"pts", '\0', POPT_ARG_STRING, &c->pts, 0,
         "results for the Phoronix Test Suite and OpenBenchmarking.org", "DIR"},
        {"title", '\0', POPT_ARG_STRING, &c->title, 0, "of the page (default: the machines)",
         "TEXT"},
        {"kernel", '\0', POPT_ARG_STRING, NULL, OPT_KERNEL,
         "only kernels whose name (or device/name) matches; may be repeated", "GLOB"},
        {"workload", '\0', POPT_ARG_STRING, NULL, OPT_WORKLOAD,
         "only this workload, or those of a sweep; may be repeated", "TEXT"},
        POPT_AUTOHELP POPT_TABLEEND};
    const int status =
        cli_parse_operands(argc, argv, table, "RUN... [OPTION...]", take_option, c, &c->operands);
    if (status >= 0)
        return status;
    if (c->operands.count == 0)
        return cli_usage("want a RUN: a run.jsonl, or its directory");
    if (c->title != NULL && c->title[0] == '\0')
        return cli_usage("--title: want a text");
    if (c->figures != NULL && c->figures[0] == '\0')
        return cli_usage("--figures: want a directory");
    if (c->pts != NULL && c->pts[0] == '\0')
        return cli_usage("--pts: want a directory");
    return find_format(c);
}

static attn_status read_runs(command *c, attn_reason *why)
{
    attn_status status = ATTN_OK;
    c->runs = calloc(c->operands.count, sizeof *c->runs);
    if (c->runs == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    while (c->count < c->operands.count && status == ATTN_OK) {
        status = run_file_read(c->operands.items[c->count], &c->runs[c->count], why);
        c->count += status == ATTN_OK;
    }
    return status;
}

/* The same run twice says nothing that it does not say once; and none may be written over. */
static attn_status check_files(const command *c, attn_reason *why)
{
    for (size_t i = 0; i < c->count; i++) {
        if (output_of(c) != NULL && attn_file_same(output_of(c), c->runs[i].path))
            return attn_file_refuse(why, output_of(c), "cannot write: this is the run itself");
        for (size_t j = 0; j < i; j++)
            if (attn_file_same(c->runs[j].path, c->runs[i].path))
                return attn_file_refuse(why, c->runs[i].path, "given twice");
    }
    return ATTN_OK;
}

/* *drawn: false where gnuplot should have drawn figures, and is not there. */
static attn_status write_directories(const command *c, const report *r, bool *drawn,
                                     attn_reason *why)
{
    attn_status status = ATTN_OK;
    *drawn = true;
    if (c->figures != NULL)
        status = report_figures(c->figures, r, drawn, why);
    if (status == ATTN_OK && c->pts != NULL)
        status = report_pts(c->pts, r, why);
    return status;
}

static attn_status write_report(const command *c, const report *r, attn_reason *why)
{
    attn_file file;
    if (output_of(c) == NULL)
        return ATTN_OK;
    attn_status status = attn_file_create(output_of(c), &file, why);
    if (status != ATTN_OK)
        return status;
    status = c->write(file.stream, r, why);
    if (status == ATTN_OK)
        return attn_file_commit(&file, why);
    attn_file_abandon(&file);
    return status;
}

static attn_status make_report(command *c, attn_reason *why)
{
    const report_filter filter = {c->kernels.items, c->kernels.count, c->workloads.items,
                                  c->workloads.count};
    report r;
    attn_status status = read_runs(c, why);
    if (status == ATTN_OK)
        status = check_files(c, why);
    if (status == ATTN_OK)
        status = report_select(c->runs, c->count, &filter, why);
    if (status == ATTN_OK)
        status = report_make(c->runs, c->count, c->title, &r, why);
    if (status != ATTN_OK)
        return status;
    status = write_directories(c, &r, &c->drawn, why);
    char *figures = status == ATTN_OK && c->drawn && c->figures != NULL && c->output != NULL
                        ? relative_path(c->output, c->figures)
                        : NULL;
    r.figures = figures;
    if (status == ATTN_OK)
        status = write_report(c, &r, why);
    free(figures);
    report_free(&r);
    return status;
}

/* Returns the exit status. */
static int write_all(command *c)
{
    attn_reason why;
    if (make_report(c, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    if (c->drawn)
        return EXIT_OK;
    cli_usage("no gnuplot here: --figures %s has scripts and data, but no SVG and PDF", c->figures);
    return EXIT_MISMATCH;
}

int cmd_report(int argc, const char **argv)
{
    command c = {.write = NULL};
    int exit_status = parse(argc, argv, &c);
    if (exit_status < 0)
        exit_status = write_all(&c);
    for (size_t i = 0; i < c.count; i++)
        run_file_free(&c.runs[i]);
    free(c.runs);
    cli_list_free(&c.kernels);
    cli_list_free(&c.workloads);
    cli_list_free(&c.operands);
    free(c.output);
    free(c.title);
    free(c.figures);
    free(c.pts);
    return exit_status;
}
