/* SPDX-License-Identifier: Apache-2.0
 *
 * Time against n in text, both axes logarithmic, one mark per curve.
 */
#ifndef HARNESS_PLOT_H
#define HARNESS_PLOT_H

#include <stdio.h>

#include "harness/series.h"

/* Draws the curves that sweep n, after an empty line; nothing when no two timed points differ in n.
 * Marks that would fall on one another stand side by side. */
void plot_print(FILE *out, const series *list, size_t count);

#endif
