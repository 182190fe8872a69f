/* SPDX-License-Identifier: Apache-2.0
 *
 * A run on its way into results/: checked, then stripped, then placed.
 */
#ifndef HARNESS_REPORT_SUBMISSION_H
#define HARNESS_REPORT_SUBMISSION_H

#include "harness/report/place.h"
#include "harness/report/strip.h"
#include "harness/run_file.h"

typedef struct submission {
    run_file run; /* as it was read */
    char **texts; /* its lines, each with its end; owned, like all of this */
    json_t *lines;
    size_t ok;     /* rows with a time */
    size_t golden; /* of them those whose digest the golden table has */
    strip strip;
    place place;
} submission;

/* How many digests of a run the golden table has. ATTN_ERROR, and whose they are: a digest that is
 * another than the table's, or exact rows of one contract and workload that do not agree. */
attn_status submission_check_digests(const run_file *run, size_t *golden, attn_reason *why);

/* Reads a run and checks it: it ended, every line obeys the schema, it has as many rows as it says,
 * digests are right. Then strips it and finds its place. Free it in any case. */
attn_status submission_open(const char *path, submission *s, attn_reason *why);
void submission_free(submission *s);

/* "amd/epyc-2cpu-software/20260131T120000Z.jsonl" below `results`. Allocated, NULL when out of
 * memory. */
char *submission_path(const submission *s, const char *results);
/* Writes it there, with the directories that lead there, whole or not at all, and never over what
 * is there. `results` must be a directory. */
attn_status submission_place(const submission *s, const char *results, attn_reason *why);

#endif
