/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs in the formats of others. What is unknown stays empty or null, numbers have the digits of
 * run.jsonl and a decimal point in every locale, and texts are escaped as the format wants it.
 */
#ifndef HARNESS_EXPORT_H
#define HARNESS_EXPORT_H

#include <stdio.h>

#include "harness/run_file.h"

/* The rows of all runs, to `out`, whose errors are the caller's to look at. Fails when out of
 * memory, and on several runs where the format has no place for them. */
typedef attn_status export_format(FILE *out, const run_file *runs, size_t count, attn_reason *why);

export_format export_csv;      /* RFC 4180, a line per row; column `run`: the file's path */
export_format export_sql;      /* CREATE TABLE IF NOT EXISTS and INSERT, in one transaction */
export_format export_markdown; /* the table that bench prints, one for each run */
export_format export_gb;       /* Google Benchmark's JSON: every sample of one run's ok rows */
export_format export_bmf;      /* Bencher Metric Format: latency in ns, throughput in FLOP/s */

#endif
