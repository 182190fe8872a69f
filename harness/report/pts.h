/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs for the Phoronix Test Suite and OpenBenchmarking.org.
 */
#ifndef HARNESS_REPORT_PTS_H
#define HARNESS_REPORT_PTS_H

#include "harness/report/report.h"

/* Writes to the directory, which is made if it is missing:
 * - results.txt (of several runs results-1.txt, ...): "key = value UNIT", a line per number, of the
 *   rows that were timed and checked. Keys are one word, equal for equal rows in every run:
 *   KERNEL.DEVICE.THREADS.WORKLOAD.NUMBER.
 * - composite.xml: a result file of all runs, one system for each, one result per row and number.
 * Each file is there whole or not at all. Fails, with one line, when a file cannot be written or no
 * run has such a row. */
attn_status report_pts(const char *directory, const report *r, attn_reason *why);

#endif
