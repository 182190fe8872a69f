/* SPDX-License-Identifier: Apache-2.0
 *
 * What is taken out of a run before it is published, and what stays.
 */
#include "tests/unit.h"

#include <stdlib.h>

#include "harness/report/strip.h"

static void paths(void **state)
{
    static const struct {
        const char *before, *after;
        strip_kind kind;
    } cases[] = {
        {"no /sys/devices/system/cpu/cpu*/cpufreq", "no /sys/devices/system/cpu/cpu*/cpufreq",
         STRIP_PROSE},
        {"/usr/lib, /usr/lib64/x.so; '/usr/share/vulkan/icd.d'",
         "/usr/lib, /usr/lib64/x.so; '/usr/share/vulkan/icd.d'", STRIP_PROSE},
        {"/proc/self, /dev/dri/renderD128, /etc/os-release, /lib/x.so, /usr/bin/qemu",
         "/proc/self, /dev/dri/renderD128, /etc/os-release, /lib/x.so, /usr/bin/qemu", STRIP_PROSE},
        {"/tmp/a/x /work/b/y /opt/c/z /dev/shm/d/w", "x y z w", STRIP_PROSE},
        {"/usr/local/lib/x.so /library/a/y /usr/libexec/z /system/w", "x.so y z w", STRIP_PROSE},
        {"/usr/lib/../../srv/jane/x, /proc/7/root/home/jane/y", "x, y", STRIP_PROSE},
        {"/usr/lib/x.so of /home/jane/y", "/usr/lib/x.so of y", STRIP_PROSE},
        {"-I/usr/lib/x/include -I/home/jane/include", "-I/usr/lib/x/include -Iinclude",
         STRIP_PROSE},
        {"yes: /.dockerenv", "yes: .dockerenv", STRIP_PROSE},
        {"run by /home/jane/qemu/qemu-x86_64", "run by qemu-x86_64", STRIP_PROSE},
        {"cannot open '/home/jane/a b/x.comp': no", "cannot open 'x.comp': no", STRIP_PROSE},
        {"/home/jane doe/my runs/x.comp:12: error", "x.comp:12: error", STRIP_PROSE},
        {"-O3 -I/opt/jane/include -fmap=/home/jane=.", "-O3 -Iinclude -fmap=jane=.", STRIP_PROSE},
        {"8.4 GB/s of vk0/avx2_* at 3 / 4", "8.4 GB/s of vk0/avx2_* at 3 / 4", STRIP_PROSE},
        {"neither cpufreq/boost nor intel_pstate/no_turbo",
         "neither cpufreq/boost nor intel_pstate/no_turbo", STRIP_PROSE},
        {"see ~/x/y, ~jane/z and ../up/w", "see y, z and w", STRIP_PROSE},
        {"C:\\Users\\jane\\x.comp", "x.comp", STRIP_PROSE},
        {"\\\\server\\share\\x.comp", "x.comp", STRIP_PROSE},
        {"file:///home/jane/x.txt", "file:x.txt", STRIP_PROSE},
        {"by jane@laptop.example.org, <a.b+c@d>", "by (stripped), <(stripped)>", STRIP_PROSE},
        {"Xeon CPU @ 2.30GHz, i7@3.6GHz", "Xeon CPU @ 2.30GHz, i7@3.6GHz", STRIP_PROSE},
        {"/usr/share/a.json:/home/j d/b.json", "/usr/share/a.json:b.json", STRIP_VALUE},
        {"/usr/bin/env /home/jane/x", "x", STRIP_VALUE},
        {"--output=/etc/x", "--output=/etc/x", STRIP_VALUE},
        {"/usr/share/icd.d/lvp_icd.json", "/usr/share/icd.d/lvp_icd.json", STRIP_PATH},
        {"/home/jane/my runs, all/x", "x", STRIP_VALUE},
        {"--output=/home/jane/my runs/x", "--output=x", STRIP_VALUE},
        {"vk0/avx2_*", "vk0/avx2_*", STRIP_VALUE},
        {"h=1,n=256..2048,d=64", "h=1,n=256..2048,d=64", STRIP_VALUE},
        {"{0:4},{4:4}", "{0:4},{4:4}", STRIP_VALUE},
        {"jane/runs/x.comp", "x.comp", STRIP_PATH},
        {"--shader=jane/x.comp", "--shader=x.comp", STRIP_PATH},
        {"x.comp", "x.comp", STRIP_PATH},
        {"a/..", "(stripped)", STRIP_PATH},
        {"/", "/", STRIP_PROSE},
        {"", "", STRIP_PROSE},
        {"", "", STRIP_PATH},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *after = strip_paths(cases[i].before, cases[i].kind);
        assert_non_null(after);
        if (strcmp(after, cases[i].after) != 0)
            fail_msg("'%s' became '%s', not '%s'", cases[i].before, after, cases[i].after);
        free(after);
    }
}

static void names(void **state)
{
    strip s = {.names = NULL};
    (void)state;
    strip_add_name(&s, "jane");
    strip_add_name(&s, "Jane-Laptop");
    strip_add_name(&s, "root");
    strip_add_name(&s, "localhost");
    strip_add_name(&s, "7");
    strip_add_name(&s, "x");
    strip_add_name(&s, "");
    strip_add_name(&s, NULL);
    assert_int_equal(s.name_count, 2);
    char *after = strip_names(&s, "JANE on jane-laptop, janet; jane_m root x7");
    assert_string_equal(after, "(stripped) on (stripped), janet; (stripped)_m root x7");
    free(after);
    strip_free(&s);
}

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, 0, &error);
    if (value == NULL)
        fail_msg("%s: %s", text, error.text);
    return value;
}

/* A header whose every text tells something, and a row. */
static const char header[] =
    "{\"tool\":\"attnmark\",\"time\":\"2026-01-31T12:00:00Z\","
    "\"command\":[\"attnmark bench\",\"--output\",\"janes runs/r1\",null,\"--shader\","
    "\"sub/mine.comp\",\"--kernel\",\"vk0/avx2_*\",\"--define\",\"BY=jane\"],"
    "\"machine\":{\"cpu_model\":\"AMD EPYC\",\"thread_processors\":[\"0-1\",\"0-1\"],"
    "\"system\":{\"release\":\"6.1-jane@tower\"}},"
    "\"doctor\":[{\"id\":\"emulation\",\"found\":\"run by /home/jane/qemu\",\"advice\":null}],"
    "\"build\":{\"flags\":\"-I/home/jane/include\"},"
    "\"devices\":[{\"name\":\"GPU\",\"uuid\":\"ff00\",\"driver\":\"of /opt/x/y.so\"},"
    "{\"name\":\"GPU\",\"uuid\":\"aa11\"}],"
    "\"shaders\":[{\"file\":\"jane/mine.comp\",\"defines\":[\"BY=jane\"]}],"
    "\"environment\":{\"VK_DRIVER_FILES\":\"/home/jane/a.json:/usr/b.json\","
    "\"OMP_PLACES\":\"cores\",\"OMP_NUM_THREADS\":\"2\",\"SLURM_JOB_USER\":\"jdoe\","
    "\"SLURM_SUBMIT_HOST\":\"tower.example.org\",\"SLURM_CPUS_ON_NODE\":\"64\","
    "\"SLURM_JOB_ID\":\"4711\",\"ATTNMARK_TUNING\":\"rel/tuning.json\"},"
    "\"later\":{\"who\":[\"jdoe of /net/tower/x\"]}}";
static const char header_after[] =
    "{\"tool\":\"attnmark\",\"time\":\"2026-01-31T12:00:00Z\","
    "\"command\":[\"attnmark bench\",\"--output\",\"r1\",null,\"--shader\","
    "\"mine.comp\",\"--kernel\",\"vk0/avx2_*\",\"--define\",\"BY=(stripped)\"],"
    "\"machine\":{\"cpu_model\":\"AMD EPYC\",\"thread_processors\":[\"0-1\",\"0-1\"],"
    "\"system\":{\"release\":\"(stripped)\"}},"
    "\"doctor\":[{\"id\":\"emulation\",\"found\":\"run by qemu\",\"advice\":null}],"
    "\"build\":{\"flags\":\"-Iinclude\"},"
    "\"devices\":[{\"name\":\"GPU\",\"uuid\":\"(stripped 1)\",\"driver\":\"of y.so\"},"
    "{\"name\":\"GPU\",\"uuid\":\"(stripped 0)\"}],"
    "\"shaders\":[{\"file\":\"mine.comp\",\"defines\":[\"BY=(stripped)\"]}],"
    "\"environment\":{\"VK_DRIVER_FILES\":\"a.json:b.json\","
    "\"OMP_PLACES\":\"cores\",\"OMP_NUM_THREADS\":\"2\",\"SLURM_JOB_USER\":\"(stripped)\","
    "\"SLURM_SUBMIT_HOST\":\"(stripped)\",\"SLURM_CPUS_ON_NODE\":\"64\","
    "\"SLURM_JOB_ID\":\"(stripped)\",\"ATTNMARK_TUNING\":\"tuning.json\"},"
    "\"later\":{\"who\":[\"(stripped) of x\"]}}";

static void whole_lines(void **state)
{
    strip s = {.names = NULL};
    json_t *line = parse(header), *wanted = parse(header_after);
    json_t *row = parse("{\"kernel\":\"jane_m\",\"device\":\"cpu\",\"reason\":\"tower is down\","
                        "\"workload\":\"n=1\",\"status\":\"error\",\"samples_ns\":[1.5]}");
    (void)state;
    strip_learn(&s, line);
    strip_learn(&s, row);
    assert_true(strip_line(&s, line));
    if (!json_equal(line, wanted))
        fail_msg("%s", json_dumps(line, 0));
    assert_false(strip_line(&s, line)); /* once is enough */
    assert_true(strip_line(&s, row));
    assert_string_equal(json_string_value(json_object_get(row, "reason")), "(stripped) is down");
    assert_string_equal(json_string_value(json_object_get(row, "kernel")), "(stripped)_m");
    assert_string_equal(json_string_value(json_object_get(row, "status")), "error");
    assert_false(s.exhausted);
    assert_int_equal(s.note_count, 19);
    assert_string_equal(s.notes[0].place, "command[2]");
    assert_string_equal(s.notes[0].before, "janes runs/r1");
    assert_string_equal(s.notes[0].after, "r1");
    assert_int_equal(s.notes[0].count, 1);
    json_decref(line);
    json_decref(wanted);
    json_decref(row);
    strip_free(&s);
}

/* A user whose name is a word of the format changes none of it. */
static void own_words_stay(void **state)
{
    strip s = {.names = NULL};
    const char text[] = "{\"kernel\":\"scalar_m\",\"device\":\"cpu\",\"status\":\"ok\","
                        "\"workload\":\"dtype=f32,mask=full\",\"tier\":\"exact\","
                        "\"device_name\":\"AMD EPYC\",\"machine\":{\"cpu_model\":\"AMD EPYC\"}}";
    json_t *row = parse(text), *same = parse(text);
    (void)state;
    strip_add_name(&s, "scalar");
    strip_add_name(&s, "cpu");
    strip_add_name(&s, "full");
    strip_add_name(&s, "ok");
    strip_add_name(&s, "epyc");
    strip_learn(&s, row);
    assert_false(strip_line(&s, row));
    assert_true(json_equal(row, same));
    json_decref(row);
    json_decref(same);
    strip_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths), cmocka_unit_test(names),
                                       cmocka_unit_test(whole_lines),
                                       cmocka_unit_test(own_words_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
