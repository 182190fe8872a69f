/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that appear whole or not at all, and those that replace nothing.
 */
#include "tree.h"

#include "attn/file.h"

/* What the file says, and how many files are beside it. */
static void expect(const char *path, const char *text, int files)
{
    char line[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_string_equal(line, text);
    DIR *directory = opendir(tree);
    for (struct dirent *e = readdir(directory); e; e = readdir(directory))
        files -= e->d_name[0] != '.';
    closedir(directory);
    assert_int_equal(files, 0);
}

static attn_status write_text(const char *path, const char *text, bool meanwhile,
                              attn_status commit(attn_file *, attn_reason *), attn_reason *why)
{
    attn_file file;
    assert_int_equal(attn_file_create(path, &file, why), ATTN_OK);
    fputs(text, file.stream);
    if (meanwhile)
        tree_put("/file", "another");
    return commit(&file, why);
}

static void replaced(void **state)
{
    attn_reason why = {""};
    const char *path = tree_path("/file");
    (void)state;
    assert_int_equal(write_text(path, "one", false, attn_file_commit, &why), ATTN_OK);
    expect(path, "one", 1);
    assert_int_equal(write_text(path, "two", false, attn_file_commit, &why), ATTN_OK);
    expect(path, "two", 1);
    remove(path);
}

static void new_only(void **state)
{
    attn_reason why = {""};
    const char *path = tree_path("/file");
    (void)state;
    assert_int_equal(write_text(path, "one", false, attn_file_commit_new, &why), ATTN_OK);
    expect(path, "one", 1);
    assert_int_equal(write_text(path, "two", false, attn_file_commit_new, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "file"));
    expect(path, "one", 1);
    remove(path);
    assert_int_equal(write_text(path, "three", true, attn_file_commit_new, &why), ATTN_ERROR);
    expect(path, "another\n", 1);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(replaced), cmocka_unit_test(new_only)};
    return cmocka_run_group_tests(tests, tree_setup, tree_teardown);
}
