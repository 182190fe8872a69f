/* SPDX-License-Identifier: Apache-2.0
 *
 * Internal to harness/report: a page from its parts.
 */
#ifndef HARNESS_REPORT_PAGE_H
#define HARNESS_REPORT_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "attn/status.h"
#include "harness/report/assets.h"

/* Writes the template with the island in it, whose "title" is the page's. Errors of the stream are
 * the caller's to look at. */
attn_status page_write(FILE *out, const char *const *template, const report_asset *scripts,
                       const json_t *data, attn_reason *why);

#endif
