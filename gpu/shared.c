/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/shared.h"

#include <inttypes.h>

#include "gpu/spirv.h"
#include "shaders/interface.h"

#define MOST_NESTING 200 /* of operations, and of types */

/* Operations of specialized constants on unsigned integers. */
enum {
    I_ADD = 128,
    I_SUB = 130,
    I_MUL = 132,
    U_DIV = 134,
    U_MOD = 137,
    SELECT = 169,
    I_EQUAL = 170,
    I_NOT_EQUAL = 171,
    U_GREATER = 172,
    U_GREATER_EQUAL = 174,
    U_LESS = 176,
    U_LESS_EQUAL = 178,
    SHIFT_RIGHT = 194,
    SHIFT_LEFT = 196,
    BIT_OR = 197,
    BIT_AND = 199,
};

typedef struct specialized {
    const spirv_module *m;
    const uint32_t *specs;
} specialized;

static uint32_t apply(uint32_t op, uint32_t a, uint32_t b)
{
    switch (op) {
    case I_ADD:
        return a + b;
    case I_SUB:
        return a - b;
    case I_MUL:
        return a * b;
    case U_DIV:
        return b ? a / b : 0;
    case U_MOD:
        return b ? a % b : 0;
    case I_EQUAL:
        return a == b;
    case I_NOT_EQUAL:
        return a != b;
    case U_GREATER:
        return a > b;
    case U_GREATER_EQUAL:
        return a >= b;
    case U_LESS:
        return a < b;
    case U_LESS_EQUAL:
        return a <= b;
    case SHIFT_RIGHT:
        return b < 32 ? a >> b : 0;
    case SHIFT_LEFT:
        return b < 32 ? a << b : 0;
    case BIT_OR:
        return a | b;
    case BIT_AND:
        return a & b;
    default:
        return 0;
    }
}

static uint32_t value_of(const specialized *s, uint32_t id, int depth)
{
    const uint32_t at = spirv_find(s->m, id)->at, spec_id = spirv_find(s->m, id)->spec_id;
    if (at == 0 || depth > MOST_NESTING)
        return 0;
    switch (spirv_op(s->m, at)) {
    case SPIRV_CONSTANT:
        return spirv_word(s->m, at, 3);
    case SPIRV_SPEC_CONSTANT:
        return spec_id < SPEC_COUNT ? s->specs[spec_id] : spirv_word(s->m, at, 3);
    case SPIRV_SPEC_CONSTANT_OP: {
        const uint32_t op = spirv_word(s->m, at, 3);
        const uint32_t a = value_of(s, spirv_word(s->m, at, 4), depth + 1);
        if (op == SELECT)
            return value_of(s, spirv_word(s->m, at, a ? 5 : 6), depth + 1);
        return apply(op, a, value_of(s, spirv_word(s->m, at, 5), depth + 1));
    }
    default:
        return 0;
    }
}

/* Bytes of a value of this type without any decoration: elements and members follow each other. */
static uint64_t size_of(const specialized *s, uint32_t type, int depth)
{
    const uint32_t at = spirv_find(s->m, type)->at;
    const uint32_t inner = spirv_word(s->m, at, 2), number = spirv_word(s->m, at, 3);
    uint64_t sum = 0;
    if (at == 0 || depth > MOST_NESTING)
        return 0;
    switch (spirv_op(s->m, at)) {
    case SPIRV_TYPE_BOOL:
        return 4;
    case SPIRV_TYPE_INT:
    case SPIRV_TYPE_FLOAT:
        return inner / 8;
    case SPIRV_TYPE_VECTOR:
    case SPIRV_TYPE_MATRIX:
        return number * size_of(s, inner, depth + 1);
    case SPIRV_TYPE_ARRAY:
        return value_of(s, number, 0) * size_of(s, inner, depth + 1);
    case SPIRV_TYPE_STRUCT:
        for (uint32_t i = 2; i < spirv_length(s->m, at); i++)
            sum += size_of(s, spirv_word(s->m, at, i), depth + 1);
        return sum;
    default:
        return 0;
    }
}

attn_status gpu_shared_bytes(const shader_module *code, const uint32_t *specs, uint64_t *bytes,
                             attn_reason *why)
{
    spirv_module m;
    *bytes = 0;
    const attn_status status = spirv_open(code, &m, why);
    if (status != ATTN_OK)
        return status;
    const specialized s = {&m, specs};
    for (uint32_t at = SPIRV_HEADER_WORDS; at < m.count; at += spirv_length(&m, at)) {
        if (spirv_op(&m, at) != SPIRV_VARIABLE || spirv_word(&m, at, 3) != SPIRV_WORKGROUP)
            continue;
        const uint32_t pointer = spirv_defined_by(&m, spirv_word(&m, at, 1), SPIRV_TYPE_POINTER);
        *bytes += pointer ? size_of(&s, spirv_word(&m, pointer, 3), 0) : 0;
    }
    spirv_close(&m);
    return ATTN_OK;
}

attn_status gpu_shared_fits(const shader_module *code, const uint32_t *specs, uint32_t most,
                            attn_reason *why)
{
    uint64_t bytes;
    const attn_status status = gpu_shared_bytes(code, specs, &bytes, why);
    if (status == ATTN_OK && bytes > most)
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs %" PRIu64 " bytes of shared memory, the device has %" PRIu32,
                            bytes, most);
    return status;
}
