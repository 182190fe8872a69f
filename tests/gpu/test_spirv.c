/* SPDX-License-Identifier: Apache-2.0
 *
 * The SPIR-V inside the program: every addition, subtraction and multiplication of every shader
 * carries NoContraction, and no instruction is there whose rounding Vulkan leaves open. Compilers
 * may otherwise fuse, reorder or fold (glslc -O does: that is what this test is for).
 */
#include "tests/unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "shaders/modules.h"

enum {
    OP_EXT_INST = 12,
    OP_DECORATE = 71,
    OP_F_ADD = 129,
    OP_F_SUB = 131,
    OP_F_MUL = 133,
    OP_F_DIV = 136,
    OP_F_REM = 140,
    OP_F_MOD = 141,
    OP_VECTOR_TIMES_SCALAR = 142,
    OP_MATRIX_TIMES_SCALAR = 143,
    OP_OUTER_PRODUCT = 147,
    OP_DOT = 148,
    DECORATION_NO_CONTRACTION = 42,
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
};

/* GLSL.std.450 instructions on integers, and fma() where the contract allows it. */
enum { GLSL_FMA = 50, GLSL_U_MIN = 38, GLSL_U_MAX = 41 };

typedef struct findings {
    unsigned arithmetic, undecorated, inexact, fused;
} findings;

static bool is_inexact(uint32_t op)
{
    return op == OP_F_DIV || op == OP_F_REM || op == OP_F_MOD ||
           (op >= OP_VECTOR_TIMES_SCALAR && op <= OP_DOT);
}

static findings inspect(const shader_module *module)
{
    const uint32_t *words = module->words;
    const size_t count = module->bytes / 4;
    findings found = {0, 0, 0, 0};
    assert_true(count > HEADER_WORDS && words[0] == MAGIC);
    bool *exact = calloc(words[3], sizeof *exact); /* by result id; words[3] bounds them */
    assert_non_null(exact);

    for (size_t at = HEADER_WORDS; at < count; at += words[at] >> 16) {
        const uint32_t op = words[at] & 0xffff;
        assert_true(words[at] >> 16 > 0);
        if (op == OP_DECORATE && words[at + 2] == DECORATION_NO_CONTRACTION)
            exact[words[at + 1]] = true;
        if (op == OP_F_ADD || op == OP_F_SUB || op == OP_F_MUL) {
            found.arithmetic++;
            found.undecorated += !exact[words[at + 2]];
        }
        found.inexact += is_inexact(op);
        if (op == OP_EXT_INST) {
            const uint32_t instruction = words[at + 4];
            found.fused += instruction == GLSL_FMA;
            found.inexact +=
                instruction != GLSL_FMA && instruction != GLSL_U_MIN && instruction != GLSL_U_MAX;
        }
    }
    free(exact);
    return found;
}

static bool lacks_arithmetic(const char *name)
{
    return strncmp(name, "void", 4) == 0;
}

static void arithmetic_is_exact(void **state)
{
    (void)state;
    assert_true(shader_module_count >= 2);
    for (size_t i = 0; i < shader_module_count; i++) {
        const findings found = inspect(&shader_modules[i]);
        print_message("# %s: %u operations, %u fused\n", shader_modules[i].name, found.arithmetic,
                      found.fused);
        if ((found.arithmetic == 0) != lacks_arithmetic(shader_modules[i].name) ||
            found.undecorated > 0 || found.inexact > 0)
            fail_msg("%s: %u of %u operations without NoContraction, %u inexact",
                     shader_modules[i].name, found.undecorated, found.arithmetic, found.inexact);
    }
}

static void only_contract_f_fuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < shader_module_count; i++) {
        const char *name = shader_modules[i].name;
        const unsigned fused = inspect(&shader_modules[i]).fused;
        /* The probe asks about fma() in both; a triad is a product and a sum. */
        if (strncmp(name, "probe", 5) == 0 || strncmp(name, "bandwidth", 9) == 0 ||
            lacks_arithmetic(name))
            continue;
        if ((fused > 0) != (strcmp(name + strlen(name) - 2, "_f") == 0))
            fail_msg("%s has %u fused operations", name, fused);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_exact),
        cmocka_unit_test(only_contract_f_fuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
