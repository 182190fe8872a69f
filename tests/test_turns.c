/* SPDX-License-Identifier: Apache-2.0
 *
 * Two processes that take turns: who is at work when. Each writes a letter to one pipe.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/turns.h"

/* What each of the two processes does: rounds of so many samples; 0: no more rounds. */
typedef struct plan {
    unsigned first[4], second[4];
} plan;

static void work(turns *t, char name, const unsigned *rounds, int log)
{
    uint64_t position = 1;
    turns_meet(t, position);
    for (int r = 0; r < 4 && rounds[r] > 0; r++) {
        position++;
        for (unsigned i = 0; i < rounds[r]; i++) {
            turns_sample(t, position);
            if (write(log, &name, 1) != 1)
                _exit(1);
        }
    }
    turns_meet(t, 100);
    if (write(log, name == 'A' ? "a" : "b", 1) != 1)
        _exit(1);
}

/* The letters in the order of time. */
static const char *letters(const plan *p)
{
    static char text[64];
    attn_reason why;
    char *directory = NULL;
    int there[2], back[2], log[2];
    size_t length = 0;
    assert_true(pipe(there) == 0 && pipe(back) == 0 && pipe(log) == 0);
    turns t = {.from = back[0], .to = there[1], .id = "1"};
    const pid_t child = fork();
    if (child == 0) {
        close(there[1]);
        close(back[0]);
        snprintf(text, sizeof text, "%d %d abc some where", there[0], back[1]);
        setenv("ATTNMARK_TURN", text, 1);
        if (turns_open(&t, "ignored", &directory, &why) != ATTN_OK ||
            strcmp(directory, "some where") != 0 || getenv("ATTNMARK_TURN") != NULL ||
            turns_begin(&t, 0, NULL, directory, &why) != ATTN_OK)
            _exit(1);
        work(&t, 'B', p->second, log[1]);
        _exit(turns_end(&t));
    }
    close(there[0]);
    close(back[1]);
    uint64_t hello;
    assert_int_equal(read(t.from, &hello, sizeof hello), sizeof hello);
    work(&t, 'A', p->first, log[1]);
    t.process = child;
    assert_int_equal(turns_end(&t), 0);
    close(log[1]);
    for (ssize_t got = 1; got > 0 && length < sizeof text - 1; length += (size_t)got)
        got = read(log[0], text + length, sizeof text - 1 - length);
    close(log[0]);
    text[length] = '\0';
    return text;
}

static void samples_follow_each_other(void **state)
{
    (void)state;
    if (getenv("MESON_EXE_WRAPPER")) /* a child of a process under an emulator may hang */
        return;
    /* Each round begins with the one that ended the round before, so that both lead as often. */
    assert_string_equal(letters(&(plan){{1, 1, 1, 1}, {1, 1, 1, 1}}), "ABBAABBAba");
    assert_string_equal(letters(&(plan){{2, 2, 2, 0}, {2, 2, 2, 0}}), "ABABBABAABABab");
}

/* The rounds stay together where one has fewer rows, and the other goes on alone. */
static void unequal_sides(void **state)
{
    (void)state;
    if (getenv("MESON_EXE_WRAPPER"))
        return;
    const char *text = letters(&(plan){{1, 1, 0, 0}, {3, 3, 3, 3}});
    assert_int_equal(strlen(text), 2 + 12 + 2);
    assert_true(strchr(text, 'a') > strrchr(text, 'B')); /* waits for the last sample of B */
    assert_true(strrchr(text, 'A') - text < 9);          /* before the third round of B */
}

static void alone(void **state)
{
    (void)state;
    attn_reason why;
    char *directory = NULL;
    turns t;
    unsetenv("ATTNMARK_TURN");
    assert_int_equal(turns_open(&t, NULL, &directory, &why), ATTN_OK);
    assert_int_equal(turns_begin(&t, 0, NULL, "x", &why), ATTN_OK);
    assert_string_equal(t.id, "");
    turns_meet(&t, 1);
    turns_sample(&t, 2);
    turns_meet(&t, 3);
    assert_int_equal(turns_end(&t), 0);
}

static void a_stray_variable(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x", "0 1 xyz dir", "998 999 abc dir", "0 1 abc"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        attn_reason why;
        char *directory = NULL;
        turns t;
        setenv("ATTNMARK_TURN", texts[i], 1);
        assert_int_equal(turns_open(&t, NULL, &directory, &why), ATTN_ERROR);
        assert_non_null(strstr(why.text, "--against"));
    }
    unsetenv("ATTNMARK_TURN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_follow_each_other),
        cmocka_unit_test(unequal_sides),
        cmocka_unit_test(alone),
        cmocka_unit_test(a_stray_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
