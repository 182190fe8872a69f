/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark crossover: from which length on is one kernel faster than another?
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/text.h"
#include "harness/caption.h"
#include "harness/cli.h"
#include "harness/columns.h"
#include "harness/compare.h"
#include "harness/crossover.h"
#include "harness/run_file.h"
#include "harness/series.h"

enum { OPT_KERNEL = 1 };

/* The curves of one kernel, among those of its run. */
typedef struct side {
    const char *kernel;
    run_file run;
    series *curves;
    size_t count;
} side;

typedef struct command {
    cli_list kernels, operands;
    side side[2];
} command;

static bool take_option(void *context, int val, const char *argument)
{
    command *c = context;
    (void)val;
    return cli_list_add(&c->kernels, argument) || cli_usage("out of memory") < 0;
}

static int parse(int argc, const char **argv, command *c)
{
    const struct poptOption table[] = {{"kernel", '\0', POPT_ARG_STRING, NULL, OPT_KERNEL,
                                        "the kernels A and B; with two runs one is enough", "NAME"},
                                       POPT_AUTOHELP POPT_TABLEEND};
    const int status = cli_parse_operands(
        argc, argv, table, "RUN [RUN_OF_B] --kernel A [--kernel B]", take_option, c, &c->operands);
    const size_t runs = c->operands.count, kernels = c->kernels.count;
    if (status >= 0)
        return status;
    if (runs < 1 || runs > 2)
        return cli_usage("want one run, or one of A and one of B (see '%s --help')", argv[0]);
    if (kernels < (runs == 2 ? 1 : 2) || kernels > 2)
        return cli_usage("--kernel: want two, A and B; of two runs one will do (see '%s --help')",
                         argv[0]);
    for (size_t i = 0; i < 2; i++)
        c->side[i].kernel = c->kernels.items[i < kernels ? i : 0];
    if (runs == 1 && strcmp(c->side[0].kernel, c->side[1].kernel) == 0)
        return cli_usage("--kernel: want two kernels, not %s twice", c->side[0].kernel);
    return -1;
}

static uint64_t seed_of(const run_file *run)
{
    return (uint64_t)json_integer_value(json_object_get(run->header, "seed"));
}

static int open_side(side *s, const char *path)
{
    attn_reason why;
    bool any = false;
    if (run_file_read(path, &s->run, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    s->count = series_build(s->run.rows, s->run.count, seed_of(&s->run), &s->curves);
    if (s->curves == NULL)
        return cli_usage("out of memory");
    for (size_t i = 0; i < s->count; i++)
        any = any || strcmp(s->curves[i].first->kernel, s->kernel) == 0;
    if (!any)
        return cli_usage("--kernel %s: %s has no curve of it, over n or m", s->kernel, path);
    return -1;
}

/* Over the same length, with everything else equal; on one device with as many threads, too. */
static bool comparable(const series *a, const series *b)
{
    attn_workload one = *a->first->workload, other = *b->first->workload;
    if (a->axis != b->axis || (a->axis == SERIES_N && one.m != other.m) ||
        (a->axis == SERIES_M && one.n != other.n))
        return false;
    one.n = one.m = other.n = other.m = 1;
    return attn_workload_same(&one, &other) && (strcmp(a->first->device, b->first->device) != 0 ||
                                                a->first->threads == b->first->threads);
}

/* "avx2_f_24x4 on cpu, 2 threads" */
static const char *curve_text(const series *s, char *text, size_t size)
{
    const result_row *row = s->first;
    snprintf(text, size, "%.60s on %.20s", row->kernel, row->device);
    if (row->threads > 0)
        attn_text_add(text, size, ", %u thread%s", row->threads, row->threads == 1 ? "" : "s");
    return text;
}

static const char *side_text(crossover_side faster)
{
    return faster == CROSSOVER_FIRST    ? "A is faster"
           : faster == CROSSOVER_SECOND ? "B is faster"
                                        : "neither is";
}

/* What there is to say about the crossover at `index`, or about there being none. */
static void story(const crossover_result *r, size_t index, char length, char *text, size_t size)
{
    if (!isfinite(r->from))
        snprintf(text, size, "not enough common points");
    else if (r->count == 0)
        snprintf(text, size, "no crossover between %c = %.0f and %.0f: %s", length, r->from, r->to,
                 r->side[0] == CROSSOVER_NEITHER ? "equal, as far as the noise tells"
                                                 : side_text(r->side[0]));
    else
        snprintf(text, size, "%s below, %s above; %s", side_text(r->side[index]),
                 side_text(r->side[index + 1]),
                 r->at[index].confirmed ? "confirmed at both sides"
                                        : "not confirmed by the points beside it");
}

static void add_line(columns *table, const series *a, const series *b, const caption *names,
                     const crossover_result *r, size_t index)
{
    char own[ATTN_WORKLOAD_TEXT], first[128], second[128], at[32] = "-", interval[64] = "-",
                                                           says[160];
    const char length = series_length(a);
    if (r->count > 0) {
        snprintf(at, sizeof at, "%c = %.0f", length, r->at[index].n);
        snprintf(interval, sizeof interval, "[%.0f, %.0f]", r->at[index].low, r->at[index].high);
    }
    story(r, index, length, says, sizeof says);
    const char *const cells[] = {caption_curve(names, a, own),
                                 curve_text(a, first, sizeof first),
                                 curve_text(b, second, sizeof second),
                                 at,
                                 interval,
                                 says};
    columns_add(table, cells, COLUMNS_PLAIN);
}

/* Every curve of A with every one of B. Returns the number of pairs. */
static size_t add_pairs(columns *table, const command *c)
{
    const side *a = &c->side[0], *b = &c->side[1];
    size_t pairs = 0;
    for (size_t i = 0; i < a->count * b->count; i++) {
        const series *one = &a->curves[i / b->count], *other = &b->curves[i % b->count];
        if (strcmp(one->first->kernel, a->kernel) != 0 ||
            strcmp(other->first->kernel, b->kernel) != 0 || !comparable(one, other))
            continue;
        const caption names = caption_of_curves(a->curves, a->count, series_length(one));
        const crossover_result r =
            crossover_find(one->points, one->count, other->points, other->count, seed_of(&a->run));
        for (size_t k = 0; k < (r.count > 0 ? r.count : 1); k++)
            add_line(table, one, other, &names, &r, k);
        pairs++;
    }
    return pairs;
}

static int print(const command *c)
{
    static const char *const titles[] = {"workload", "A", "B", "crossover", "95 %", ""};
    columns *table = columns_new(titles, "lllrll");
    if (table == NULL)
        return cli_usage("out of memory");
    const size_t pairs = add_pairs(table, c);
    if (pairs > 0) {
        if (c->operands.count == 2)
            compare_print_notes(stdout, (compare_side){&c->side[0].run, 1},
                                (compare_side){&c->side[1].run, 1}, columns_colour(stdout));
        columns_print(table, stdout, columns_colour(stdout));
    }
    columns_free(table);
    if (pairs > 0)
        return EXIT_OK;
    return cli_usage("--kernel %s, --kernel %s: no curves of the two over the same workloads, with "
                     "the same threads",
                     c->side[0].kernel, c->side[1].kernel);
}

int cmd_crossover(int argc, const char **argv)
{
    command c = {.kernels = {NULL, 0}};
    int status = parse(argc, argv, &c);
    for (size_t i = 0; i < 2 && status < 0; i++)
        status = open_side(&c.side[i], c.operands.items[i < c.operands.count ? i : 0]);
    attn_reason why;
    if (status < 0 && compare_contracts((compare_side){&c.side[0].run, 1},
                                        (compare_side){&c.side[1].run, 1}, &why) != ATTN_OK)
        status = cli_usage("%s", why.text);
    if (status < 0)
        status = print(&c);
    for (int i = 0; i < 2; i++) {
        series_free(c.side[i].curves, c.side[i].count);
        run_file_free(&c.side[i].run);
    }
    cli_list_free(&c.kernels);
    cli_list_free(&c.operands);
    return status;
}
