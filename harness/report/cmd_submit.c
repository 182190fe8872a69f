/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark submit: a run, checked and stripped of what identifies a person, to its place in
 * results/.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli.h"
#include "harness/columns.h"
#include "harness/report/submission.h"

static void print_stripped(const strip *s)
{
    static const char *const titles[] = {"where", "lines", "was", "is"};
    columns *table = s->note_count > 0 ? columns_new(titles, "lrll") : NULL;
    for (size_t i = 0; i < s->note_count; i++) {
        char lines[24];
        snprintf(lines, sizeof lines, "%zu", s->notes[i].count);
        const char *const cells[] = {s->notes[i].place, lines, s->notes[i].before,
                                     s->notes[i].after};
        if (table != NULL)
            columns_add(table, cells, COLUMNS_PLAIN);
    }
    puts(s->note_count > 0 ? "Stripped:" : "Stripped: nothing");
    if (table != NULL)
        columns_print(table, stdout, columns_colour(stdout));
    columns_free(table);
}

static void print_verdict(const submission *s)
{
    const char *result = json_string_value(json_object_get(s->run.end, "result"));
    const json_t *reasons = json_object_get(s->run.end, "reasons");
    printf("Checked: %zu rows, %zu with a time; %zu digests as in the golden table\n", s->run.count,
           s->ok, s->golden);
    printf("RESULT %s\n", result);
    for (size_t i = 0; i < json_array_size(reasons); i++) {
        fputs("  ", stdout);
        columns_text(stdout, json_string_value(json_array_get(reasons, i)));
    }
    if (strcmp(result, "VALID") != 0)
        puts("The gallery shows it apart, with these reasons: better repeat it on a quiet machine");
}

static int submit(const char *run, const char *results, int dry_run)
{
    attn_reason why;
    submission s;
    attn_status status = submission_open(run, &s, &why);
    char *path = status == ATTN_OK ? submission_path(&s, results) : NULL;
    const bool there = path != NULL && access(path, F_OK) == 0;
    if (status == ATTN_OK && !dry_run)
        status = submission_place(&s, results, &why);
    if (status == ATTN_OK && path != NULL) {
        print_verdict(&s);
        print_stripped(&s.strip);
        printf("%s: %s\n",
               !dry_run ? "Placed"
               : there  ? "Is there already"
                        : "Would be placed",
               path);
        if (!dry_run)
            puts("Look at it, then commit it alone and open a pull request: docs/submitting.md");
    }
    free(path);
    submission_free(&s);
    return status == ATTN_OK ? EXIT_OK : cli_usage("%s", why.text);
}

int cmd_submit(int argc, const char **argv)
{
    char *results = NULL;
    int dry_run = 0;
    cli_list operands = {NULL, 0};
    const struct poptOption options[] = {
        {"results", '\0', POPT_ARG_STRING, &results, 0,
         "the collection to place it in (default: results)", "DIR"},
        {"dry-run", '\0', POPT_ARG_NONE, &dry_run, 0, "only check, and show what would be", NULL},
        POPT_AUTOHELP POPT_TABLEEND};
    int status =
        cli_parse_operands(argc, argv, options, "[--results DIR] RUN", NULL, NULL, &operands);
    if (status < 0 && operands.count != 1)
        status =
            cli_usage("want one RUN: a run.jsonl, or its directory (see '%s --help')", argv[0]);
    if (status < 0)
        status = submit(operands.items[0], results != NULL ? results : "results", dry_run);
    cli_list_free(&operands);
    free(results);
    return status;
}
