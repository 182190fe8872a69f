/* SPDX-License-Identifier: Apache-2.0
 *
 * A SPIR-V module, indexed: where each id is defined and how it is decorated. Names and numbers are
 * those of the SPIR-V specification, as far as they are needed.
 */
#ifndef GPU_SPIRV_H
#define GPU_SPIRV_H

#include <stdbool.h>

#include "attn/status.h"
#include "shaders/modules.h"

enum {
    SPIRV_EXTENSION = 10,
    SPIRV_EXT_INST_IMPORT = 11,
    SPIRV_ENTRY_POINT = 15,
    SPIRV_CAPABILITY = 17,
    SPIRV_TYPE_BOOL = 20,
    SPIRV_TYPE_INT = 21,
    SPIRV_TYPE_FLOAT = 22,
    SPIRV_TYPE_VECTOR = 23,
    SPIRV_TYPE_MATRIX = 24,
    SPIRV_TYPE_IMAGE = 25,
    SPIRV_TYPE_ARRAY = 28,
    SPIRV_TYPE_STRUCT = 30,
    SPIRV_TYPE_POINTER = 32,
    SPIRV_CONSTANT = 43,
    SPIRV_SPEC_CONSTANT = 50,
    SPIRV_SPEC_CONSTANT_COMPOSITE = 51,
    SPIRV_SPEC_CONSTANT_OP = 52,
    SPIRV_VARIABLE = 59,
    SPIRV_DECORATE = 71,
    SPIRV_MEMBER_DECORATE = 72,
};
enum { SPIRV_UNIFORM_CONSTANT, SPIRV_INPUT, SPIRV_UNIFORM, SPIRV_OUTPUT, SPIRV_WORKGROUP };
enum { SPIRV_PRIVATE = 6, SPIRV_FUNCTION, SPIRV_PUSH_CONSTANT = 9, SPIRV_STORAGE_BUFFER = 12 };

#define SPIRV_NONE UINT32_MAX

typedef struct spirv_id {
    uint32_t at; /* word of the instruction that defines it, if that is one of the above; or 0 */
    uint32_t set, binding, spec_id, built_in, array_stride; /* or SPIRV_NONE */
    uint32_t last_offset, last_member; /* of a struct: the member that begins last */
    bool buffer_block;                 /* a storage buffer of old, in the storage class Uniform */
    /* Of a type: bytes of a value in a block, by decorations. SPIRV_NONE where they are not known:
     * specialized, or without an end. */
    uint32_t block_size;
} spirv_id;

typedef struct spirv_module {
    const uint32_t *words;
    uint32_t count; /* of words */
    uint32_t bound; /* of ids */
    spirv_id *ids;  /* [bound] */
} spirv_module;

/* ATTN_ERROR: these words are no module of Vulkan 1.1, or end within an instruction. */
attn_status spirv_open(const shader_module *code, spirv_module *module, attn_reason *why);
void spirv_close(spirv_module *module);

#define SPIRV_HEADER_WORDS 5 /* where the first instruction is */

static inline uint32_t spirv_op(const spirv_module *m, uint32_t at)
{
    return m->words[at] & 0xffff;
}

static inline uint32_t spirv_length(const spirv_module *m, uint32_t at)
{
    return m->words[at] >> 16;
}

/* Word `index` of the instruction at `at`; 0, which is no id, where it is shorter. */
static inline uint32_t spirv_word(const spirv_module *m, uint32_t at, uint32_t index)
{
    return index < spirv_length(m, at) ? m->words[at + index] : 0;
}

/* The id, which decorations of no other may reach. */
const spirv_id *spirv_find(const spirv_module *m, uint32_t id);

/* Where the id is defined if that is by this operation, else 0. */
uint32_t spirv_defined_by(const spirv_module *m, uint32_t id, uint32_t op);

/* A literal string that begins at word `index` of an instruction, cut to the size of `text`. */
void spirv_string(const spirv_module *m, uint32_t at, uint32_t index, char *text, size_t size);

#endif
