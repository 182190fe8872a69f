/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden table: digests that the scalar reference made, in full, for the generated inputs
 * (generator "normal", seed GOLDEN_SEED). It lives in results/golden/ and in the program.
 */
#ifndef HARNESS_GOLDEN_H
#define HARNESS_GOLDEN_H

#include "attn/digest.h"
#include "attn/kernel.h"

#define GOLDEN_SEED 1

typedef struct golden_entry {
    attn_contract contract;
    attn_digest digest;
    char workload[ATTN_WORKLOAD_TEXT]; /* canonical text */
} golden_entry;

/* Entry number `index` of the table in the program; false past its end. */
bool golden_at(size_t index, golden_entry *entry);

/* Digest of a workload, false when the table has none. */
bool golden_lookup(attn_contract contract, const attn_workload *w, attn_digest *digest);

/* Makes DIR/contract-1.txt from the list DIR/workloads.txt: entries that the program's table has
 * are kept unless `again`, missing ones are computed by the scalar reference on all threads. The
 * file is replaced only when complete. Prints a line per new entry. */
attn_status golden_write(const char *dir, bool again, attn_reason *why);

#endif
