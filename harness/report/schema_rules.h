/* SPDX-License-Identifier: Apache-2.0
 *
 * Internal to harness/report/schema_*.c.
 */
#ifndef HARNESS_REPORT_SCHEMA_RULES_H
#define HARNESS_REPORT_SCHEMA_RULES_H

#include <jansson.h>
#include <stdbool.h>

#include "attn/status.h"

#define SCHEMA_DEFINITIONS "#/$defs/"
#define SCHEMA_DEPTH       64 /* of subschemas within each other: no $ref goes round for ever */

struct schema {
    json_t *root;
};

/* The subschema that "#/$defs/NAME" means; NULL: there is none. */
const json_t *schema_definition(const json_t *root, const char *reference);
/* Is this whole schema one that schema_check understands? */
attn_status schema_understood(const json_t *root, attn_reason *why);

/* Is the value of the type named "integer", "null", ...? 1.0 is an integer. */
bool schema_is(const json_t *value, const char *type);
bool schema_knows_type(const char *type);
/* Numbers are equal by value: 1 is 1.0. */
bool schema_equal(const json_t *a, const json_t *b);
/* Code points, of valid UTF-8. */
size_t schema_text_length(const char *text);
/* Does the pattern match somewhere in the text? false too for what is no pattern. */
bool schema_matches(const char *pattern, const char *text);
bool schema_is_pattern(const char *pattern);

#endif
