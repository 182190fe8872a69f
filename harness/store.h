/* SPDX-License-Identifier: Apache-2.0
 *
 * run.jsonl, the truth of a run: a header line, one line per row, and a last one with the verdict
 * on the run; append-only, each on disk before anything else is done.
 */
#ifndef HARNESS_STORE_H
#define HARNESS_STORE_H

#include "harness/json_value.h"
#include "harness/row.h"

#define STORE_FORMAT_VERSION 1

/* Another process that opens the file for writing is refused while a store is open: the file is
 * locked, where the file system can do that. The lock is gone as soon as this process closes the
 * file through another descriptor, so nobody reads run.jsonl while it is open here. */
typedef struct store store;

/* out/<UTC time>, with -2, -3, ... appended while that exists. */
void store_default_directory(char *path, size_t size);

/* Makes the directory (and its parents) and a new run.jsonl in it with the header as its first
 * line. Refuses when the file exists. A failure leaves neither file nor
 * new directory behind. */
attn_status store_open(const char *directory, const json_t *header, store **s, attn_reason *why);
/* Opens the run.jsonl of a run that did not end, drops what comes after its first `keep` bytes and
 * appends a line that says when it was gone on with. Refuses while another process writes it, and
 * when it has not `size` bytes any more, which is what the caller had read. */
attn_status store_resume(const char *path, size_t size, size_t keep, store **s, attn_reason *why);
/* Appends and syncs one row, whole or not at all. */
attn_status store_row(store *s, const result_row *row, attn_reason *why);
/* Appends and syncs the last line: the run has ended. */
attn_status store_end(store *s, const json_t *end, attn_reason *why);
void store_close(store *s);
/* Closes and removes what store_open made: nothing was measured. What store_resume opened stays. */
void store_discard(store *s);

const char *store_path(const store *s); /* of run.jsonl */

/* The row as an object: every field of the schema, null where unknown. */
json_t *store_row_json(const result_row *row);

#endif
