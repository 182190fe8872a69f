/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark gallery: a collection of runs as a site.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli.h"
#include "harness/columns.h"
#include "harness/report/gallery.h"

static void print_faults(const gallery *g)
{
    static const char *const titles[] = {"file", "not in the gallery, because"};
    columns *table = json_array_size(g->faults) > 0 ? columns_new(titles, "ll") : NULL;
    for (size_t i = 0; table != NULL && i < json_array_size(g->faults); i++) {
        const json_t *fault = json_array_get(g->faults, i);
        const char *const cells[] = {json_string_value(json_object_get(fault, "file")),
                                     json_string_value(json_object_get(fault, "fault"))};
        columns_add(table, cells, COLUMNS_WARN);
    }
    if (table != NULL)
        columns_print(table, stdout, columns_colour(stdout));
    columns_free(table);
    for (size_t i = 0; i < g->count; i++)
        if (g->runs[i].report == NULL)
            printf("%s: no report: %s\n", g->runs[i].file, g->runs[i].report_fault.text);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static int make_gallery(const char *results, const char *site)
{
    attn_reason why;
    gallery g;
    attn_status status = gallery_read(results, &g, &why);
    if (status == ATTN_OK)
        status = gallery_write(&g, site, &why);
    if (status == ATTN_OK) {
        print_faults(&g);
        printf("%zu run%s of %zu machine%s, %zu file%s left out: %s/index.html\n", g.count,
               plural(g.count), g.machines, plural(g.machines), json_array_size(g.faults),
               plural(json_array_size(g.faults)), site);
    }
    gallery_free(&g);
    return status == ATTN_OK ? EXIT_OK : cli_usage("%s", why.text);
}

int cmd_gallery(int argc, const char **argv)
{
    char *output = NULL;
    cli_list operands = {NULL, 0};
    const struct poptOption options[] = {
        {"output", 'o', POPT_ARG_STRING, &output, 0,
         "a new or empty directory, or one of an earlier gallery (required)", "DIR"},
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse_operands(argc, argv, options, "RESULTS -o DIR", NULL, NULL, &operands);
    if (status < 0 && operands.count != 1)
        status =
            cli_usage("want one RESULTS, a directory like results/ (see '%s --help')", argv[0]);
    if (status < 0 && (output == NULL || output[0] == '\0'))
        status = cli_usage("--output DIR is required: where the site will be");
    if (status < 0)
        status = make_gallery(operands.items[0], output);
    cli_list_free(&operands);
    free(output);
    return status;
}
