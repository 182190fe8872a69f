/* SPDX-License-Identifier: Apache-2.0
 *
 * The checker of schemas: each keyword lets through and refuses, and what is not understood is not
 * left unchecked. tests/schema_check.sh holds it against another implementation.
 */
#include "tests/unit.h"

#include "harness/report/schema_check.h"

/* Verdict of a schema, as JSON text, on a value, as JSON text. */
static bool accepts(const char *schema_text, const char *value_text, attn_reason *why)
{
    schema *s;
    json_t *value = json_loads(value_text, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    if (schema_open(schema_text, &s, why) != ATTN_OK)
        fail_msg("%s: %s", schema_text, why->text);
    const bool met = schema_check(s, NULL, value, why) == ATTN_OK;
    schema_free(s);
    json_decref(value);
    return met;
}

static void keywords(void **state)
{
    static const struct {
        const char *schema, *right, *wrong;
    } cases[] = {
        {"{\"type\":\"integer\"}", "3", "3.5"},
        {"{\"type\":\"integer\"}", "3.0", "true"},
        {"{\"type\":[\"string\",\"null\"]}", "null", "0"},
        {"{\"type\":\"number\"}", "-1e300", "\"1\""},
        {"{\"type\":\"boolean\"}", "false", "0"},
        {"{\"type\":\"object\"}", "{}", "[]"},
        {"{\"type\":\"array\"}", "[]", "{}"},
        {"{\"enum\":[\"a\",null,1]}", "null", "false"},
        {"{\"enum\":[\"a\",null,1]}", "1.0", "\"b\""},
        {"{\"const\":1}", "1", "true"},
        {"{\"minimum\":1}", "1", "0.5"},
        {"{\"minimum\":1}", "\"text\"", "-1"},
        {"{\"exclusiveMinimum\":0}", "1e-9", "0"},
        {"{\"minItems\":2,\"maxItems\":3}", "[1,2]", "[1]"},
        {"{\"minItems\":2,\"maxItems\":3}", "[1,2,3]", "[1,2,3,4]"},
        {"{\"maxItems\":0}", "[]", "[null]"},
        {"{\"items\":{\"type\":\"number\"}}", "[1,2]", "[1,\"2\"]"},
        {"{\"minLength\":2}", "\"\xc3\xa4\xc3\xb6\"", "\"\xc3\xa4\""},
        {"{\"pattern\":\"^[0-9a-f]{4}$\"}", "\"01af\"", "\"01aF\""},
        {"{\"pattern\":\"^[0-9a-f]{4}$\"}", "7", "\"01af0\""},
        {"{\"required\":[\"a\"]}", "{\"a\":null}", "{\"b\":1}"},
        {"{\"properties\":{\"a\":{\"type\":\"null\"}}}", "{\"b\":1}", "{\"a\":1}"},
        {"{\"properties\":{\"a\":{}},\"additionalProperties\":false}", "{\"a\":1}", "{\"b\":1}"},
        {"{\"additionalProperties\":{\"type\":\"string\"}}", "{\"a\":\"b\"}", "{\"a\":1}"},
        {"{\"oneOf\":[{\"type\":\"null\"},{\"minimum\":3}]}", "3", "2"},
        {"{\"oneOf\":[{\"minimum\":1},{\"minimum\":3}]}", "2", "3"},
        {"{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"const\":1}}}", "1", "2"},
        {"{\"if\":{\"minimum\":3},\"then\":{\"const\":4},\"else\":{\"const\":1}}", "4", "3"},
        {"{\"if\":{\"minimum\":3},\"then\":{\"const\":4},\"else\":{\"const\":1}}", "1", "2"},
        {"{\"if\":{\"minimum\":3},\"else\":{\"const\":1}}", "9", "2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        attn_reason why = {""};
        if (!accepts(cases[i].schema, cases[i].right, &why))
            fail_msg("%s refuses %s: %s", cases[i].schema, cases[i].right, why.text);
        if (accepts(cases[i].schema, cases[i].wrong, &why))
            fail_msg("%s accepts %s", cases[i].schema, cases[i].wrong);
        assert_true(strlen(why.text) > 0);
    }
}

static void refused_schemas(void **state)
{
    static const struct {
        const char *schema, *word;
    } cases[] = {
        {"{\"anyOf\":[]}", "anyOf"},
        {"{\"properties\":{\"a\":{\"maximum\":1}}}", "maximum"},
        {"{\"if\":{\"not\":{}}}", "not"},
        {"{\"type\":\"float\"}", "type"},
        {"{\"pattern\":\"\\\\d\"}", "pattern"},
        {"{\"pattern\":\"(\"}", "pattern"},
        {"{\"$ref\":\"#/$defs/none\"}", "$ref"},
        {"{\"$ref\":\"other.json\"}", "$ref"},
        {"{\"const\":{}}", "const"},
        {"{\"enum\":[[]]}", "enum"},
        {"{\"minItems\":-1}", "minItems"},
        {"{\"items\":true}", "items"},
        {"{\"oneOf\":[true]}", "subschema"},
        {"[]", "subschema"},
        {"{", "schema:1"},
        {"{\"title\":\"a\",\"title\":\"b\"}", "schema:1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        attn_reason why = {""};
        schema *s;
        assert_int_equal(schema_open(cases[i].schema, &s, &why), ATTN_ERROR);
        assert_null(s);
        if (strstr(why.text, cases[i].word) == NULL)
            fail_msg("%s: %s", cases[i].schema, why.text);
    }
}

static void circles_end(void **state)
{
    attn_reason why = {""};
    (void)state;
    assert_false(
        accepts("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}", "1", &why));
    assert_non_null(strstr(why.text, "circle"));
}

static void places(void **state)
{
    attn_reason why = {""};
    (void)state;
    assert_false(accepts("{\"properties\":{\"a\":{\"items\":{\"properties\":"
                         "{\"b\":{\"type\":\"null\"}}}}}}",
                         "{\"a\":[{},{\"b\":1}]}", &why));
    assert_string_equal(why.text, "a[1].b: want type \"null\"");
    assert_false(accepts("{\"required\":[\"x\"]}", "{}", &why));
    assert_string_equal(why.text, "no member 'x'");
}

static void of_the_program(void **state)
{
    attn_reason why = {""};
    schema *s;
    (void)state;
    if (schema_open_run(&s, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    json_t *line = json_loads("{\"resumed\":\"2026-01-31T12:00:00Z\"}", 0, NULL);
    assert_int_equal(schema_check(s, NULL, line, &why), ATTN_OK);
    assert_int_equal(schema_check(s, "resumed", line, &why), ATTN_OK);
    assert_int_equal(schema_check(s, "row", line, &why), ATTN_ERROR);
    assert_int_equal(schema_check(s, "none", line, &why), ATTN_ERROR);
    json_decref(line);
    schema_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keywords),       cmocka_unit_test(refused_schemas),
        cmocka_unit_test(circles_end),    cmocka_unit_test(places),
        cmocka_unit_test(of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
