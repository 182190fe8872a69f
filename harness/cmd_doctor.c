/* SPDX-License-Identifier: Apache-2.0
 *
 * attnmark doctor: what makes numbers unreliable on this machine, and what to do about it. Reads
 * only.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cpu/cpu.h"
#include "harness/cli.h"
#include "harness/columns.h"
#include "harness/facts.h"
#include "harness/registry.h"

static bool print_table(const machine_facts *f)
{
    static const char *const titles[] = {"fact", "", "found", "what to do"};
    static const columns_tone tones[] = {COLUMNS_PLAIN, COLUMNS_PLAIN, COLUMNS_PLAIN, COLUMNS_WARN,
                                         COLUMNS_ALARM};
    columns *c = columns_new(titles, "llll");
    bool filled = c != NULL;
    for (size_t i = 0; i < f->count && filled; i++) {
        const fact *one = &f->list[i];
        const char *cells[] = {one->id, fact_severity_name(one->severity), one->found, one->advice};
        filled = columns_add(c, cells, tones[one->severity]);
    }
    if (filled)
        columns_print(c, stdout, columns_colour(stdout));
    columns_free(c);
    return filled;
}

static int print_text(const machine_facts *f)
{
    if (!print_table(f))
        return cli_usage("out of memory");
    printf("\n%u fatal, %u warning%s, %u note%s, %u unknown. Nothing was changed.\n",
           facts_count(f, FACT_FATAL), facts_count(f, FACT_WARNING),
           facts_count(f, FACT_WARNING) == 1 ? "" : "s", facts_count(f, FACT_NOTE),
           facts_count(f, FACT_NOTE) == 1 ? "" : "s", facts_count(f, FACT_UNKNOWN));
    return EXIT_OK;
}

static int print_json(const machine_facts *f)
{
    json_t *all = json_pack("{s:o}", "doctor", facts_json(f));
    char *text = all ? json_dumps(all, JSON_INDENT(2)) : NULL;
    if (text)
        puts(text);
    free(text);
    json_decref(all);
    return text ? EXIT_OK : cli_usage("out of memory");
}

int cmd_doctor(int argc, const char **argv)
{
    int json = 0, strict = 0;
    const struct poptOption options[] = {
        {"json", 0, POPT_ARG_NONE, &json, 0, "as one JSON object", NULL},
        {"strict", 0, POPT_ARG_NONE, &strict, 0, "exit status 1 if there is a warning or worse",
         NULL},
        POPT_AUTOHELP POPT_TABLEEND};
    int status = cli_parse(argc, argv, options, "[--json] [--strict]", NULL, NULL);
    if (status >= 0)
        return status;
    machine_facts f;
    counters c;
    energy e;
    registry r;
    attn_reason why;
    if (registry_open(&r, NULL, NULL, &why) != ATTN_OK)
        return cli_usage("%s", why.text);
    counters_open(&c);
    energy_open(&e, "");
    const facts_sources sources = {"", FACTS_WINDOW_S, cpu_allowed(), r.gpu, &c, &e};
    facts_read(&f, &sources);
    counters_close(&c);
    status = json ? print_json(&f) : print_text(&f);
    if (status == EXIT_OK && strict && facts_worst(&f) >= FACT_WARNING)
        status = EXIT_MISMATCH;
    return registry_finish(&r, status);
}
