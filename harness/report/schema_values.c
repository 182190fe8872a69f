/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <regex.h>
#include <string.h>

#include "harness/report/schema_rules.h"

static bool is_integer(const json_t *value)
{
    const double real = json_real_value(value);
    return json_is_integer(value) || (json_is_real(value) && real == floor(real));
}

static bool is_number(const json_t *value)
{
    return json_is_number(value);
}

static bool is_string(const json_t *value)
{
    return json_is_string(value);
}

static bool is_boolean(const json_t *value)
{
    return json_is_boolean(value);
}

static bool is_null(const json_t *value)
{
    return json_is_null(value);
}

static bool is_array(const json_t *value)
{
    return json_is_array(value);
}

static bool is_object(const json_t *value)
{
    return json_is_object(value);
}

static const struct {
    const char *name;
    bool (*is)(const json_t *value);
} types[] = {
    {"integer", is_integer}, {"number", is_number}, {"string", is_string}, {"boolean", is_boolean},
    {"null", is_null},       {"array", is_array},   {"object", is_object},
};
enum { TYPES = sizeof types / sizeof types[0] };

bool schema_is(const json_t *value, const char *type)
{
    for (size_t i = 0; i < TYPES; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].is(value);
    return false;
}

bool schema_knows_type(const char *type)
{
    bool known = false;
    for (size_t i = 0; i < TYPES && !known; i++)
        known = strcmp(types[i].name, type) == 0;
    return known;
}

bool schema_equal(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

size_t schema_text_length(const char *text)
{
    size_t length = 0;
    for (const char *c = text; *c != '\0'; c++)
        length += ((unsigned char)*c & 0xC0) != 0x80; /* not the rest of a code point */
    return length;
}

static bool compile(regex_t *compiled, const char *pattern)
{
    /* A backslash and (? say other things in ECMA-262, whose patterns a schema has. */
    return strchr(pattern, '\\') == NULL && strstr(pattern, "(?") == NULL &&
           regcomp(compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0;
}

bool schema_is_pattern(const char *pattern)
{
    regex_t compiled;
    const bool right = compile(&compiled, pattern);
    if (right)
        regfree(&compiled);
    return right;
}

bool schema_matches(const char *pattern, const char *text)
{
    regex_t compiled;
    if (!compile(&compiled, pattern))
        return false;
    const bool matches = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return matches;
}
