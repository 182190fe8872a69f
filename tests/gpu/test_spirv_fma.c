/* SPDX-License-Identifier: Apache-2.0
 *
 * The rewriting of fma() for VK_KHR_shader_fma, on every module inside the program and on malformed
 * ones. Debian's SPIR-V tools do not know the extension, so the result is read here, by a walk that
 * shares nothing with the one that wrote it.
 */
#include "tests/unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "gpu/spirv_fma.h"
#include "shaders/modules.h"

enum { HEADER = 5, EXTENSION = 10, EXT_INST = 12, CAPABILITY = 17, FMA_KHR = 4427, GLSL_FMA = 50 };

typedef struct rewritten {
    uint32_t *words;
    size_t count;
} rewritten;

static rewritten rewrite(const uint32_t *words, size_t count)
{
    rewritten r;
    attn_reason why;
    uint32_t *before = malloc(count * sizeof *before);
    assert_non_null(before);
    memcpy(before, words, count * sizeof *before);
    if (gpu_spirv_fma(words, count, &r.words, &r.count, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    assert_memory_equal(before, words, count * sizeof *before);
    free(before);
    return r;
}

/* The next instruction after `at`; fails where one does not end within the module. */
static size_t next(const uint32_t *words, size_t count, size_t at)
{
    const size_t size = words[at] >> 16;
    assert_true(size > 0 && size <= count - at);
    return at + size;
}

static bool is_op(const uint32_t *words, size_t at, uint32_t op)
{
    return (words[at] & 0xffff) == op;
}

/* Fma of the extended instructions, which our modules import once. */
static bool is_glsl_fma(const uint32_t *words, size_t at)
{
    return is_op(words, at, EXT_INST) && words[at + 4] == GLSL_FMA;
}

static size_t count_fma(const uint32_t *words, size_t count)
{
    size_t found = 0;
    for (size_t at = HEADER; at < count; at = next(words, count, at))
        found += is_glsl_fma(words, at);
    return found;
}

/* The declarations stand between the capabilities and whatever comes behind them. */
static size_t skip_declarations(const rewritten *r, size_t at)
{
    static const char text[12] = "SPV_KHR_fma"; /* with its NUL */
    assert_int_equal(r->words[at], 2u << 16 | CAPABILITY);
    assert_int_equal(r->words[at + 1], 6030);
    at = next(r->words, r->count, at);
    assert_int_equal(r->words[at], 4u << 16 | EXTENSION);
    for (size_t i = 0; i < sizeof text; i++)
        assert_int_equal(r->words[at + 1 + i / 4] >> 8 * (i % 4) & 0xff, text[i]);
    return next(r->words, r->count, at);
}

/* Instruction by instruction the same but for fma(), whose type, result and operands are. */
static void compare(const uint32_t *words, size_t count, const rewritten *r)
{
    bool declared = false;
    size_t to = HEADER;
    assert_memory_equal(words, r->words, HEADER * sizeof *words);
    for (size_t at = HEADER; at < count; at = next(words, count, at)) {
        if (!declared && !is_op(words, at, CAPABILITY)) {
            to = skip_declarations(r, to);
            declared = true;
        }
        assert_true(to < r->count);
        const size_t end = next(r->words, r->count, to);
        if (is_glsl_fma(words, at)) {
            assert_int_equal(r->words[to], 6u << 16 | FMA_KHR);
            assert_memory_equal(&r->words[to + 1], &words[at + 1], 2 * sizeof *words);
            assert_memory_equal(&r->words[to + 3], &words[at + 5], 3 * sizeof *words);
        } else {
            assert_int_equal(end - to, words[at] >> 16);
            assert_memory_equal(&r->words[to], &words[at], (end - to) * sizeof *words);
        }
        to = end;
    }
    assert_int_equal(to, r->count);
}

static void every_fma_is_rewritten(void **state)
{
    (void)state;
    size_t modules = 0;
    for (size_t i = 0; i < shader_module_count; i++) {
        const shader_module *module = &shader_modules[i];
        const size_t count = module->bytes / 4, found = count_fma(module->words, count);
        rewritten r = rewrite(module->words, count);
        if (found > 0) {
            compare(module->words, count, &r);
            assert_int_equal(r.count, count + 6 - 2 * found);
            modules++;
        } else {
            assert_int_equal(r.count, count);
            assert_memory_equal(r.words, module->words, module->bytes);
        }
        assert_int_equal(count_fma(r.words, r.count), 0);
        rewritten again = rewrite(r.words, r.count); /* nothing is left to do */
        assert_int_equal(again.count, r.count);
        assert_memory_equal(again.words, r.words, r.count * sizeof *r.words);
        free(again.words);
        free(r.words);
    }
    assert_true(modules >= shader_module_count / 3);
}

static attn_status status_of(const uint32_t *words, size_t count)
{
    uint32_t *copy;
    size_t copy_count;
    attn_reason why;
    /* Memory of its own, so that a tool for memory errors sees a read past the end. */
    uint32_t *own = malloc(count * sizeof *own + !count);
    assert_non_null(own);
    memcpy(own, words, count * sizeof *own);
    const attn_status status = gpu_spirv_fma(own, count, &copy, &copy_count, &why);
    assert_true((status == ATTN_OK) == (copy != NULL) && (copy != NULL) == (copy_count > 0));
    free(copy);
    free(own);
    return status;
}

/* Cut between two instructions a module is one still, cut within one it is none. */
static void truncated_modules_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < shader_module_count; i++) {
        const uint32_t *words = shader_modules[i].words;
        const size_t all = shader_modules[i].bytes / 4;
        const size_t most = all < 3000 ? all : 3000;
        size_t end = HEADER; /* of the last whole instruction */
        for (size_t count = 0; count < most; count++) {
            if (count > end)
                end = next(words, all, end);
            assert_int_equal(status_of(words, count),
                             count > HEADER && count == end ? ATTN_OK : ATTN_ERROR);
        }
    }
}

static void malformed_modules_are_refused(void **state)
{
    (void)state;
    /* Header, capability, import of GLSL.std.450 as %1, binary32 as %2, a vector of it as %3. */
    static const uint32_t good[] = {0x07230203,
                                    0x10300,
                                    0,
                                    8,
                                    0,
                                    2u << 16 | 17,
                                    1,
                                    6u << 16 | 11,
                                    1,
                                    0x4c534c47,
                                    0x6474732e,
                                    0x3035342e,
                                    0,
                                    3u << 16 | 22,
                                    2,
                                    32,
                                    4u << 16 | 23,
                                    3,
                                    2,
                                    4};
    enum { WORDS = sizeof good / sizeof good[0] };
    static const struct {
        size_t at;
        uint32_t word;
    } bad[] = {{0, 0x03022307},    /* the other byte order */
               {3, 0x400000},      /* more ids than SPIR-V has */
               {3, 0xffffffff},    /* ... so many that their count overflows */
               {3, 3},             /* fewer than there are */
               {5, 17},            /* an instruction of no words */
               {5, 0xffffu << 16}, /* longer than the module */
               {8, 8},             /* ids past the bound */
               {14, 0xffffffff},
               {17, 9},
               {18, 0x80000000}};
    assert_int_equal(status_of(good, WORDS), ATTN_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t words[WORDS];
        memcpy(words, good, sizeof good);
        words[bad[i].at] = bad[i].word;
        if (status_of(words, WORDS) != ATTN_ERROR)
            fail_msg("word %d as %08x is accepted", (int)bad[i].at, bad[i].word);
    }
}

/* binary64, and instruction 50 of other sets, are left alone. */
static void other_instructions_are_left_alone(void **state)
{
    (void)state;
    uint32_t words[] = {0x07230203, 0x10300,    0,
                        8,          0,          6u << 16 | 11,
                        1,          0x4c534c47, 0x6474732e,
                        0x3035342e, 0,          3u << 16 | 22,
                        2,          32,         8u << 16 | 12,
                        2,          3,          1,
                        50,         4,          5,
                        6};
    enum { WORDS = sizeof words / sizeof words[0], NAME = 9, WIDTH = 13, INSTRUCTION = 18 };
    static const size_t changed[] = {NAME, WIDTH, INSTRUCTION};
    rewritten r = rewrite(words, WORDS);
    assert_int_equal(r.count, WORDS + 6 - 2);
    free(r.words);
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++) {
        const uint32_t word = words[changed[i]];
        words[changed[i]]++;
        r = rewrite(words, WORDS);
        assert_int_equal(r.count, WORDS);
        assert_memory_equal(r.words, words, sizeof words);
        free(r.words);
        words[changed[i]] = word;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fma_is_rewritten),
        cmocka_unit_test(truncated_modules_are_refused),
        cmocka_unit_test(malformed_modules_are_refused),
        cmocka_unit_test(other_instructions_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
