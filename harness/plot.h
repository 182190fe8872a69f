/* SPDX-License-Identifier: Apache-2.0
 *
 * Time against the length that sweeps, n or m, in text: both axes logarithmic, one mark per curve.
 */
#ifndef HARNESS_PLOT_H
#define HARNESS_PLOT_H

#include <stdio.h>

#include "harness/series.h"

/* Draws the curves over n, then those over m, each after an empty line; nothing where no two timed
 * points differ in it. Marks that would fall on one another stand side by side. */
void plot_print(FILE *out, const series *list, size_t count);

#endif
