/* SPDX-License-Identifier: Apache-2.0
 *
 * Internal to tests/synthetic_*.c: runs that nobody measured.
 */
#ifndef TESTS_SYNTHETIC_H
#define TESTS_SYNTHETIC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* synthetic_many.c: writes DIR/run.jsonl with this header, so many rows and their roofs: sweeps on
 * three devices, every tenth row skipped. `factor` multiplies the times of all but roofs. The
 * directory is made. */
bool synthetic_many(const char *directory, const json_t *header, size_t count, double factor);

#endif
