/* SPDX-License-Identifier: Apache-2.0
 *
 * `attnmark bench --resume`: a run that did not end goes on.
 *
 * Rows of one workload are timed and stored together, roofs first. A workload of which some plan
 * row is missing was in flight when the run stopped: its timed rows are dropped and taken again.
 * All other rows are kept as they are; so are roofs that judge no row, each for itself.
 */
#ifndef HARNESS_RESUME_H
#define HARNESS_RESUME_H

#include "harness/bench.h"
#include "harness/run_file.h"

typedef struct resume {
    run_file file;
    int argc; /* the command line of the run; texts are the file's */
    const char **argv;
    size_t keep; /* bytes of the file that stay */
} resume;

/* Reads the run at path, a file or a directory. Refuses one that ended, and what is none. */
attn_status resume_read(const char *path, resume *r, attn_reason *why);
/* Would rows measured now be rows of that run? Refuses, and names the first difference of machine,
 * build, contract, devices, shaders or environment (but for SLURM_*), when not. now: the header
 * that this process would write. */
attn_status resume_same(const resume *r, const json_t *now, attn_reason *why);
/* Moves the rows of the file into the plan. Refuses rows that it does not have. The plan is to be
 * freed first: its rows borrow texts. fresh_budget: do not count what those rows took. */
attn_status resume_take(resume *r, bench *b, bool fresh_budget, attn_reason *why);
/* Opens the file for the rows to come, as store_resume. */
attn_status resume_open(const resume *r, store **s, attn_reason *why);
void resume_free(resume *r);

#endif
