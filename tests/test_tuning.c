/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuned sizes: whom a choice is for, and the file that holds them.
 */
#include "unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/tuning.h"

static char scratch[] = "tuning-test-XXXXXX";
static char path[64];

static int make_scratch(void **state)
{
    (void)state;
    if (!mkdtemp(scratch))
        return -1;
    snprintf(path, sizeof path, "%s/deep/down/tuning.json", scratch);
    return 0;
}

static int remove_scratch(void **state)
{
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    return system(command);
}

static gpu_device_info device(const char *uuid, uint32_t driver_id)
{
    gpu_device_info info = {.driver_id = driver_id, .driver_version = 7};
    snprintf(info.uuid, sizeof info.uuid, "%s", uuid);
    snprintf(info.name, sizeof info.name, "Card \"%s\"", uuid);
    snprintf(info.driver, sizeof info.driver, "driver %u", (unsigned)driver_id);
    return info;
}

static gpu_choice choice_of(const char *kernel, const char *workload, gpu_size size, double gflops)
{
    const attn_workload w = parse_workload(workload);
    gpu_choice choice = {
        .class = gpu_class_of(&w), .size = size, .median_ns = 1e3 / 3, .gflops = gflops};
    snprintf(choice.kernel, sizeof choice.kernel, "%s", kernel);
    attn_workload_format(&w, choice.workload);
    return choice;
}

static void set(gpu_tuning *tuning, const gpu_device_info *info, gpu_choice choice)
{
    gpu_tuned *tuned = tuning_entry(tuning, info);
    assert_non_null(tuned);
    assert_true(tuning_set(tuned, &choice));
    gpu_tuned_mark_best(tuned);
}

static void check_class(const char *text, uint32_t head, bool few)
{
    const attn_workload w = parse_workload(text);
    const gpu_class class = gpu_class_of(&w);
    if (class.head != head || class.few != few)
        fail_msg("%s: head %u, few %d", text, (unsigned)class.head, class.few);
}

static void workloads_have_classes(void **state)
{
    (void)state;
    check_class("h=1,n=64,d=1", 64, false);
    check_class("h=1,n=63,d=64", 64, true);
    check_class("h=1,n=64,d=65", 128, false);
    check_class("h=1,n=64,d=8,dv=128", 128, false);
    check_class("h=1,n=64,d=129,dv=8", 256, false);
    check_class("h=32,hk=8,n=15,d=256", 256, true);
    check_class("h=32,hk=8,n=16,d=256", 256, false);
}

/* Of the size at hand a file may say so, and `tune` can keep it. */
static void sizes_of_the_rows_are_candidates(void **state)
{
    (void)state;
    for (size_t i = 0; i < gpu_row_count; i++) {
        const gpu_row *row = &gpu_rows[i];
        attn_reason why = {""};
        const gpu_choice choice =
            choice_of(row->kernel, "n=64", (gpu_size){row->local_x, row->local_y, row->rows}, 1);
        if (gpu_choice_check(&choice, &why) != ATTN_OK)
            fail_msg("%s", why.text);
    }
}

static void sizes_stay_within_their_plans(void **state)
{
    (void)state;
    for (size_t i = 0; i < gpu_plan_kind_count; i++) {
        const gpu_plan_kind *kind = &gpu_plan_kinds[i];
        for (size_t s = 0; s < GPU_PLAN_SIZES && kind->sizes[s].local_x > 0; s++)
            assert_true(kind->sizes[s].local_x <= kind->most_x &&
                        kind->sizes[s].local_y <= kind->most_y &&
                        kind->sizes[s].rows <= kind->most_rows);
    }
}

static void choices_are_found_by_device_kernel_and_class(void **state)
{
    (void)state;
    gpu_tuning tuning = {NULL, 0};
    const gpu_device_info a = device("aa", 1), other = device("aa", 2), b = device("bb", 1);
    const attn_workload many = parse_workload("n=100,d=40"), few = parse_workload("n=1,m=100,d=40");
    assert_null(gpu_tuning_device(NULL, &a));
    assert_null(gpu_tuning_device(&tuning, &a));
    assert_null(gpu_tuning_find(NULL, "vk_rows_m", &many));
    set(&tuning, &a, choice_of("vk_rows_m", "n=64", (gpu_size){32, 1, 1}, 1));
    set(&tuning, &other, choice_of("vk_rows_m", "n=64", (gpu_size){128, 1, 1}, 1));
    assert_null(gpu_tuning_device(&tuning, &b));
    const gpu_tuned *tuned = gpu_tuning_device(&tuning, &a);
    const gpu_choice *found = gpu_tuning_find(tuned, "vk_rows_m", &many);
    assert_non_null(found);
    assert_int_equal(found->size.local_x, 32);
    assert_null(gpu_tuning_find(tuned, "vk_rows_m", &few));
    assert_null(gpu_tuning_find(tuned, "vk_rows_f", &many));
    assert_int_equal(
        gpu_tuning_find(gpu_tuning_device(&tuning, &other), "vk_rows_m", &many)->size.local_x, 128);
    tuning_free(&tuning);
}

static bool best(const gpu_tuning *tuning, const gpu_device_info *info, const char *kernel,
                 const char *workload)
{
    const attn_workload w = parse_workload(workload);
    const gpu_choice *choice = gpu_tuning_find(gpu_tuning_device(tuning, info), kernel, &w);
    assert_non_null(choice);
    return choice->best;
}

static void the_fastest_kernel_of_a_contract_and_class_is_best(void **state)
{
    (void)state;
    gpu_tuning tuning = {NULL, 0};
    const gpu_device_info a = device("aa", 1);
    const gpu_size flat = {64, 1, 1}, square = {16, 16, 4};
    set(&tuning, &a, choice_of("vk_rows_m", "n=64", flat, 5));
    set(&tuning, &a, choice_of("vk_rows_f", "n=64", flat, 9));
    set(&tuning, &a, choice_of("vk_tile_64_m", "n=64", square, 6));
    set(&tuning, &a, choice_of("vk_tile_64_m", "n=1", square, 4));
    assert_false(best(&tuning, &a, "vk_rows_m", "n=64"));
    assert_true(best(&tuning, &a, "vk_rows_f", "n=64"));
    assert_true(best(&tuning, &a, "vk_tile_64_m", "n=64"));
    assert_true(best(&tuning, &a, "vk_tile_64_m", "n=1"));
    set(&tuning, &a, choice_of("vk_rows_m", "n=64", flat, 7)); /* replaces the first */
    assert_true(best(&tuning, &a, "vk_rows_m", "n=64"));
    assert_false(best(&tuning, &a, "vk_tile_64_m", "n=64"));
    assert_int_equal(tuning.devices[0].count, 4);
    tuning_free(&tuning);
}

static void other_drivers_and_shaders_put_choices_out_of_date(void **state)
{
    (void)state;
    char text[TUNING_TEXT];
    gpu_tuning tuning = {NULL, 0};
    gpu_device_info a = device("aa", 1);
    assert_string_equal(tuning_text(&tuning, &a, text), "none");
    set(&tuning, &a, choice_of("vk_rows_m", "n=64", (gpu_size){32, 1, 1}, 1));
    set(&tuning, &a, choice_of("vk_rows_m", "n=1", (gpu_size){32, 1, 1}, 1));
    assert_non_null(strstr(tuning_text(&tuning, &a, text), "2 choices of 20"));
    tuning.devices[0].shaders[0] ^= 1;
    assert_null(gpu_tuning_device(&tuning, &a));
    assert_string_equal(tuning_text(&tuning, &a, text), "out of date: other shaders");
    tuning.devices[0].shaders[0] ^= 1;
    a.driver_version++;
    assert_null(gpu_tuning_device(&tuning, &a));
    assert_string_equal(tuning_text(&tuning, &a, text), "out of date: other driver");
    a.driver_version--;
    snprintf(a.driver, sizeof a.driver, "driver 1, compiler 2");
    assert_string_equal(tuning_text(&tuning, &a, text), "out of date: other driver");
    set(&tuning, &a, choice_of("vk_rows_f", "n=64", (gpu_size){64, 1, 1}, 1));
    assert_int_equal(tuning.count, 1); /* in place of what no longer held */
    assert_non_null(strstr(tuning_text(&tuning, &a, text), "1 choice of 20"));
    tuning_free(&tuning);
}

static void read_back(gpu_tuning *tuning)
{
    attn_reason why = {""};
    if (tuning_read(path, tuning, &why) != ATTN_OK)
        fail_msg("%s", why.text);
}

static void files_read_back_as_written(void **state)
{
    (void)state;
    attn_reason why = {""};
    gpu_tuning tuning = {NULL, 0}, read;
    const gpu_device_info a = device("aa", 1), b = device("bb", 0);
    read_back(&read); /* there is none yet */
    assert_int_equal(read.count, 0);
    set(&tuning, &b, choice_of("vk_rows_m", "h=1,n=70,d=9", (gpu_size){256, 1, 1}, 0.25));
    tuning.devices[0].driver[0] = '\0'; /* there are drivers without a name */
    set(&tuning, &a, choice_of("vk_tile_64_m", "n=64", (gpu_size){8, 16, 4}, 5));
    set(&tuning, &a, choice_of("vk_rows_m", "n=64", (gpu_size){64, 1, 1}, 4));
    assert_int_equal(tuning_write(path, &tuning, &why), ATTN_OK);
    read_back(&read);
    assert_int_equal(read.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const gpu_tuned *wrote = &tuning.devices[i], *got = &read.devices[i];
        assert_string_equal(wrote->uuid, got->uuid);
        assert_string_equal(wrote->name, got->name);
        assert_string_equal(wrote->driver, got->driver);
        assert_string_equal(wrote->shaders, got->shaders);
        assert_string_equal(wrote->time, got->time);
        assert_int_equal(wrote->driver_id, got->driver_id);
        assert_int_equal(wrote->driver_version, got->driver_version);
        assert_int_equal(wrote->count, got->count);
        for (size_t c = 0; c < wrote->count; c++) {
            const gpu_choice *x = &wrote->choices[c], *y = &got->choices[c];
            assert_string_equal(x->kernel, y->kernel);
            assert_string_equal(x->workload, y->workload);
            assert_true(gpu_class_equal(x->class, y->class) && x->best == y->best);
            assert_memory_equal(&x->size, &y->size, sizeof x->size);
            assert_true(y->median_ns > 333.33 && y->median_ns < 333.34 && x->gflops == y->gflops);
        }
    }
    tuning_free(&tuning);
    /* One device is tuned again: the other's choices stay. */
    set(&read, &a, choice_of("vk_rows_m", "n=64", (gpu_size){128, 1, 1}, 8));
    assert_int_equal(tuning_write(path, &read, &why), ATTN_OK);
    tuning_free(&read);
    read_back(&read);
    assert_int_equal(read.devices[0].choices[0].size.local_x, 256);
    assert_int_equal(read.devices[1].choices[1].size.local_x, 128);
    assert_true(read.devices[1].choices[1].best && !read.devices[1].choices[0].best);
    tuning_free(&read);
}

#define CHOICE(head, x)                                                                            \
    "{\"kernel\":\"vk_rows_m\",\"head\":" head ",\"few\":false,\"local_x\":" x                     \
    ",\"local_y\":1,\"rows\":1,\"workload\":\"n=64\",\"median_ns\":5,\"gflops\":1.5}"
#define DEVICE(time, choices)                                                                      \
    "{\"uuid\":\"aa\",\"name\":\"\",\"driver_id\":1,\"driver\":\"\",\"driver_version\":7,"         \
    "\"shaders\":\"%s\",\"time\":\"" time "\",\"choices\":[" choices "]}"
#define WHOLE(devices) "{\"format_version\":1,\"tool_version\":\"0\",\"devices\":[" devices "]}"
#define TIME           "2026-01-31T12:00:00Z"

/* As the file, with the digest of our shaders, or of others, for "%s". */
static attn_status read_text(const char *text, const char *shaders, attn_reason *why)
{
    char file[64];
    gpu_tuning tuning;
    snprintf(file, sizeof file, "%s/text.json", scratch);
    FILE *stream = fopen(file, "w");
    const char *mark = strstr(text, "%s");
    assert_non_null(stream);
    fprintf(stream, "%.*s%s%s", mark ? (int)(mark - text) : (int)strlen(text), text,
            mark ? shaders : "", mark ? mark + 2 : "");
    assert_int_equal(fclose(stream), 0);
    const attn_status status = tuning_read(file, &tuning, why);
    if (status != ATTN_OK && !strstr(why->text, "text.json: tuning: "))
        fail_msg("the file is not named: %s", why->text);
    tuning_free(&tuning);
    return status;
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "end of file"},
        {"[]", "malformed"},
        {"{\"format_version\":1,", "string"},
        {"{\"format_version\":2,\"new\":1}", "format version 2"},
        {"{\"format_version\":1,\"tool_version\":\"0\"}", "devices"},
        {"{\"format_version\":1,\"tool_version\":\"0\",\"devices\":{}}", "array"},
        {"{\"format_version\":1,\"tool_version\":\"0\",\"devices\":[],\"more\":1}", "more"},
        {WHOLE("1"), "malformed"},
        {WHOLE("{\"uuid\":\"aa\"}"), "malformed"},
        {WHOLE(DEVICE("yesterday", "")), "time"},
        {WHOLE(DEVICE(TIME, "7")), "malformed"},
        {WHOLE(DEVICE(TIME, CHOICE("65", "64"))), "head"},
        {WHOLE(DEVICE(TIME, CHOICE("64", "-1"))), "out of range"},
        {WHOLE(DEVICE(TIME, CHOICE("64", "4294967296"))), "out of range"},
        {WHOLE(DEVICE(TIME, CHOICE("64", "1.5"))), "malformed"},
        {WHOLE(DEVICE(TIME, CHOICE("64", "65"))), "none of its sizes"},
        {WHOLE(DEVICE(TIME, CHOICE("64", "64") "," CHOICE("64", "32"))), "two choices"},
    };
    attn_reason why;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        why.text[0] = '\0';
        const attn_status status = read_text(cases[i].text, gpu_shaders_digest().hex, &why);
        if (status != ATTN_ERROR || !strstr(why.text, cases[i].says))
            fail_msg("%s: '%s' does not say '%s'", cases[i].text, why.text, cases[i].says);
    }
    assert_int_equal(
        read_text(WHOLE(DEVICE(TIME, CHOICE("64", "64"))), gpu_shaders_digest().hex, &why),
        ATTN_OK);
    /* What other shaders can do is not known here. */
    assert_int_equal(read_text(WHOLE(DEVICE(TIME, CHOICE("64", "65"))), "00", &why), ATTN_OK);
}

static void places_without_a_file_are_refused(void **state)
{
    (void)state;
    char below[128], beside[128];
    gpu_tuning tuning = {NULL, 0};
    attn_reason why = {""};
    struct stat status;
    snprintf(below, sizeof below, "%s/plain/tuning.json", scratch);
    snprintf(beside, sizeof beside, "%s/plain", scratch);
    assert_int_equal(tuning_writable(below, &why), ATTN_OK);
    assert_int_not_equal(stat(beside, &status), 0); /* and nothing was left */
    FILE *file = fopen(beside, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(tuning_writable(below, &why), ATTN_ERROR);
    assert_int_equal(tuning_write(below, &tuning, &why), ATTN_ERROR);
    assert_int_equal(tuning_read(scratch, &tuning, &why), ATTN_ERROR);
    assert_non_null(strstr(why.text, "not a regular file"));
}

static void check_path(const char *own, const char *config, const char *home, const char *want)
{
    const char *const names[] = {"ATTNMARK_TUNING", "XDG_CONFIG_HOME", "HOME"};
    const char *const values[] = {own, config, home};
    char place[TUNING_PATH];
    const char *file;
    attn_reason why;
    for (int i = 0; i < 3; i++)
        assert_int_equal(values[i] ? setenv(names[i], values[i], 1) : unsetenv(names[i]), 0);
    assert_int_equal(tuning_path(place, &file, &why), ATTN_OK);
    assert_string_equal(file ? file : "no file", want);
}

static void the_environment_says_where_the_file_is(void **state)
{
    (void)state;
    check_path("own.json", "/config", "/home", "own.json");
    check_path("none", "/config", "/home", "no file");
    check_path("", "/config", "/home", "/config/attnmark/tuning.json");
    check_path(NULL, "relative", "/home", "/home/.config/attnmark/tuning.json");
    check_path(NULL, NULL, "/home", "/home/.config/attnmark/tuning.json");
    check_path(NULL, NULL, NULL, "no file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workloads_have_classes),
        cmocka_unit_test(sizes_of_the_rows_are_candidates),
        cmocka_unit_test(sizes_stay_within_their_plans),
        cmocka_unit_test(choices_are_found_by_device_kernel_and_class),
        cmocka_unit_test(the_fastest_kernel_of_a_contract_and_class_is_best),
        cmocka_unit_test(other_drivers_and_shaders_put_choices_out_of_date),
        cmocka_unit_test(files_read_back_as_written),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(places_without_a_file_are_refused),
        cmocka_unit_test(the_environment_says_where_the_file_is),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
