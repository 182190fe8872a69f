/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/shared.h"

#include <inttypes.h>
#include <stdlib.h>

#include "gpu/spirv.h"
#include "shaders/interface.h"

#define MOST_BYTES ((uint64_t)1 << 48) /* counted so far and no further */

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

/* What is known of an id: the value of a constant, the bytes of a type. */
typedef struct known {
    uint32_t value;
    uint64_t bytes;
} known;

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

/* An index into what is known: ids out of bounds share the last. */
static uint32_t within(const spirv_module *m, uint32_t id)
{
    return id < m->bound ? id : m->bound;
}

static uint32_t value_of(const spirv_module *m, uint32_t at, const known *ids,
                         const uint32_t *specs)
{
    const uint32_t op = spirv_word(m, at, 3);
    const uint32_t spec_id = spirv_find(m, spirv_word(m, at, 2))->spec_id;
    uint32_t operand[3];
    switch (spirv_op(m, at)) {
    case SPIRV_CONSTANT:
        return spirv_word(m, at, 3);
    case SPIRV_SPEC_CONSTANT:
        return spec_id < SPEC_COUNT ? specs[spec_id] : spirv_word(m, at, 3);
    case SPIRV_SPEC_CONSTANT_OP:
        for (uint32_t i = 0; i < 3; i++)
            operand[i] = ids[within(m, spirv_word(m, at, 4 + i))].value;
        return op == SELECT ? operand[operand[0] ? 1 : 2] : apply(op, operand[0], operand[1]);
    default:
        return 0;
    }
}

static uint64_t add_bytes(uint64_t a, uint64_t b)
{
    return a + b < MOST_BYTES ? a + b : MOST_BYTES;
}

static uint64_t times_bytes(uint32_t count, uint64_t bytes)
{
    return bytes && count > MOST_BYTES / bytes ? MOST_BYTES : count * bytes;
}

/* Without any decoration: elements and members follow each other. */
static uint64_t bytes_of(const spirv_module *m, uint32_t at, const known *ids)
{
    const uint32_t inner = spirv_word(m, at, 2), number = spirv_word(m, at, 3);
    const uint64_t bytes = ids[within(m, inner)].bytes;
    uint64_t sum = 0;
    switch (spirv_op(m, at)) {
    case SPIRV_TYPE_BOOL:
        return 4;
    case SPIRV_TYPE_INT:
    case SPIRV_TYPE_FLOAT:
        return inner / 8;
    case SPIRV_TYPE_VECTOR:
    case SPIRV_TYPE_MATRIX:
        return times_bytes(number, bytes);
    case SPIRV_TYPE_ARRAY:
        return times_bytes(ids[within(m, number)].value, bytes);
    case SPIRV_TYPE_STRUCT:
        for (uint32_t i = 2; i < spirv_length(m, at); i++)
            sum = add_bytes(sum, ids[within(m, spirv_word(m, at, i))].bytes);
        return sum;
    default:
        return 0;
    }
}

/* Whatever is used was defined before, so that one pass is enough. */
static uint64_t sum_up(const spirv_module *m, const uint32_t *specs, known *ids)
{
    uint64_t bytes = 0;
    for (uint32_t at = SPIRV_HEADER_WORDS; at < m->count; at += spirv_length(m, at)) {
        const uint32_t op = spirv_op(m, at);
        if (op >= SPIRV_TYPE_BOOL && op <= SPIRV_TYPE_STRUCT)
            ids[within(m, spirv_word(m, at, 1))].bytes = bytes_of(m, at, ids);
        if (op >= SPIRV_CONSTANT && op <= SPIRV_SPEC_CONSTANT_OP)
            ids[within(m, spirv_word(m, at, 2))].value = value_of(m, at, ids, specs);
        if (op != SPIRV_VARIABLE || spirv_word(m, at, 3) != SPIRV_WORKGROUP)
            continue;
        const uint32_t pointer = spirv_defined_by(m, spirv_word(m, at, 1), SPIRV_TYPE_POINTER);
        if (pointer)
            bytes = add_bytes(bytes, ids[within(m, spirv_word(m, pointer, 3))].bytes);
    }
    return bytes;
}

attn_status gpu_shared_bytes(const shader_module *code, const uint32_t *specs, uint64_t *bytes,
                             attn_reason *why)
{
    spirv_module m;
    *bytes = 0;
    attn_status status = spirv_open(code, &m, why);
    if (status != ATTN_OK)
        return status;
    known *ids = calloc((size_t)m.bound + 1, sizeof *ids);
    if (ids)
        *bytes = sum_up(&m, specs, ids);
    else
        status = attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to look into a shader");
    free(ids);
    spirv_close(&m);
    return status;
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
