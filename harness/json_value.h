/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON values that are always valid: what is unknown becomes null, never 0 or NaN.
 */
#ifndef HARNESS_JSON_VALUE_H
#define HARNESS_JSON_VALUE_H

#include <jansson.h>
#include <stdint.h>

/* null for NULL and ""; bytes that are not UTF-8 become '?'. */
json_t *json_value_text(const char *text);
/* null when not finite. */
json_t *json_value_number(double value);
/* A whole count, kept within JSON's (and jansson's) signed 64 bits. */
json_t *json_value_count(uint64_t value);

/* Any value as one line of strict JSON with 12 significant digits, keys in the order they were set;
 * NULL when out of memory. Free with free(). */
char *json_value_line(const json_t *value);

#endif
