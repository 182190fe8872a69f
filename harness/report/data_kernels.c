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

/* What is known of a name; a user's own shader has no place in the lists of this build. */
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
                .kind = SHADER
                , .place = i, .story = gpu_rows[i].story
            };
    return (known){OWN, 0, ""};
}

/* Of a user's own shader, by the header of the first run that has it; else "". */
static const char *own_story(const data_builder *b, const char *name)
{
    for (size_t i = 0; i < b->count; i++) {
        size_t index;
        const json_t *shader;
        json_array_foreach(json_object_get(b->runs[i].header, "shaders"), index, shader)
        {
            const char *story = json_string_value(json_object_get(shader, "story"));
            if (story != NULL &&
                json_object_get(json_object_get(shader, "spirv_digests"), name) != NULL)
                return story;
        }
    }
    return "";
}

static json_t *kernel_json(const data_builder *b, const char *name, attn_contract contract,
                           json_t *tier)
{
    const known k = find(name);
    json_t *o = json_object();
    json_object_set_new(o, "name", json_value_text(name));
    json_object_set_new(o, "contract", json_string(attn_contract_name(contract)));
    json_object_set_new(o, "tier", tier);
    json_object_set_new(o, "story", json_string(k.kind == OWN ? own_story(b, name) : k.story));
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
                          kernel_json(b, name, contract, json_string(attn_tier_name(tier))));
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

/* A kernel of the island and where it stands. */
typedef struct standing {
    known known;
    size_t index;
} standing;

/* Those that this build does not know: in the order in which they were met. */
static int by_standing(const void *a, const void *b)
{
    const standing *x = a, *y = b;
    if (x->known.kind != y->known.kind)
        return x->known.kind < y->known.kind ? -1 : 1;
    if (x->known.place != y->known.place)
        return x->known.place < y->known.place ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

bool data_rank_kernels(data_builder *b)
{
    const size_t count = json_array_size(b->kernels);
    standing *ladder = malloc((count + 1) * sizeof *ladder);
    if (ladder == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *name = json_object_get(json_array_get(b->kernels, i), "name");
        ladder[i] = (standing){find(json_string_value(name)), i};
    }
    qsort(ladder, count, sizeof *ladder, by_standing);
    for (size_t rung = 0; rung < count; rung++)
        json_object_set_new(json_array_get(b->kernels, ladder[rung].index), "rung",
                            json_value_count(rung));
    free(ladder);
    return true;
}
