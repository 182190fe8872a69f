/* SPDX-License-Identifier: Apache-2.0
 *
 * Words as a shell reads them back.
 */
#include "unit.h"

#include <stdlib.h>

#include "harness/shell.h"

static void assert_word(const char *word, const char *wanted)
{
    char *const got = shell_word(word);
    assert_string_equal(got, wanted);
    free(got);
}

static void safe_words_stay_as_they_are(void **state)
{
    (void)state;
    assert_word("out/20261130T092000Z", "out/20261130T092000Z");
    assert_word("h=8,n=256..4096,mask=len:1:2", "h=8,n=256..4096,mask=len:1:2");
    assert_word("--fail-if-slower=5%", "--fail-if-slower=5%");
}

static void others_are_quoted(void **state)
{
    (void)state;
    assert_word("", "''");
    assert_word("a b", "'a b'");
    assert_word("avx2_*", "'avx2_*'");
    assert_word("~/out", "'~/out'");
    assert_word("it's", "'it'\\''s'");
    assert_word("'", "''\\'''");
}

/* Every byte that a word can have, through a real shell. */
static void a_shell_reads_it_back(void **state)
{
    (void)state;
    char word[256], command[2048], back[512];
    for (int i = 1; i < 256; i++)
        word[i - 1] = (char)i;
    word[255] = '\0';
    char *const quoted = shell_word(word);
    assert_non_null(quoted);
    snprintf(command, sizeof command, "LC_ALL=C printf %%s %s", quoted);
    free(quoted);
    FILE *shell = popen(command, "r");
    if (shell == NULL)
        NOTHING_TO_TEST("no shell");
    const size_t length = fread(back, 1, sizeof back, shell);
    assert_int_equal(pclose(shell), 0);
    assert_int_equal(length, strlen(word));
    assert_memory_equal(back, word, length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(safe_words_stay_as_they_are),
        cmocka_unit_test(others_are_quoted),
        cmocka_unit_test(a_shell_reads_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
