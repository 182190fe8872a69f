/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON Schema (draft 2020-12), as far as results/run.schema.json uses it: $ref into $defs, oneOf,
 * if/then/else, type, enum, const, required, properties, additionalProperties, items, minItems,
 * maxItems, minimum, exclusiveMinimum, minLength and pattern. What another schema needs beyond that
 * is refused when it is opened, never left unchecked.
 */
#ifndef HARNESS_REPORT_SCHEMA_CHECK_H
#define HARNESS_REPORT_SCHEMA_CHECK_H

#include <jansson.h>

#include "attn/status.h"

typedef struct schema schema;

/* text: a schema. Refuses, with one line, what is no schema, a keyword other than those above, and
 * a pattern that means something else in POSIX's extended regular expressions. */
attn_status schema_open(const char *text, schema **out, attn_reason *why);
/* The schema of run.jsonl in this program, results/run.schema.json. */
attn_status schema_open_run(schema **out, attn_reason *why);
void schema_free(schema *s); /* NULL: nothing */

/* Does the value obey the schema or, with a name, that definition ("row")? ATTN_ERROR names the
 * member and what is wanted there. */
attn_status schema_check(const schema *s, const char *definition, const json_t *value,
                         attn_reason *why);

#endif
