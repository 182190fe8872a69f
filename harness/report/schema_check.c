/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/schema_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/schema_rules.h"

static const char *const run_schema[] = {
#include "run_schema.inc"
    NULL};

/* Where a value is being checked. */
typedef struct place {
    const json_t *root;
    char path[120]; /* of the value: "samples_ns[3]" */
    int depth;      /* of subschemas */
    attn_reason *why;
} place;

static bool check(place *p, const json_t *s, const json_t *value);

static bool fault(const place *p, const char *wanted)
{
    attn_because(p->why, ATTN_ERROR, "%s%s%.110s", p->path, p->path[0] ? ": " : "", wanted);
    return false;
}

const json_t *schema_definition(const json_t *root, const char *reference)
{
    const size_t length = strlen(SCHEMA_DEFINITIONS);
    if (strncmp(reference, SCHEMA_DEFINITIONS, length) != 0)
        return NULL;
    return json_object_get(json_object_get(root, "$defs"), reference + length);
}

/* A value as JSON, for people; the end of a long one is left out. */
static const char *shown(const json_t *value, char text[80])
{
    char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    snprintf(text, 80, "%.76s", json != NULL ? json : "?");
    free(json);
    return text;
}

static bool expect(const place *p, bool met, const char *keyword, const json_t *limit)
{
    char text[80], wanted[128];
    if (met)
        return true;
    snprintf(wanted, sizeof wanted, "want %s %s", keyword, shown(limit, text));
    return fault(p, wanted);
}

static bool check_type(const place *p, const json_t *type, const json_t *value)
{
    bool met = type == NULL;
    if (json_is_string(type))
        met = schema_is(value, json_string_value(type));
    for (size_t i = 0; !met && i < json_array_size(type); i++)
        met = schema_is(value, json_string_value(json_array_get(type, i)));
    return expect(p, met, "type", type);
}

static bool check_choice(const place *p, const json_t *s, const json_t *value)
{
    const json_t *list = json_object_get(s, "enum"), *constant = json_object_get(s, "const");
    bool met = list == NULL;
    for (size_t i = 0; !met && i < json_array_size(list); i++)
        met = schema_equal(json_array_get(list, i), value);
    return expect(p, met, "one of", list) &&
           expect(p, constant == NULL || schema_equal(constant, value), "exactly", constant);
}

static bool check_number(const place *p, const json_t *s, const json_t *value)
{
    const json_t *least = json_object_get(s, "minimum");
    const json_t *above = json_object_get(s, "exclusiveMinimum");
    const double number = json_number_value(value);
    if (!json_is_number(value))
        return true;
    return expect(p, least == NULL || number >= json_number_value(least), "at least", least) &&
           expect(p, above == NULL || number > json_number_value(above), "above", above);
}

static bool check_text(const place *p, const json_t *s, const json_t *value)
{
    const json_t *least = json_object_get(s, "minLength"), *form = json_object_get(s, "pattern");
    const char *text = json_string_value(value);
    if (text == NULL)
        return true;
    return expect(p, schema_text_length(text) >= (size_t)json_integer_value(least),
                  "characters, at least", least) &&
           expect(p, form == NULL || schema_matches(json_string_value(form), text), "the form",
                  form);
}

/* A subschema for a member or an element, whose name is in the path meanwhile. */
static bool check_inner(place *p, const json_t *s, const json_t *value, const char *format,
                        const char *name, size_t index)
{
    const size_t length = strlen(p->path);
    char step[72];
    snprintf(step, sizeof step, format, name, index);
    snprintf(p->path + length, sizeof p->path - length, "%s%s", length > 0 && name[0] ? "." : "",
             step);
    const bool met = check(p, s, value);
    p->path[length] = '\0';
    return met;
}

static bool check_array(place *p, const json_t *s, const json_t *value)
{
    const json_t *items = json_object_get(s, "items");
    const json_t *least = json_object_get(s, "minItems"), *most = json_object_get(s, "maxItems");
    const size_t size = json_array_size(value);
    if (!json_is_array(value))
        return true;
    bool met = expect(p, size >= (size_t)json_integer_value(least), "elements, at least", least) &&
               expect(p, most == NULL || size <= (size_t)json_integer_value(most),
                      "elements, at most", most);
    for (size_t i = 0; met && items != NULL && i < size; i++)
        met = check_inner(p, items, json_array_get(value, i), "%s[%zu]", "", i);
    return met;
}

static bool check_required(const place *p, const json_t *names, const json_t *value)
{
    char text[80];
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        snprintf(text, sizeof text, "no member '%.60s'", name);
        if (json_object_get(value, name) == NULL)
            return fault(p, text);
    }
    return true;
}

static bool check_object(place *p, const json_t *s, const json_t *value)
{
    const json_t *known = json_object_get(s, "properties");
    const json_t *others = json_object_get(s, "additionalProperties");
    const char *name;
    json_t *member;
    if (!json_is_object(value))
        return true;
    bool met = check_required(p, json_object_get(s, "required"), value);
    json_object_foreach((json_t *)value, name, member)
    {
        const json_t *own = json_object_get(known, name);
        char text[96];
        snprintf(text, sizeof text, "unknown member '%.60s'", name);
        if (met && own == NULL && json_is_false(others))
            met = fault(p, text);
        own = own == NULL && json_is_object(others) ? others : own;
        if (met && own != NULL)
            met = check_inner(p, own, member, "%.60s", name, 0);
    }
    return met;
}

/* Faults of the branches that a value does not take are nobody's business. */
static bool try(const place *p, const json_t *s, const json_t *value)
{
    place silent = *p;
    silent.why = NULL;
    return check(&silent, s, value);
}

static bool check_branches(place *p, const json_t *s, const json_t *value)
{
    const json_t *alternatives = json_object_get(s, "oneOf"), *when = json_object_get(s, "if");
    size_t taken = 0;
    for (size_t i = 0; i < json_array_size(alternatives); i++)
        taken += try(p, json_array_get(alternatives, i), value);
    if (alternatives != NULL && taken != 1)
        return fault(p, taken > 1 ? "obeys more than one form" : "obeys none of the forms");
    const json_t *then =
        when == NULL ? NULL : json_object_get(s, try(p, when, value) ? "then" : "else");
    return then == NULL || check(p, then, value);
}

static bool check(place *p, const json_t *s, const json_t *value)
{
    const char *reference = json_string_value(json_object_get(s, "$ref"));
    if (p->depth >= SCHEMA_DEPTH)
        return fault(p, "the schema goes round in a circle");
    p->depth++;
    const bool met =
        (reference == NULL || check(p, schema_definition(p->root, reference), value)) &&
        check_type(p, json_object_get(s, "type"), value) && check_choice(p, s, value) &&
        check_number(p, s, value) && check_text(p, s, value) && check_array(p, s, value) &&
        check_object(p, s, value) && check_branches(p, s, value);
    p->depth--;
    return met;
}

attn_status schema_check(const schema *s, const char *definition, const json_t *value,
                         attn_reason *why)
{
    place p = {.root = s->root, .why = why};
    const json_t *from = s->root;
    if (definition != NULL)
        from = json_object_get(json_object_get(s->root, "$defs"), definition);
    if (from == NULL)
        return attn_because(why, ATTN_ERROR, "the schema does not define '%.60s'", definition);
    return check(&p, from, value) ? ATTN_OK : ATTN_ERROR;
}

attn_status schema_open(const char *text, schema **out, attn_reason *why)
{
    json_error_t error;
    schema *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    s->root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    attn_status status = ATTN_OK;
    if (s->root == NULL)
        status = attn_because(why, ATTN_ERROR, "schema:%d: %.150s", error.line, error.text);
    else
        status = schema_understood(s->root, why);
    if (status == ATTN_OK)
        *out = s;
    else
        schema_free(s);
    return status;
}

attn_status schema_open_run(schema **out, attn_reason *why)
{
    size_t size = 1;
    for (size_t i = 0; run_schema[i] != NULL; i++)
        size += strlen(run_schema[i]);
    char *text = malloc(size), *end = text;
    *out = NULL;
    if (text == NULL)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "out of memory");
    for (size_t i = 0; run_schema[i] != NULL; i++)
        end += snprintf(end, size - (size_t)(end - text), "%s", run_schema[i]);
    const attn_status status = schema_open(text, out, why);
    free(text);
    return status;
}

void schema_free(schema *s)
{
    if (s != NULL)
        json_decref(s->root);
    free(s);
}
