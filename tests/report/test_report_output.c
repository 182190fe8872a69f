/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/report/output.h"
#include "harness/report/relative.h"

static void assert_clean(const char *text, size_t most, size_t size, const char *wanted)
{
    char out[64];
    assert_true(size <= sizeof out);
    assert_string_equal(report_clean(text, most, out, size), wanted);
}

/* Control characters go, the others stay, and nothing is cut in the middle of a character. */
static void test_clean(void **state)
{
    (void)state;
    assert_clean("plain 'text' <&>", 60, 64, "plain 'text' <&>");
    assert_clean("a\tb\nc\x01\x7f", 60, 64, "a?b?c??");
    assert_clean("gnp.\xe2\x80\xaetxt", 60, 64, "gnp.?txt");
    assert_clean("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", 60, 64, "??\xef\xbf\xbd");
    assert_clean("0123456789", 10, 64, "0123456789");
    assert_clean("0123456789a", 10, 64, "0123456...");
    assert_clean("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", 4, 64, "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f");
    assert_clean("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f!", 4, 64, "\xc3\xa4...");
    assert_clean("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", 60, 8, "\xe2\x82\xac...");
    assert_clean("", 60, 64, "");
}

static void assert_relative(const char *file, const char *directory, const char *wanted)
{
    char *path = relative_path(file, directory);
    if (wanted == NULL) {
        assert_null(path);
        return;
    }
    assert_non_null(path);
    assert_string_equal(path, wanted);
    free(path);
}

static void test_relative(void **state)
{
    static const char *const made[] = {"a", "a/b", "a/bc", "a/b/c"};
    char root[] = "/tmp/attnmark-relative-XXXXXX", here[1024];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_non_null(mkdtemp(root));
    assert_int_equal(chdir(root), 0);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_int_equal(mkdir(made[i], 0777), 0);
    assert_int_equal(symlink("a/b", "link"), 0);
    assert_relative("report.md", "a", "a");
    assert_relative("report.md", "./a/b/../b", "a/b");
    assert_relative("report.md", ".", ".");
    assert_relative("a/report.md", "a", ".");
    assert_relative("a/b/report.md", "a/bc", "../bc");
    assert_relative("a/bc/report.md", "a/b/c", "../b/c");
    assert_relative("a/b/c/report.md", "a", "../..");
    assert_relative("link/report.md", "a/b", ".");
    assert_relative("report.md", "link/c", "a/b/c");
    assert_relative("none/report.md", "a", NULL);
    assert_relative("report.md", "none", NULL);
    assert_int_equal(unlink("link"), 0);
    for (size_t i = sizeof made / sizeof *made; i > 0; i--)
        assert_int_equal(rmdir(made[i - 1]), 0);
    assert_int_equal(chdir(here), 0);
    assert_int_equal(rmdir(root), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clean),
                                       cmocka_unit_test(test_relative)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
