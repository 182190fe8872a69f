/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/reflect.h"

#include <inttypes.h>
#include <string.h>

#include "gpu/spirv.h"
#include "shaders/interface.h"

#define GL_COMPUTE     5
#define BUFFER         5  /* Dim of an image */
#define WORKGROUP_SIZE 25 /* built-in */
#define INTERFACE_ENDS "the interface has 0 to %d (shaders/interface.h)"

/* Capabilities from GroupNonUniform to GroupNonUniformQuad, in the order of Vulkan's flags. */
#define FIRST_SUBGROUP 61
#define LAST_SUBGROUP  68

/* Capabilities that every device has; others name a feature that devices are opened without. */
static bool always_there(uint32_t capability)
{
    enum { MATRIX = 0, SHADER = 1, SAMPLED_BUFFER = 46, IMAGE_QUERY = 50 };
    switch (capability) {
    case MATRIX:
    case SHADER:
    case SAMPLED_BUFFER:
    case IMAGE_QUERY:
        return true;
    default:
        return false;
    }
}

static attn_status check_capability(uint32_t capability, gpu_needs *needs, attn_reason *why)
{
    static const struct {
        uint32_t capability;
        const char *name;
    } known[] = {{9, "float16_t"},         {10, "double"},         {11, "int64_t"},
                 {12, "64-bit atomics"},   {22, "int16_t"},        {39, "int8_t"},
                 {4433, "16-bit buffers"}, {4448, "8-bit buffers"}};
    if (always_there(capability))
        return ATTN_OK;
    if (capability >= FIRST_SUBGROUP && capability <= LAST_SUBGROUP) {
        needs->subgroup |= 1u << (capability - FIRST_SUBGROUP);
        return ATTN_OK;
    }
    const char *name = "a feature";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].capability == capability)
            name = known[i].name;
    return attn_because(why, ATTN_ERROR,
                        "uses %s (SPIR-V capability %" PRIu32 "), which devices are opened without",
                        name, capability);
}

static attn_status check_extension(const spirv_module *m, uint32_t at, attn_reason *why)
{
    char name[80];
    const bool instructions = spirv_op(m, at) == SPIRV_EXT_INST_IMPORT;
    spirv_string(m, at, instructions ? 2 : 1, name, sizeof name);
    if (instructions && strcmp(name, "GLSL.std.450") == 0)
        return ATTN_OK;
    return attn_because(why, ATTN_ERROR,
                        "uses the SPIR-V extension %s, which devices are opened without", name);
}

static attn_status check_entry(const spirv_module *m, uint32_t at, attn_reason *why)
{
    char name[40];
    spirv_string(m, at, 3, name, sizeof name);
    if (spirv_word(m, at, 1) != GL_COMPUTE || strcmp(name, "main") != 0)
        return attn_because(why, ATTN_ERROR, "no compute shader: its entry point is %s", name);
    return ATTN_OK;
}

static attn_status check_binding(const spirv_id *id, uint32_t first, uint32_t end, const char *kind,
                                 attn_reason *why)
{
    if (id->set != 0)
        return attn_because(why, ATTN_ERROR, "uses set %" PRIu32 ": the interface has set 0 only",
                            id->set);
    if (id->binding >= BIND_COUNT)
        return attn_because(why, ATTN_ERROR, "uses binding %" PRIu32 ": " INTERFACE_ENDS,
                            id->binding, BIND_COUNT - 1);
    if (id->binding < first || id->binding >= end)
        return attn_because(why, ATTN_ERROR,
                            "binding %" PRIu32 " is not a %s: those are bindings %" PRIu32
                            " to %" PRIu32,
                            id->binding, kind, first, end - 1);
    return ATTN_OK;
}

static attn_status check_texels(const spirv_module *m, uint32_t type, const spirv_id *id,
                                gpu_needs *needs, attn_reason *why)
{
    const uint32_t image = spirv_defined_by(m, type, SPIRV_TYPE_IMAGE);
    const uint32_t texel = image ? spirv_defined_by(m, spirv_word(m, image, 2), SPIRV_TYPE_INT) : 0;
    const bool sampled = image && spirv_word(m, image, 7) == 1;
    if (!sampled || spirv_word(m, image, 3) != BUFFER || !texel || spirv_word(m, texel, 3) != 0)
        return attn_because(why, ATTN_ERROR,
                            "binding %" PRIu32 ": of images the interface has utextureBuffer only",
                            id->binding);
    needs->texels = true;
    return check_binding(id, BIND_BUFFERS, BIND_COUNT, "utextureBuffer", why);
}

static attn_status check_push(const spirv_module *m, uint32_t type, attn_reason *why)
{
    const uint32_t size = spirv_find(m, type)->block_size, room = sizeof(shader_push);
    if (size == SPIRV_NONE)
        return attn_because(why, ATTN_ERROR, "push constants without a fixed size");
    if (size > room)
        return attn_because(why, ATTN_ERROR,
                            "push constants of %" PRIu32 " bytes: the interface has %" PRIu32, size,
                            room);
    return ATTN_OK;
}

static attn_status check_variable(const spirv_module *m, uint32_t at, gpu_needs *needs,
                                  attn_reason *why)
{
    const spirv_id *id = spirv_find(m, spirv_word(m, at, 2));
    const uint32_t storage = spirv_word(m, at, 3);
    const uint32_t pointer = spirv_defined_by(m, spirv_word(m, at, 1), SPIRV_TYPE_POINTER);
    const uint32_t type = pointer ? spirv_word(m, pointer, 3) : 0;
    const bool block = spirv_defined_by(m, type, SPIRV_TYPE_STRUCT) != 0;
    switch (storage) {
    case SPIRV_INPUT:
    case SPIRV_OUTPUT:
    case SPIRV_WORKGROUP:
    case SPIRV_PRIVATE:
    case SPIRV_FUNCTION:
        return ATTN_OK;
    case SPIRV_PUSH_CONSTANT:
        return check_push(m, type, why);
    case SPIRV_UNIFORM_CONSTANT:
        return check_texels(m, type, id, needs, why);
    case SPIRV_UNIFORM:
        if (!spirv_find(m, type)->buffer_block)
            return attn_because(why, ATTN_ERROR,
                                "binding %" PRIu32 ": the interface has no uniform blocks",
                                id->binding);
        break;
    case SPIRV_STORAGE_BUFFER:
        break;
    default:
        return attn_because(why, ATTN_ERROR, "a variable of storage class %" PRIu32, storage);
    }
    if (!block)
        return attn_because(why, ATTN_ERROR,
                            "binding %" PRIu32 ": the interface has no arrays of buffers",
                            id->binding);
    return check_binding(id, 0, BIND_BUFFERS, "buffer", why);
}

/* A component of the workgroup's size: the specialization constant, or 1 where that is allowed. */
static bool is_local(const spirv_module *m, uint32_t id, uint32_t spec_id, bool may_be_one)
{
    const uint32_t constant = spirv_defined_by(m, id, SPIRV_CONSTANT);
    if (constant)
        return may_be_one && spirv_word(m, constant, 3) == 1;
    return spirv_defined_by(m, id, SPIRV_SPEC_CONSTANT) && spirv_find(m, id)->spec_id == spec_id;
}

static attn_status check_local(const spirv_module *m, attn_reason *why)
{
    for (uint32_t id = 0; id < m->bound; id++) {
        const uint32_t size = spirv_defined_by(m, id, SPIRV_SPEC_CONSTANT_COMPOSITE);
        if (size && spirv_find(m, id)->built_in == WORKGROUP_SIZE &&
            is_local(m, spirv_word(m, size, 3), SPEC_LOCAL_X, false) &&
            is_local(m, spirv_word(m, size, 4), SPEC_LOCAL_Y, true) &&
            is_local(m, spirv_word(m, size, 5), SPIRV_NONE, true))
            return ATTN_OK;
    }
    return attn_because(why, ATTN_ERROR,
                        "wants layout(local_size_x_id = SPEC_LOCAL_X, local_size_y_id = "
                        "SPEC_LOCAL_Y) in; as in common.glsl");
}

static attn_status check_instruction(const spirv_module *m, uint32_t at, gpu_needs *needs,
                                     attn_reason *why)
{
    switch (spirv_op(m, at)) {
    case SPIRV_CAPABILITY:
        return check_capability(spirv_word(m, at, 1), needs, why);
    case SPIRV_EXTENSION:
    case SPIRV_EXT_INST_IMPORT:
        return check_extension(m, at, why);
    case SPIRV_ENTRY_POINT:
        return check_entry(m, at, why);
    case SPIRV_VARIABLE:
        return check_variable(m, at, needs, why);
    default:
        return ATTN_OK;
    }
}

attn_status gpu_reflect(const shader_module *code, gpu_needs *needs, attn_reason *why)
{
    spirv_module m;
    *needs = (gpu_needs){0};
    attn_status status = spirv_open(code, &m, why);
    if (status != ATTN_OK)
        return status;
    unsigned entries = 0;
    for (uint32_t at = SPIRV_HEADER_WORDS; status == ATTN_OK && at < m.count;
         at += spirv_length(&m, at)) {
        entries += spirv_op(&m, at) == SPIRV_ENTRY_POINT;
        status = check_instruction(&m, at, needs, why);
    }
    if (status == ATTN_OK && entries != 1)
        status = attn_because(why, ATTN_ERROR, "has %u entry points, not one", entries);
    if (status == ATTN_OK)
        status = check_local(&m, why);
    spirv_close(&m);
    return status;
}
