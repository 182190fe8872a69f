/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of report.md share: values of the island as texts, never NULL.
 */
#ifndef HARNESS_REPORT_MARKDOWN_PARTS_H
#define HARNESS_REPORT_MARKDOWN_PARTS_H

#include <stdio.h>

#include "harness/report/report.h"

/* "-" for what is no text, or not there. */
const char *markdown_text(const json_t *object, const char *name);

/* How the first run compares with each other one: what differs, then the ratios. */
attn_status markdown_comparisons(FILE *out, const report *r, attn_reason *why);

#endif
