/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writers of reports share: texts that no format trips over, files of a directory.
 */
#ifndef HARNESS_REPORT_OUTPUT_H
#define HARNESS_REPORT_OUTPUT_H

#include <stdio.h>

#include "attn/status.h"
#include "harness/report/report.h"

/* Copies a text in UTF-8 without what attn_text_control finds and XML forbids, which become '?'. Of
 * a longer one than `most` characters the start, then "...". size: bytes of `out`, which may cut it
 * short between two characters. Returns out. */
const char *report_clean(const char *text, size_t most, char *out, size_t size);

/* What a run of the report is called; unique in it. Short: less what it shares with the others. */
const char *report_run_name(const report *r, size_t run);
const char *report_run_short(const report *r, size_t run);

typedef attn_status report_writer(FILE *out, const void *context, attn_reason *why);

/* directory/name; NULL when out of memory. Free it. */
char *report_path(const char *directory, const char *name);
/* Writes one file of a directory that is there, whole or not at all. */
attn_status report_output(const char *directory, const char *name, report_writer *write,
                          const void *context, attn_reason *why);

#endif
