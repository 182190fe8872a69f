/* SPDX-License-Identifier: Apache-2.0
 *
 * What `bench` prints: the result table, then, each after an empty line, the roofs, the clocks of
 * GPUs and the fitted curves where there are any.
 */
#ifndef HARNESS_TABLE_H
#define HARNESS_TABLE_H

#include <stdio.h>

#include "harness/series.h"

/* "vk0 (software)", or "cpu". Returns text. */
const char *table_device(const result_row *row, char *text, size_t size);

/* Every row but roofs; kernels that never ran on a device, all for one reason, share a line. */
void table_rows(FILE *out, const result_row *rows, size_t count, bool colour);
/* The same as Markdown, the shared workload above it; false when out of memory. */
bool table_rows_markdown(FILE *out, const result_row *rows, size_t count);
/* One line per roof, device and thread count: the range of its rates in this run. */
void table_roofs(FILE *out, const result_row *rows, size_t count);
/* The clocks and the compilation of every row that was timed on a GPU. */
void table_clocks(FILE *out, const result_row *rows, size_t count);
/* One line per curve that sweeps n, then those that sweep m. */
void table_curves(FILE *out, const series *list, size_t count);

#endif
