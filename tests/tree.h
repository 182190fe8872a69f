/* SPDX-License-Identifier: Apache-2.0
 *
 * A made-up machine: files of /proc and /sys below a directory of the test's own.
 */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include "unit.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/directories.h"

static char tree[32];

/* A new, empty one; others may look into it. */
static inline void tree_make(void)
{
    snprintf(tree, sizeof tree, "tree-XXXXXX");
    assert_non_null(mkdtemp(tree));
    assert_int_equal(chmod(tree, 0755), 0);
}

/* The path below the tree, with the directories that lead to it. */
static inline const char *tree_path(const char *name)
{
    static char path[512], above[512];
    size_t made;
    attn_reason why;
    snprintf(path, sizeof path, "%s%s", tree, name);
    snprintf(above, sizeof above, "%s", path);
    *strrchr(above, '/') = '\0';
    assert_int_equal(directories_make(above, &made, &why), ATTN_OK);
    return path;
}

/* Writes a file anew; the text gets a newline. */
static inline void tree_put(const char *name, const char *text)
{
    FILE *file = fopen(tree_path(name), "w");
    assert_non_null(file);
    assert_true(fprintf(file, "%s\n", text) > 0);
    assert_int_equal(fclose(file), 0);
}

static inline void tree_link(const char *name, const char *target)
{
    const char *path = tree_path(name);
    remove(path);
    assert_int_equal(symlink(target, path), 0);
}

static inline void tree_remove_below(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *e = directory ? readdir(directory) : NULL; e; e = readdir(directory)) {
        char inner[512];
        struct stat status;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%.240s/%.240s", path, e->d_name);
        if (lstat(inner, &status) == 0 && S_ISDIR(status.st_mode))
            tree_remove_below(inner);
        else
            remove(inner);
    }
    if (directory)
        closedir(directory);
    rmdir(path);
}

static inline void tree_remove(void)
{
    tree_remove_below(tree);
}

/* For a group of tests. */
static inline int tree_setup(void **state)
{
    (void)state;
    tree_make();
    return 0;
}

static inline int tree_teardown(void **state)
{
    (void)state;
    tree_remove();
    return 0;
}

#endif
