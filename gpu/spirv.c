/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/spirv.h"

#include <stdlib.h>

#define MAGIC       0x07230203u
#define VERSION_1_3 0x00010300u

enum { BUFFER_BLOCK = 3, ARRAY_STRIDE = 6, BUILT_IN = 11, BINDING = 33, DESCRIPTOR_SET, OFFSET };
enum { SPEC_ID = 1 };

/* Which word of an instruction is the id that it defines; 0: none that is looked for. */
static uint32_t result_word(uint32_t op)
{
    if (op >= SPIRV_TYPE_BOOL && op <= SPIRV_TYPE_POINTER)
        return 1;
    return (op >= SPIRV_CONSTANT && op <= SPIRV_SPEC_CONSTANT_OP) || op == SPIRV_VARIABLE ? 2 : 0;
}

static void decorate(spirv_id *id, uint32_t decoration, uint32_t value)
{
    switch (decoration) {
    case SPEC_ID:
        id->spec_id = value;
        break;
    case BUFFER_BLOCK:
        id->buffer_block = true;
        break;
    case ARRAY_STRIDE:
        id->array_stride = value;
        break;
    case BUILT_IN:
        id->built_in = value;
        break;
    case BINDING:
        id->binding = value;
        break;
    case DESCRIPTOR_SET:
        id->set = value;
        break;
    }
}

static uint32_t product(uint32_t a, uint32_t b)
{
    const uint64_t value = (uint64_t)a * b;
    return a == SPIRV_NONE || b == SPIRV_NONE || value > SPIRV_NONE ? SPIRV_NONE : (uint32_t)value;
}

/* Bytes of a value of the type that is defined at `at`, as in a block. Types are defined before
 * they are used. */
static uint32_t block_size(const spirv_module *m, uint32_t at)
{
    const uint32_t type = spirv_word(m, at, 1), number = spirv_word(m, at, 3);
    const uint32_t inner = spirv_find(m, spirv_word(m, at, 2))->block_size;
    const spirv_id *id = spirv_find(m, type);
    switch (spirv_op(m, at)) {
    case SPIRV_TYPE_INT:
    case SPIRV_TYPE_FLOAT:
        return spirv_word(m, at, 2) / 8;
    case SPIRV_TYPE_VECTOR:
        return product(inner, number);
    case SPIRV_TYPE_MATRIX: /* columns lie 16 bytes apart, or less */
        return product(16, number);
    case SPIRV_TYPE_ARRAY: {
        const uint32_t length = spirv_defined_by(m, number, SPIRV_CONSTANT);
        return length ? product(id->array_stride, spirv_word(m, length, 3)) : SPIRV_NONE;
    }
    case SPIRV_TYPE_STRUCT: { /* as far as its last member reaches */
        const uint32_t member = spirv_word(m, at, 2 + id->last_member);
        const uint32_t last = spirv_find(m, member)->block_size;
        return last > SPIRV_NONE - id->last_offset ? SPIRV_NONE : id->last_offset + last;
    }
    default:
        return SPIRV_NONE;
    }
}

static void decorate_member(spirv_id *id, uint32_t member, uint32_t decoration, uint32_t value)
{
    if (decoration == OFFSET && value >= id->last_offset) {
        id->last_offset = value;
        id->last_member = member;
    }
}

static void index_instruction(spirv_module *m, uint32_t at)
{
    const uint32_t op = spirv_op(m, at), result = spirv_word(m, at, result_word(op));
    const uint32_t target = spirv_word(m, at, 1);
    if (result_word(op) > 0 && result < m->bound) {
        m->ids[result].at = at;
        m->ids[result].block_size = block_size(m, at);
    }
    if (op == SPIRV_DECORATE && target < m->bound)
        decorate(&m->ids[target], spirv_word(m, at, 2), spirv_word(m, at, 3));
    if (op == SPIRV_MEMBER_DECORATE && target < m->bound)
        decorate_member(&m->ids[target], spirv_word(m, at, 2), spirv_word(m, at, 3),
                        spirv_word(m, at, 4));
}

static attn_status make_index(spirv_module *m, attn_reason *why)
{
    for (uint32_t at = SPIRV_HEADER_WORDS; at < m->count; at += spirv_length(m, at)) {
        const uint32_t length = spirv_length(m, at);
        if (length == 0 || length > m->count - at)
            return attn_because(why, ATTN_ERROR, "SPIR-V that ends within an instruction");
        index_instruction(m, at);
    }
    return ATTN_OK;
}

attn_status spirv_open(const shader_module *code, spirv_module *m, attn_reason *why)
{
    *m = (spirv_module){.words = code->words, .count = (uint32_t)(code->bytes / 4)};
    if (m->count < SPIRV_HEADER_WORDS || m->words[0] != MAGIC || m->words[1] > VERSION_1_3)
        return attn_because(why, ATTN_ERROR, "no SPIR-V of version 1.3 or before");
    m->bound = m->words[3];
    if (m->bound > m->count) /* each id takes a word to define */
        return attn_because(why, ATTN_ERROR, "SPIR-V with more ids than words");
    m->ids = malloc((m->bound + 1) * sizeof *m->ids);
    if (!m->ids)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory to look into a shader");
    for (uint32_t id = 0; id <= m->bound; id++)
        m->ids[id] = (spirv_id){.set = SPIRV_NONE,
                                .binding = SPIRV_NONE,
                                .spec_id = SPIRV_NONE,
                                .built_in = SPIRV_NONE,
                                .array_stride = SPIRV_NONE,
                                .block_size = SPIRV_NONE};
    const attn_status status = make_index(m, why);
    if (status != ATTN_OK)
        spirv_close(m);
    return status;
}

void spirv_close(spirv_module *m)
{
    free(m->ids);
    m->ids = NULL;
}

const spirv_id *spirv_find(const spirv_module *m, uint32_t id)
{
    return &m->ids[id < m->bound ? id : m->bound];
}

uint32_t spirv_defined_by(const spirv_module *m, uint32_t id, uint32_t op)
{
    const uint32_t at = spirv_find(m, id)->at;
    return at > 0 && spirv_op(m, at) == op ? at : 0;
}

void spirv_string(const spirv_module *m, uint32_t at, uint32_t index, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t i = index; i < spirv_length(m, at); i++)
        for (int byte = 0; byte < 4 && used + 1 < size; byte++)
            text[used++] = (char)(m->words[at + i] >> 8 * byte & 0xff);
    text[used] = '\0';
}
