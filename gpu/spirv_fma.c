/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/spirv_fma.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    HEADER_BOUND = 3,      /* where: ids are below it */
    MOST_BOUND = 0x3fffff, /* SPIR-V's universal limit */

    OP_EXTENSION = 10,
    OP_EXT_INST_IMPORT = 11,
    OP_EXT_INST = 12,
    OP_CAPABILITY = 17,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_FMA_KHR = 4427,
    CAPABILITY_FMA_KHR = 6030,

    GLSL_FMA = 50,
    GLSL_FMA_WORDS = 8, /* type, result, set, instruction, a, b, c */
    FMA_KHR_WORDS = 6,  /* type, result, a, b, c */
};

/* What an id stands for, as far as it matters here. */
enum { ID_OTHER, ID_GLSL, ID_BINARY32 };

/* OpCapability FMAKHR and OpExtension "SPV_KHR_fma", which follow one another where capabilities
 * end and extensions begin. */
static const uint32_t declarations[] = {2u << 16 | OP_CAPABILITY,
                                        CAPABILITY_FMA_KHR,
                                        4u << 16 | OP_EXTENSION,
                                        0x5f565053,
                                        0x5f52484b,
                                        0x00616d66};
enum { DECLARATIONS = sizeof declarations / sizeof declarations[0] };

static uint32_t opcode(const uint32_t *instruction)
{
    return instruction[0] & 0xffff;
}

static size_t length(const uint32_t *instruction)
{
    return instruction[0] >> 16;
}

/* Whether an OpExtInstImport names GLSL.std.450: its text is packed into words, first byte lowest.
 */
static bool imports_glsl(const uint32_t *instruction)
{
    static const char name[] = "GLSL.std.450";
    if (length(instruction) < 2 + (sizeof name + 3) / 4)
        return false;
    for (size_t i = 0; i < sizeof name; i++)
        if ((instruction[2 + i / 4] >> 8 * (i % 4) & 0xff) != (unsigned char)name[i])
            return false;
    return true;
}

/* Notes the result of an instruction that declares one of the ids above. */
static bool note(const uint32_t *instruction, uint32_t bound, uint8_t *ids)
{
    const size_t words = length(instruction);
    uint8_t kind = ID_OTHER;
    switch (opcode(instruction)) {
    case OP_EXT_INST_IMPORT:
        kind = imports_glsl(instruction) ? ID_GLSL : ID_OTHER;
        break;
    case OP_TYPE_FLOAT:
        kind = words == 3 && instruction[2] == 32 ? ID_BINARY32 : ID_OTHER;
        break;
    case OP_TYPE_VECTOR:
        if (words != 4 || instruction[2] >= bound)
            return false;
        kind = ids[instruction[2]] == ID_BINARY32 ? ID_BINARY32 : ID_OTHER;
        break;
    default:
        return true;
    }
    if (words < 3 || instruction[1] >= bound)
        return false;
    ids[instruction[1]] = kind;
    return true;
}

static bool is_fma(const uint32_t *instruction, uint32_t bound, const uint8_t *ids)
{
    return opcode(instruction) == OP_EXT_INST && length(instruction) == GLSL_FMA_WORDS &&
           instruction[1] < bound && ids[instruction[1]] == ID_BINARY32 && instruction[3] < bound &&
           ids[instruction[3]] == ID_GLSL && instruction[4] == GLSL_FMA;
}

/* Writes the module to `to`, of count + DECLARATIONS words; returns how many it has, 0 when the
 * words are no module. */
static size_t rewrite(const uint32_t *words, size_t count, uint8_t *ids, uint32_t *to)
{
    const uint32_t bound = words[HEADER_BOUND];
    size_t end = HEADER_WORDS;
    bool declared = false, found = false;

    memcpy(to, words, HEADER_WORDS * sizeof *to);
    for (size_t at = HEADER_WORDS; at < count; at += length(&words[at])) {
        const uint32_t *instruction = &words[at];
        const size_t size = length(instruction);
        if (size == 0 || size > count - at || !note(instruction, bound, ids))
            return 0;
        if (!declared && opcode(instruction) != OP_CAPABILITY) {
            declared = true;
            memcpy(&to[end], declarations, sizeof declarations);
            end += DECLARATIONS;
        }
        if (is_fma(instruction, bound, ids)) {
            found = true;
            to[end] = (uint32_t)FMA_KHR_WORDS << 16 | OP_FMA_KHR;
            memcpy(&to[end + 1], &instruction[1], 2 * sizeof *to);
            memcpy(&to[end + 3], &instruction[5], 3 * sizeof *to);
            end += FMA_KHR_WORDS;
        } else {
            memcpy(&to[end], instruction, size * sizeof *to);
            end += size;
        }
    }
    if (!found) {
        memcpy(to, words, count * sizeof *to);
        return count;
    }
    return end;
}

attn_status gpu_spirv_fma(const uint32_t *words, size_t count, uint32_t **copy, size_t *copy_count,
                          attn_reason *why)
{
    *copy = NULL;
    *copy_count = 0;
    if (count <= HEADER_WORDS || words[0] != MAGIC || words[HEADER_BOUND] > MOST_BOUND)
        return attn_because(why, ATTN_ERROR, "not a SPIR-V module: its header is malformed");
    uint8_t *ids = calloc(words[HEADER_BOUND] + 1, sizeof *ids);
    uint32_t *to = malloc((count + DECLARATIONS) * sizeof *to);
    attn_status status = ATTN_OK;
    if (!ids || !to)
        status = attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for a shader");
    else if ((*copy_count = rewrite(words, count, ids, to)) == 0)
        status = attn_because(why, ATTN_ERROR, "not a SPIR-V module: an instruction is malformed");
    free(ids);
    if (status == ATTN_OK)
        *copy = to;
    else
        free(to);
    return status;
}
