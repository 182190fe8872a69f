/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of the CPU: arithmetic on made-up readings, reasons, and real ones where there are any.
 */
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <time.h>

#include "harness/counters.h"

static counters_reading reading(uint64_t value, uint64_t enabled_ns, uint64_t running_ns)
{
    counters_reading r = {0};
    r.of[COUNTER_CYCLES].known = true;
    r.of[COUNTER_CYCLES].value = value;
    r.of[COUNTER_CYCLES].enabled_ns = enabled_ns;
    r.of[COUNTER_CYCLES].running_ns = running_ns;
    return r;
}

static void differences(void **state)
{
    (void)state;
    const counters_reading start = reading(100, 1000, 1000), all = reading(700, 2000, 2000),
                           half = reading(700, 2000, 1500), none = reading(100, 2000, 1000);
    assert_true(counters_between(&start, &all, COUNTER_CYCLES) == 600);
    assert_true(counters_between(&start, &half, COUNTER_CYCLES) == 1200); /* took turns */
    assert_true(isnan(counters_between(&start, &none, COUNTER_CYCLES)));  /* never had one */
    assert_true(isnan(counters_between(&start, &all, COUNTER_INSTRUCTIONS)));
}

static void reasons(void **state)
{
    (void)state;
    char text[COUNTERS_TEXT];
    assert_non_null(strstr(counters_reason(EACCES, "4", text), "perf_event_paranoid is 4"));
    assert_non_null(strstr(counters_reason(EPERM, "", text), "perf_event_paranoid is unknown"));
    assert_non_null(strstr(counters_reason(ENOENT, "2", text), "no such counter"));
    assert_non_null(strstr(counters_reason(EOPNOTSUPP, "2", text), "no such counter"));
    assert_non_null(strstr(counters_reason(ENOSYS, "", text), "no perf_event_open"));
}

#define WORK_NS 20000000.0 /* of CPU time */

static void *work(void *unused)
{
    struct timespec now;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((double)now.tv_sec * 1e9 + (double)now.tv_nsec < WORK_NS);
    return unused;
}

/* Threads made later are counted, while they live. Times are CPU time: load does not change it. */
static void threads_are_counted(void **state)
{
    (void)state;
    counters c;
    counters_reading before, after;
    pthread_t thread;
    counters_open(&c);
    assert_true(c.any || c.why.text[0] != '\0');
    for (int kind = 0; kind < COUNTER_KINDS; kind++)
        if (c.file[kind] < 0)
            assert_non_null(strstr(c.why.text, c.any ? counter_name((counter_kind)kind) : "all"));
    if (c.file[COUNTER_TASK_CLOCK] < 0) {
        counters_close(&c);
        NOTHING_TO_TEST(c.why.text);
    }
    counters_read(&c, &before);
    assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    counters_read(&c, &after);
    counters_close(&c);
    for (int kind = 0; kind < COUNTER_KINDS; kind++)
        if (c.file[kind] < 0)
            assert_true(isnan(counters_between(&before, &after, (counter_kind)kind)));
    assert_true(counters_between(&before, &after, COUNTER_TASK_CLOCK) > 0.5 * WORK_NS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences),
        cmocka_unit_test(reasons),
        cmocka_unit_test(threads_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
