/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/spirv.h"

#include <stdlib.h>

#define MAGIC        0x07230203u
#define VERSION_1_3  0x00010300u
#define MOST_NESTING 64 /* of types */

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

static attn_status make_index(spirv_module *m, attn_reason *why)
{
    for (uint32_t at = SPIRV_HEADER_WORDS; at < m->count; at += spirv_length(m, at)) {
        const uint32_t op = spirv_op(m, at), length = spirv_length(m, at);
        if (length == 0 || length > m->count - at)
            return attn_because(why, ATTN_ERROR, "SPIR-V that ends within an instruction");
        const uint32_t result = spirv_word(m, at, result_word(op));
        const uint32_t target = spirv_word(m, at, 1);
        if (result_word(op) > 0 && result < m->bound)
            m->ids[result].at = at;
        if (op == SPIRV_DECORATE && target < m->bound)
            decorate(&m->ids[target], spirv_word(m, at, 2), spirv_word(m, at, 3));
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
        m->ids[id] =
            (spirv_id){0, SPIRV_NONE, SPIRV_NONE, SPIRV_NONE, SPIRV_NONE, SPIRV_NONE, false};
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

static uint32_t product(uint32_t a, uint32_t b)
{
    const uint64_t value = (uint64_t)a * b;
    return a == SPIRV_NONE || b == SPIRV_NONE || value > SPIRV_NONE ? SPIRV_NONE : (uint32_t)value;
}

static uint32_t size_at_depth(const spirv_module *m, uint32_t type, int depth);

static uint32_t struct_size(const spirv_module *m, uint32_t type, int depth)
{
    uint64_t size = 0;
    for (uint32_t at = SPIRV_HEADER_WORDS; at < m->count; at += spirv_length(m, at)) {
        if (spirv_op(m, at) != SPIRV_MEMBER_DECORATE || spirv_word(m, at, 1) != type ||
            spirv_word(m, at, 3) != OFFSET)
            continue;
        const uint32_t member = spirv_word(m, spirv_find(m, type)->at, 2 + spirv_word(m, at, 2));
        const uint64_t end = spirv_word(m, at, 4) + (uint64_t)size_at_depth(m, member, depth);
        size = end > size ? end : size;
    }
    return size < SPIRV_NONE ? (uint32_t)size : SPIRV_NONE;
}

static uint32_t size_at_depth(const spirv_module *m, uint32_t type, int depth)
{
    const uint32_t at = spirv_find(m, type)->at;
    if (at == 0 || depth > MOST_NESTING)
        return SPIRV_NONE;
    const uint32_t inner = spirv_word(m, at, 2), number = spirv_word(m, at, 3);
    switch (spirv_op(m, at)) {
    case SPIRV_TYPE_INT:
    case SPIRV_TYPE_FLOAT:
        return spirv_word(m, at, 2) / 8;
    case SPIRV_TYPE_VECTOR:
        return product(size_at_depth(m, inner, depth + 1), number);
    case SPIRV_TYPE_MATRIX: /* columns lie 16 bytes apart, or less */
        return product(16, number);
    case SPIRV_TYPE_ARRAY: {
        const uint32_t length = spirv_defined_by(m, number, SPIRV_CONSTANT);
        return length ? product(spirv_find(m, type)->array_stride, spirv_word(m, length, 3))
                      : SPIRV_NONE;
    }
    case SPIRV_TYPE_STRUCT:
        return struct_size(m, type, depth + 1);
    default:
        return SPIRV_NONE;
    }
}

uint32_t spirv_size(const spirv_module *m, uint32_t type)
{
    return size_at_depth(m, type, 0);
}
