/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that grow: never past their end, never half a character.
 */
#include "unit.h"

#include "attn/text.h"

static void grows(void **state)
{
    char text[16] = "";
    (void)state;
    assert_ptr_equal(attn_text_add(text, sizeof text, "%s%d", "n=", 64), text);
    assert_string_equal(text, "n=64");
    attn_text_add(text, sizeof text, ",%s", "d=128");
    assert_string_equal(text, "n=64,d=128");
    attn_text_add(text, sizeof text, "%s", "");
    assert_string_equal(text, "n=64,d=128");
}

static void ends_where_the_room_ends(void **state)
{
    char text[8] = "abc";
    (void)state;
    attn_text_add(text, 7, "%s", "def"); /* just fits */
    assert_string_equal(text, "abcdef");
    text[7] = '#';
    attn_text_add(text, 7, "%s", "g");
    assert_string_equal(text, "abcdef");
    attn_text_add(text, 5, "%s", ""); /* longer than it may be: as it was */
    assert_int_equal(text[7], '#');
}

/* Two, three and four bytes, and every place of the cut. */
static void cuts_between_characters(void **state)
{
    static const char *const characters[] = {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    (void)state;
    for (size_t c = 0; c < sizeof characters / sizeof *characters; c++) {
        const size_t bytes = strlen(characters[c]);
        for (size_t room = 1; room <= 2 * bytes + 2; room++) {
            char text[16] = "x";
            attn_text_add(text, room + 1, "%s%s", characters[c], characters[c]);
            const size_t whole = room - 1 >= 2 * bytes ? 2 : (room - 1) / bytes;
            assert_int_equal(strlen(text), 1 + whole * bytes);
            assert_memory_equal(text + 1, characters[c], whole ? bytes : 0);
        }
    }
}

/* What a terminal obeys and what turns the direction of writing; their neighbours are letters. */
static void finds_controls(void **state)
{
    static const char *const controls[] = {"\x01",         "\n",           "\x7f",
                                           "\xc2\x9b",     "\xe2\x80\xaa", "\xe2\x80\xae",
                                           "\xe2\x81\xa6", "\xe2\x81\xa9"};
    static const char *const letters[] = {"a",    "\xc2\xa0",     "\xe2\x80\xa9", "\xe2\x80\xaf",
                                          "\xe2", "\xe2\x81\xa5", "\xe2\x81\xaa", "\xd7\x90"};
    (void)state;
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
        assert_int_equal(attn_text_control(controls[i]), strlen(controls[i]));
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        assert_int_equal(attn_text_control(letters[i]), 0);
}

/* What is no UTF-8 stays as it is: a name of a file may hold anything. */
static void leaves_other_bytes(void **state)
{
    char text[5] = "";
    (void)state;
    attn_text_add(text, sizeof text, "%s", "\xff\x80\x80\x80\x80\x80");
    assert_int_equal(strlen(text), 4);
    text[0] = '\0';
    attn_text_add(text, sizeof text, "%s", "abc\x80\x80");
    assert_string_equal(text, "abc\x80");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows),
        cmocka_unit_test(ends_where_the_room_ends),
        cmocka_unit_test(cuts_between_characters),
        cmocka_unit_test(finds_controls),
        cmocka_unit_test(leaves_other_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
