/* SPDX-License-Identifier: Apache-2.0
 *
 * Internal to harness/run_*.c.
 */
#ifndef HARNESS_RUN_ROW_H
#define HARNESS_RUN_ROW_H

#include <jansson.h>

#include "harness/row.h"

/* Fills *row, whose texts stay the line's, and *workload, to which it points. One line on a fault,
 * without the place; nothing is left to free then. */
attn_status run_row_read(const json_t *line, result_row *row, attn_workload *workload,
                         attn_reason *why);

#endif
