/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a run belongs, whatever its machine calls itself.
 */
#include "tests/unit.h"

#include <stdlib.h>

#include "harness/json_value.h"
#include "harness/report/place.h"

static void slugs(void **state)
{
    static const struct {
        const char *text, *slug;
    } cases[] = {
        {"AMD EPYC 7543", "amd-epyc-7543"},
        {"../../etc/passwd", "etc-passwd"},
        {"..", "unknown"},
        {"", "unknown"},
        {NULL, "unknown"},
        {"<b>\"GPU\"</b> | $(rm -rf /)", "b-gpu-b-rm-rf"},
        {"--a--", "a"},
        {"\xc3\xa4\xff\n\x01", "unknown"},
        {"a\nb", "a-b"},
        {"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmno"},
        {"abcdefghijklmn opq", "abcdefghijklmn"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char slug[16];
        assert_string_equal(place_slug(cases[i].text, slug, sizeof slug), cases[i].slug);
        assert_true(place_is_slug(slug, sizeof slug));
    }
}

static void no_slugs(void **state)
{
    static const char *const cases[] = {"",
                                        "..",
                                        ".",
                                        "a/b",
                                        "A",
                                        "a b",
                                        "-a",
                                        "a-",
                                        "a--b",
                                        "a.b",
                                        "a_b",
                                        "\xc3\xa4",
                                        "0123456789abcdef"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_false(place_is_slug(cases[i], 16));
    assert_true(place_is_slug("0123456789-abcd", 16));
    assert_true(place_is_time("20260131T120000Z"));
    assert_false(place_is_time("20260131T120000"));
    assert_false(place_is_time("20260131T1200/0Z"));
    assert_false(place_is_time(""));
}

/* "vendor/machine/time" of a header; or the reason. */
static const char *place_text(const char *vendor, const char *model, int processors,
                              const char *devices, const char *time)
{
    static char text[256];
    attn_reason why;
    place p;
    json_t *header = json_pack("{s:o,s:o,s:o}", "machine", json_object(), "devices",
                               json_loads(devices, 0, NULL), "time", json_value_text(time));
    json_t *machine = json_object_get(header, "machine");
    json_object_set_new(machine, "cpu_vendor", json_value_text(vendor));
    json_object_set_new(machine, "cpu_model", json_value_text(model));
    json_object_set_new(machine, "processors", json_integer(processors));
    if (place_of(header, &p, &why) == ATTN_OK)
        snprintf(text, sizeof text, "%s/%s/%s", p.vendor, p.machine, p.time);
    else
        snprintf(text, sizeof text, "%s", why.text);
    json_decref(header);
    return text;
}

static void places(void **state)
{
    static const char none[] = "[]", time[] = "2026-01-31T12:34:56Z";
    static const char both[] = "[{\"name\":\"llvmpipe\",\"software\":true},"
                               "{\"name\":\"NVIDIA L4 (24 GiB)\",\"software\":false}]";
    (void)state;
    assert_string_equal(place_text("AMD", "AMD EPYC", 2, none, time),
                        "amd/epyc-2cpu-software/20260131T123456Z");
    assert_string_equal(place_text("", "AMD EPYC", 2, none, time),
                        "amd/epyc-2cpu-software/20260131T123456Z");
    assert_string_equal(
        place_text("Intel", "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", 28, both, time),
        "intel/xeon-e5-2680-v4-28cpu-nvidia-l4-24-gib/20260131T123456Z");
    assert_string_equal(place_text("Arm", "CPU implementer 0x41 part 0xd0c", 4, none, time),
                        "arm/implementer-0x41-part-0xd0c-4cpu-software/20260131T123456Z");
    assert_string_equal(place_text("", "../..", 0, none, time),
                        "unknown/unknown-software/20260131T123456Z");
    assert_string_equal(place_text("AMD", "AMD", 1, none, time),
                        "amd/amd-1cpu-software/20260131T123456Z");
    assert_non_null(strstr(place_text("AMD", "x", 1, none, "../../../x"), "time: want"));
    assert_non_null(strstr(place_text("AMD", "x", 1, none, ""), "time: want"));
}

static void longest(void **state)
{
    char name[301], text[400];
    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "[{\"name\":\"%s\",\"software\":false}]", name);
    const char *where = place_text(name, name, 99999, text, "2026-01-31T12:34:56Z");
    assert_true(strlen(where) < PLACE_VENDOR + PLACE_MACHINE + PLACE_TIME);
    assert_non_null(strstr(where, "/20260131T123456Z"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slugs), cmocka_unit_test(no_slugs),
                                       cmocka_unit_test(places), cmocka_unit_test(longest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
