/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs gnuplot, if it is there.
 */
#ifndef HARNESS_REPORT_GNUPLOT_H
#define HARNESS_REPORT_GNUPLOT_H

#include "attn/status.h"

/* Draws directory/NAME.gp, a script of ours, as NAME.svg and NAME.pdf beside it, each whole or not
 * at all. *found: is there a gnuplot? Where none is, or it fails, there are no such files
 * afterwards. No shell is involved. */
attn_status gnuplot_draw(const char *directory, const char *name, bool *found, attn_reason *why);

#endif
