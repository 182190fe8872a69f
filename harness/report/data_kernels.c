/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of an island: what this build knows of those of its own, and the ladder from the
 * scalar reference to the best.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "gpu/rows.h"
#include "harness/report/data.h"

/* In the order of the ladder. */
typedef enum { SCALAR, VECTOR, LIBRARY, SHADER, OWN } kind;

static const char *const kind_names[] = {"scalar", "vector", "library", "shader", "own"};

/* What is known of a name; a user's own shader has no place in the lists of this build, and so a
 * story of no kernel here. */
typedef struct known {
    kind kind;
    size_t place;
    const char *story;
} known;

static known find(const char *name)
{
    size_t count;
    const attn_kernel *kernels = cpu_kernels(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return (known){kernels[i].library                 ? LIBRARY
                           : strncmp(name, "scalar_", 7) == 0 ? SCALAR
                                                              : VECTOR,
                           i, kernels[i].story};
    for (size_t i = 0; i < gpu_row_count; i++)
        if (strcmp(gpu_rows[i].kernel, name) == 0)
            return (known)
            {
                SHADER
                , i, gpu_rows[i].story
            };
    return (known){OWN, 0, ""};
}

static json_t *kernel_json(const char *name, attn_contract contract, json_t *tier)
{
    const known k = find(name);
    json_t *o = json_object();
    json_object_set_new(o, "name", json_value_text(name));
    json_object_set_new(o, "contract", json_string(attn_contract_name(contract)));
    json_object_set_new(o, "tier", tier);
    json_object_set_new(o, "story", json_string(k.story));
    json_object_set_new(o, "kind", json_string(kind_names[k.kind]));
    return o;
}

static json_t *place_of(data_builder *b, const char *name, attn_contract contract, attn_tier tier)
{
    json_t *place = json_object_get(b->kernel_places, name);
    if (place != NULL)
        return json_incref(place);
    place = json_value_count(json_array_size(b->kernels));
    json_object_set(b->kernel_places, name, place);
    json_array_append_new(b->kernels,
                          kernel_json(name, contract, json_string(attn_tier_name(tier))));
    return place;
}

json_t *data_kernel_place(data_builder *b, const result_row *row)
{
    return place_of(b, row->kernel, row->contract, row->tier);
}

json_t *data_library_place(data_builder *b, const result_row *row)
{
    if (row->library == NULL)
        return json_null();
    return place_of(b, row->library, ATTN_CONTRACT_NONE, ATTN_TIER_BOUNDED);
}

/* Does one kernel stand below the other? Those that this build does not know: in the order in which
 * they were met. */
static bool below(const json_t *kernels, size_t one, size_t other)
{
    const size_t index[2] = {one, other};
    known k[2];
    for (int i = 0; i < 2; i++)
        k[i] = find(json_string_value(json_object_get(json_array_get(kernels, index[i]), "name")));
    if (k[0].kind != k[1].kind)
        return k[0].kind < k[1].kind;
    return k[0].place != k[1].place ? k[0].place < k[1].place : one < other;
}

void data_rank_kernels(data_builder *b)
{
    const size_t count = json_array_size(b->kernels);
    for (size_t i = 0; i < count; i++) {
        size_t rung = 0;
        for (size_t j = 0; j < count; j++)
            rung += below(b->kernels, j, i);
        json_object_set_new(json_array_get(b->kernels, i), "rung", json_value_count(rung));
    }
}
