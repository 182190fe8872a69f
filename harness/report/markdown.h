/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs as a text for a pull request: GitHub's Markdown.
 */
#ifndef HARNESS_REPORT_MARKDOWN_H
#define HARNESS_REPORT_MARKDOWN_H

#include "harness/report/report.h"

/* Verdicts, how the runs differ and compare (the first with each other), the best rows of each
 * workload, fits, all rows, machines, how to run them again, and the figures, if report->figures
 * says where they are. Names stay text, whatever is in them. Errors of the stream are the caller's
 * to look at. Fails when out of memory. */
report_format report_markdown;

#endif
