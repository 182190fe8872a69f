/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what harness/store.h writes: the truth of one run, for everything that works on finished
 * runs (export, compare, crossover, reports) and for a run that is resumed.
 */
#ifndef HARNESS_RUN_FILE_H
#define HARNESS_RUN_FILE_H

#include <jansson.h>

#include "harness/row.h"

typedef struct run_file {
    char *path;     /* of run.jsonl; owned, like all of this */
    json_t *header; /* its first line */
    result_row *rows;
    size_t count;
    json_t *end;       /* its last line, with the verdict on the run; NULL: the run did not end */
    size_t whole_size; /* bytes of whole lines: what a kill may have torn comes after them */
    bool torn;
    size_t size;      /* bytes read, those of a torn line included */
    unsigned resumed; /* how often the run was gone on with: lines {"resumed": time} */
    /* The rows as read, in order: rows borrow their texts; unknown fields are here. */
    json_t *lines;
    attn_workload *workloads; /* one per row */
    size_t *offsets;          /* of each row's line: bytes before it */
} run_file;

/* path: the file, or the directory of a run. Refuses, with one line that names the file, its line
 * and what was wanted there: another format_version, a line that is not JSON (but for a torn last
 * one, which is left out), a field of the wrong type, a second row of the same key. Fields that are
 * missing are unknown. */
attn_status run_file_read(const char *path, run_file *f, attn_reason *why);
void run_file_free(run_file *f);

/* The same kernel, workload, device and threads: what may be in a file once. */
bool run_file_same_key(const result_row *a, const result_row *b);

#endif
