/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of runs: those of one machine are told apart by what they differ in, and by no more.
 */
#include "tests/unit.h"

#include "harness/report/data.h"

enum { RUNS = 4 };

typedef struct made_run {
    const char *device, *driver, *compiler, *time; /* device NULL: the CPU */
} made_run;

/* One row of each run, on its device. */
static void check(const made_run *made, size_t count, const char *const *wanted)
{
    run_file runs[RUNS] = {{0}};
    result_row rows[RUNS] = {{0}};
    for (size_t i = 0; i < count; i++) {
        result_row_init(&rows[i]);
        rows[i].device = made[i].device != NULL ? "vk0" : "cpu";
        rows[i].device_name = made[i].device != NULL ? made[i].device : "C";
        runs[i] = (run_file){.rows = &rows[i], .count = 1};
        runs[i].header =
            json_pack("{s:{s:s,s:i},s:{s:s},s:s,s:[{s:s,s:s?}]}", "machine", "cpu_model", "C",
                      "processors", 1, "build", "compiler", made[i].compiler, "time", made[i].time,
                      "devices", "selector", "vk0", "driver", made[i].driver);
        assert_non_null(runs[i].header);
    }
    json_t *names = data_names(runs, count);
    assert_int_equal(json_array_size(names), count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(json_string_value(json_array_get(names, i)), wanted[i]);
        json_decref(runs[i].header);
        result_row_free(&rows[i]);
    }
    json_decref(names);
}

static void by_compiler_and_time(void **state)
{
    static const made_run runs[] = {{NULL, NULL, "gcc 12.2.0", "2026-11-30T10:00:00Z"},
                                    {NULL, NULL, "clang 14", "2026-11-30T11:00:00Z"},
                                    {NULL, NULL, "clang 14", "2026-11-30T10:00:00Z"}};
    static const char *const names[] = {"C (1 CPU), gcc 12.2.0",
                                        "C (1 CPU), clang 14, 2026-11-30T11:00:00Z",
                                        "C (1 CPU), clang 14, 2026-11-30T10:00:00Z"};
    (void)state;
    check(runs, 3, names);
}

/* The compiler of the CPU's run tells nothing about those of the device. */
static void by_device_and_driver(void **state)
{
    static const made_run runs[] = {{"G", "Mesa 22", "gcc", "2026-11-30T10:00:00Z"},
                                    {"G", "Mesa 25", "gcc", "2026-11-30T10:00:00Z"},
                                    {"G", NULL, "gcc", "2026-11-30T10:00:00Z"},
                                    {NULL, "Mesa 25", "clang", "2026-11-30T10:00:00Z"}};
    static const char *const names[] = {"C (1 CPU), G, Mesa 22", "C (1 CPU), G, Mesa 25",
                                        "C (1 CPU), G", "C (1 CPU)"};
    (void)state;
    check(runs, 4, names);
}

static void check_short(size_t count, const char *const *names, const char *const *wanted)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(names[i]));
    json_t *found = data_short_names(list);
    assert_int_equal(json_array_size(found), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(json_string_value(json_array_get(found, i)), wanted[i]);
    json_decref(found);
    json_decref(list);
}

/* Names of devices have commas, too, and what differs in them comes late. */
static void in_short(void **state)
{
#define LONG "a machine whose name is longer than there is room for"
    static const char *const names[] = {
        "C (2 CPUs), clang 14", "C (2 CPUs), pipe (LLVM 15.0.6, 256 bits), Mesa pipe 25.0.7",
        "C (2 CPUs), pipe (LLVM 15.0.6, 256 bits), Mesa pipe 22.3.6", "C (2 CPUs), G"};
    static const char *const short_names[] = {"clang 14", "Mesa pipe 25.0.7", "Mesa pipe 22.3.6",
                                              "G"};
    static const char *const machines[] = {"A, gcc", "A, clang", "B"};
    static const char *const alike[] = {LONG ", gcc", LONG ", clang", "B, gcc"};
    static const char *const told[] = {"gcc", "clang", "B, gcc"};
    static const char *const pairs[] = {"1" LONG ", gcc", "1" LONG ", clang", "2" LONG ", gcc",
                                        "2" LONG ", clang"};
    (void)state;
    check_short(4, names, short_names);
    check_short(3, alike, told);
    check_short(3, machines, machines);
    check_short(4, pairs, pairs);
    check_short(1, names, names);
}

static void by_number(void **state)
{
    static const made_run runs[] = {{NULL, NULL, "gcc", "2026-11-30T10:00:00Z"},
                                    {NULL, NULL, "gcc", "2026-11-30T10:00:00Z"}};
    static const char *const names[] = {"C (1 CPU), run 1", "C (1 CPU), run 2"};
    (void)state;
    check(runs, 2, names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_compiler_and_time),
                                       cmocka_unit_test(by_device_and_driver),
                                       cmocka_unit_test(by_number), cmocka_unit_test(in_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
