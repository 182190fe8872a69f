/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a schema one that schema_check understands, all of it?
 */
#include <stdio.h>
#include <string.h>

#include "harness/report/schema_rules.h"

/* The shape of a keyword's value. */
typedef enum {
    ANY,      /* annotations */
    SCHEMA,   /* a subschema */
    SCHEMAS,  /* an object of them */
    ONE_OF,   /* an array of them */
    OPEN,     /* true, false or a subschema */
    TYPE,     /* the name of a type, or several */
    NAMES,    /* texts */
    SCALAR,   /* no array and no object */
    SCALARS,  /* an array of such */
    NUMBER,   /* any number */
    COUNT,    /* an integer from 0 */
    PATTERN,  /* a regular expression */
    REFERENCE /* "#/$defs/NAME" */
} shape;

static const struct {
    const char *name;
    shape shape;
} keywords[] = {
    {"$schema", ANY},
    {"$comment", ANY},
    {"title", ANY},
    {"description", ANY},
    {"$defs", SCHEMAS},
    {"$ref", REFERENCE},
    {"oneOf", ONE_OF},
    {"if", SCHEMA},
    {"then", SCHEMA},
    {"else", SCHEMA},
    {"type", TYPE},
    {"enum", SCALARS},
    {"const", SCALAR},
    {"required", NAMES},
    {"properties", SCHEMAS},
    {"additionalProperties", OPEN},
    {"items", SCHEMA},
    {"minItems", COUNT},
    {"maxItems", COUNT},
    {"minimum", NUMBER},
    {"exclusiveMinimum", NUMBER},
    {"minLength", COUNT},
    {"pattern", PATTERN},
};
enum { KEYWORDS = sizeof keywords / sizeof keywords[0] };

typedef struct walk {
    const json_t *root;
    attn_reason *why;
} walk;

static attn_status understand(const walk *w, const json_t *s, int depth);

static bool is_scalar(const json_t *value)
{
    return !json_is_array(value) && !json_is_object(value);
}

static bool is_type(const json_t *value)
{
    return json_is_string(value) && schema_knows_type(json_string_value(value));
}

static bool is_name(const json_t *value)
{
    return json_is_string(value);
}

static bool is_list_of(const json_t *list, bool right(const json_t *))
{
    bool all = json_is_array(list);
    for (size_t i = 0; all && i < json_array_size(list); i++)
        all = right(json_array_get(list, i));
    return all;
}

static bool right_value(const walk *w, shape wanted, const json_t *value)
{
    const char *text = json_string_value(value);
    switch (wanted) {
    case ANY:
        return true;
    case SCHEMA:
    case SCHEMAS:
        return json_is_object(value);
    case ONE_OF:
        return json_is_array(value);
    case OPEN:
        return json_is_boolean(value) || json_is_object(value);
    case TYPE:
        return is_type(value) || is_list_of(value, is_type);
    case NAMES:
        return is_list_of(value, is_name);
    case SCALAR:
        return is_scalar(value);
    case SCALARS:
        return is_list_of(value, is_scalar);
    case NUMBER:
        return json_is_number(value);
    case COUNT:
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case PATTERN:
        return text != NULL && schema_is_pattern(text);
    case REFERENCE:
        return text != NULL && schema_definition(w->root, text) != NULL;
    }
    return false;
}

/* The subschemas in a keyword's value. */
static attn_status understand_inner(const walk *w, shape wanted, const json_t *value, int depth)
{
    attn_status status = ATTN_OK;
    const char *name;
    json_t *inner;
    if (wanted == SCHEMA || (wanted == OPEN && json_is_object(value)))
        return understand(w, value, depth + 1);
    if (wanted == SCHEMAS)
        json_object_foreach((json_t *)value, name, inner)
        {
            if (status == ATTN_OK)
                status = understand(w, inner, depth + 1);
        }
    for (size_t i = 0; wanted == ONE_OF && status == ATTN_OK && i < json_array_size(value); i++)
        status = understand(w, json_array_get(value, i), depth + 1);
    return status;
}

static attn_status understand_keyword(const walk *w, const char *name, const json_t *value,
                                      int depth)
{
    size_t i = 0;
    while (i < KEYWORDS && strcmp(keywords[i].name, name) != 0)
        i++;
    if (i == KEYWORDS)
        return attn_because(w->why, ATTN_ERROR, "schema: unknown keyword '%.60s'", name);
    if (!right_value(w, keywords[i].shape, value))
        return attn_because(w->why, ATTN_ERROR, "schema: cannot use this value of '%s'", name);
    return understand_inner(w, keywords[i].shape, value, depth);
}

static attn_status understand(const walk *w, const json_t *s, int depth)
{
    attn_status status = ATTN_OK;
    const char *name;
    json_t *value;
    if (!json_is_object(s))
        return attn_because(w->why, ATTN_ERROR, "schema: want an object for every subschema");
    if (depth > SCHEMA_DEPTH)
        return attn_because(w->why, ATTN_ERROR, "schema: nested too deep");
    json_object_foreach((json_t *)s, name, value)
    {
        if (status == ATTN_OK)
            status = understand_keyword(w, name, value, depth);
    }
    return status;
}

attn_status schema_understood(const json_t *root, attn_reason *why)
{
    const walk w = {root, why};
    return understand(&w, root, 0);
}
