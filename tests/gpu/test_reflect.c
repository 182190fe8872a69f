/* SPDX-License-Identifier: Apache-2.0
 *
 * The shaders inside the program keep to the interface; each change that breaks it is named.
 */
#include "tests/unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "gpu/reflect.h"
#include "gpu/shared.h"
#include "gpu/spirv.h"
#include "shaders/interface.h"

enum { SUBGROUP_BASIC = 1, SUBGROUP_SHUFFLE = 16 }; /* of VkSubgroupFeatureFlags */
enum { BINDING = 33, DESCRIPTOR_SET, SPEC_ID = 1, FLOAT64 = 10 };

static void our_shaders_keep_to_the_interface(void **state)
{
    (void)state;
    attn_reason why;
    gpu_needs needs;
    for (size_t i = 0; i < shader_module_count; i++)
        if (gpu_reflect(&shader_modules[i], &needs, &why) != ATTN_OK)
            fail_msg("%s: %s", shader_modules[i].name, why.text);
    assert_int_equal(gpu_reflect(shader_module_find("tile_m"), &needs, &why), ATTN_OK);
    assert_int_equal(needs.subgroup, 0);
    assert_false(needs.texels);
    assert_int_equal(gpu_reflect(shader_module_find("lanes_x"), &needs, &why), ATTN_OK);
    assert_int_equal(needs.subgroup, SUBGROUP_BASIC | SUBGROUP_SHUFFLE);
    assert_true(needs.texels);
    assert_null(shader_module_find("nothing_m"));
}

/* Sets word `put` of the first instruction whose word 0 is of this operation and whose word `index`
 * is `is` (or any, for index 0). */
typedef struct change {
    uint32_t op, index, is, put, value;
    const char *says;
} change;

static void make_change(uint32_t *words, size_t count, const change *c)
{
    for (size_t at = SPIRV_HEADER_WORDS; at < count; at += words[at] >> 16)
        if ((words[at] & 0xffff) == c->op && (c->index == 0 || words[at + c->index] == c->is)) {
            words[at + c->put] = c->value;
            return;
        }
    fail_msg("nothing to change for '%s'", c->says);
}

static void broken_interfaces_are_named(void **state)
{
    (void)state;
    static const change changes[] = {
        {SPIRV_CAPABILITY, 0, 0, 1, FLOAT64, "uses double (SPIR-V capability 10)"},
        {SPIRV_CAPABILITY, 0, 0, 1, 5345, "uses a feature (SPIR-V capability 5345)"},
        {SPIRV_EXT_INST_IMPORT, 0, 0, 2, 0x4c5347, "uses the SPIR-V extension GSL"},
        {SPIRV_ENTRY_POINT, 0, 0, 1, 4, "no compute shader: its entry point is main"},
        {SPIRV_ENTRY_POINT, 0, 0, 3, 0x61616161, "no compute shader: its entry point is aaaa"},
        {SPIRV_DECORATE, 2, BINDING, 3, 9, "uses binding 9: the interface has 0 to 7"},
        {SPIRV_DECORATE, 2, BINDING, 3, 7, "binding 7 is not a buffer"},
        {SPIRV_DECORATE, 2, BINDING, 2, SPEC_ID, "uses binding 4294967295"},
        {SPIRV_DECORATE, 2, DESCRIPTOR_SET, 3, 2, "uses set 2: the interface has set 0 only"},
        {SPIRV_SPEC_CONSTANT_COMPOSITE, 0, 0, 3, 1, "local_size_x_id"},
        {SPIRV_SPEC_CONSTANT_COMPOSITE, 0, 0, 4, 1, "local_size_x_id"},
        {SPIRV_SPEC_CONSTANT_COMPOSITE, 0, 0, 5, 1, "local_size_x_id"},
        {SPIRV_VARIABLE, 3, SPIRV_STORAGE_BUFFER, 3, SPIRV_UNIFORM, "no uniform blocks"},
        {SPIRV_VARIABLE, 3, SPIRV_STORAGE_BUFFER, 3, SPIRV_UNIFORM_CONSTANT, "utextureBuffer only"},
        {SPIRV_VARIABLE, 3, SPIRV_STORAGE_BUFFER, 3, SPIRV_PUSH_CONSTANT, "without a fixed size"},
        {SPIRV_VARIABLE, 3, SPIRV_STORAGE_BUFFER, 3, 11, "storage class 11"},
        {SPIRV_VARIABLE, 3, SPIRV_PUSH_CONSTANT, 3, SPIRV_STORAGE_BUFFER, "uses set 4294967295"},
        {SPIRV_MEMBER_DECORATE, 3, 35, 4, 196, "push constants of 200 bytes: the interface has"},
    };
    const shader_module *whole = shader_module_find("naive_m");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        attn_reason why;
        gpu_needs needs;
        uint32_t *words = malloc(whole->bytes);
        assert_non_null(words);
        memcpy(words, whole->words, whole->bytes);
        make_change(words, whole->bytes / 4, &changes[i]);
        const shader_module changed = {"changed", words, whole->bytes};
        const attn_status status = gpu_reflect(&changed, &needs, &why);
        free(words);
        if (status != ATTN_ERROR || !strstr(why.text, changes[i].says))
            fail_msg("want '%s', got '%s'", changes[i].says, status ? why.text : "ok");
    }
}

/* Whatever the words, an answer: every prefix, and every word of the beginning overwritten. */
static void damaged_words_do_no_harm(void **state)
{
    (void)state;
    static const uint32_t values[] = {0, 1, 0x7fffffff, 0xffffffff, 0x00010011, 0xffff0047};
    const shader_module *whole = shader_module_find("naive_x");
    attn_reason why;
    gpu_needs needs;
    uint64_t bytes;
    const uint32_t specs[SPEC_COUNT] = {64, 1, 1, 64, 64};
    unsigned refused = 0;
    for (size_t count = 0; count < whole->bytes / 4; count++) {
        const shader_module prefix = {"prefix", whole->words, 4 * count};
        refused += gpu_reflect(&prefix, &needs, &why) != ATTN_OK;
    }
    assert_true(refused > 20);
    uint32_t *words = malloc(whole->bytes);
    assert_non_null(words);
    for (size_t at = 0; at < 1500 && at < whole->bytes / 4; at++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            memcpy(words, whole->words, whole->bytes);
            words[at] = values[i];
            const shader_module damaged = {"damaged", words, whole->bytes};
            refused += gpu_reflect(&damaged, &needs, &why) != ATTN_OK;
            gpu_shared_bytes(&damaged, specs, &bytes, &why);
        }
    assert_true(refused > 500);
    free(words);
}

static void shared_memory_follows_the_constants(void **state)
{
    (void)state;
    attn_reason why;
    uint64_t bytes;
    const shader_module *tile = shader_module_find("tile_m");
    /* What gpu/plan_tile.c counts: stage, and per row weights, lanes and four words. */
    uint32_t specs[SPEC_COUNT] = {16, 16, 4, 64, 64};
    assert_int_equal(gpu_shared_bytes(tile, specs, &bytes, &why), ATTN_OK);
    assert_int_equal(bytes, 4 * (TILE_STAGE(64) + 64 * (ATTN_BK + 16 + 4)));
    specs[SPEC_LOCAL_Y] = 4;
    assert_int_equal(gpu_shared_bytes(tile, specs, &bytes, &why), ATTN_OK);
    assert_int_equal(bytes, 4 * (TILE_STAGE(16) + 16 * (ATTN_BK + 16 + 4)));
    assert_int_equal(gpu_shared_fits(tile, specs, (uint32_t)bytes, &why), ATTN_OK);
    assert_int_equal(gpu_shared_fits(tile, specs, 8192, &why), ATTN_UNSUPPORTED);
    assert_string_equal(why.text, "needs 10496 bytes of shared memory, the device has 8192");
    assert_int_equal(gpu_shared_bytes(shader_module_find("naive_m"), specs, &bytes, &why), ATTN_OK);
    assert_int_equal(bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_shaders_keep_to_the_interface),
        cmocka_unit_test(broken_interfaces_are_named),
        cmocka_unit_test(damaged_words_do_no_harm),
        cmocka_unit_test(shared_memory_follows_the_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
