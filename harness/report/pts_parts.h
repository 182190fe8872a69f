/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of pts share.
 */
#ifndef HARNESS_REPORT_PTS_PARTS_H
#define HARNESS_REPORT_PTS_PARTS_H

#include <stdio.h>

#include "attn/status.h"

#define NS_PER_MS 1e6

/* composite.xml of a report: a report_writer. */
attn_status pts_write_xml(FILE *out, const void *report, attn_reason *why);

#endif
