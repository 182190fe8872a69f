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
/* "cpu, 2 threads"; on a GPU threads do not apply. Returns text. */
const char *table_place(const result_row *row, char *text, size_t size);
/* "2", or "-" where threads do not apply. Returns text. */
const char *table_threads(const result_row *row, char *text, size_t size);
/* "skipped: too slow", or the reason alone of a row that is ok. Returns text. */
const char *table_note(const result_row *row, char *text, size_t size);

/* Every row but roofs; kernels that never ran on a device, all for one reason, share a line. */
void table_rows(FILE *out, const result_row *rows, size_t count, bool colour);
/* The same as Markdown, the shared workload above it; false when out of memory. */
bool table_rows_markdown(FILE *out, const result_row *rows, size_t count);
/* table_roofs.c: the range of each roof's rates in this run. One line per roof of
 * multiply-accumulates, device and thread count; then bandwidth, with the levels as columns. */
void table_roofs(FILE *out, const result_row *rows, size_t count, bool colour);
/* The clocks and the compilation of every row that was timed on a GPU. */
void table_clocks(FILE *out, const result_row *rows, size_t count);
/* One line per curve that sweeps n, then those that sweep m. */
void table_curves(FILE *out, const series *list, size_t count);
/* The same as Markdown. */
void table_curves_markdown(FILE *out, const series *list, size_t count);

#endif
