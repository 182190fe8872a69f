/* SPDX-License-Identifier: Apache-2.0
 *
 * Philox, the generators, and where the rows of a tensor are.
 */
#include "attn/inputs.h"

#include "attn/tensor.h"

#ifdef _OPENMP
/* Elements; waking the threads costs more than making fewer. */
enum { PARALLEL_FROM = 32768 };
#endif

void attn_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];

    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = UINT64_C(0xd2511f53) * c0;
        const uint64_t p1 = UINT64_C(0xcd9e8d57) * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* The low half of a word as a signed 16-bit integer. */
static int32_t signed_half(uint32_t word)
{
    return (int32_t)((word & 0xffffu) ^ 0x8000u) - 0x8000;
}

float attn_input(attn_generator gen, uint32_t seed, attn_tensor_id tensor, uint64_t index)
{
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), 0, 0};
    const uint32_t key[2] = {seed, (uint32_t)tensor};
    uint32_t word[4];

    attn_philox(counter, key, word);
    const int32_t sum = signed_half(word[0]) + signed_half(word[0] >> 16) + signed_half(word[1]);
    const float x = (float)sum * 0x1p-15f;

    switch (gen) {
    case ATTN_GEN_NORMAL:
        break;
    case ATTN_GEN_PEAKED:
        return tensor == ATTN_TENSOR_Q ? 8.0f * x : x;
    case ATTN_GEN_EQUAL:
        return tensor == ATTN_TENSOR_Q ? 0.0f : x;
    case ATTN_GEN_LARGE:
        if (tensor != ATTN_TENSOR_V)
            return 16.0f * x;
        /* Running maxima rise by more than E2's range here: a zero in V could leave a sum that
         * shrinks into the subnormals, so V has none. */
        return sum ? 0x1p14f * x : 0.5f;
    case ATTN_GEN_CANCEL:
        if (tensor == ATTN_TENSOR_V)
            return word[1] >> 31 ? 64.0f + x : -64.0f - x;
        break;
    }
    return x;
}

static void fill(attn_generator gen, uint32_t seed, attn_tensor_id tensor, attn_dtype dtype,
                 uint64_t count, void *data)
{
    float *const f32 = data;
    uint16_t *const half = data;

#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (count >= PARALLEL_FROM)
#endif
    for (uint64_t i = 0; i < count; i++) {
        const float x = attn_input(gen, seed, tensor, i);
        if (dtype == ATTN_F32)
            f32[i] = x;
        else
            half[i] = dtype == ATTN_F16 ? attn_f32_to_f16(x) : attn_f32_to_bf16(x);
    }
}

attn_shape attn_inputs_shape(const attn_workload *w, attn_tensor_id tensor)
{
    if (tensor == ATTN_TENSOR_Q)
        return (attn_shape){w->b, w->h, w->n, w->d};
    return (attn_shape){w->b, w->hk, w->m, tensor == ATTN_TENSOR_K ? w->d : w->dv};
}

const void *attn_inputs_tensor(const attn_inputs *in, attn_tensor_id tensor)
{
    return tensor == ATTN_TENSOR_Q ? in->q : tensor == ATTN_TENSOR_K ? in->k : in->v;
}

attn_rows attn_inputs_rows(const attn_workload *w, const attn_inputs *in, attn_tensor_id tensor,
                           uint32_t batch, uint32_t head, uint32_t row)
{
    const attn_strides s = attn_layout_strides(in->layout, attn_inputs_shape(w, tensor));
    const uint32_t own = tensor == ATTN_TENSOR_Q ? head : head / (w->h / w->hk);
    const size_t at = batch * s.batch + own * s.head + row * s.row;
    const char *start = attn_inputs_tensor(in, tensor);

    return (attn_rows){start + at * attn_dtype_size(w->dtype), s.row};
}

/* NULL when the tensor does not fit the address space or the memory. */
static void *allocate(const attn_workload *w, uint64_t count)
{
    const size_t size = attn_dtype_size(w->dtype);

    return count <= SIZE_MAX / size ? attn_alloc((size_t)count * size) : NULL;
}

attn_status attn_inputs_make(const attn_workload *w, attn_generator gen, uint32_t seed,
                             attn_inputs *in, attn_reason *why)
{
    const uint64_t q = attn_q_elements(w), k = attn_k_elements(w), v = attn_v_elements(w);

    *in = (attn_inputs){.q = allocate(w, q), .k = allocate(w, k), .v = allocate(w, v)};
    if (!in->q || !in->k || !in->v) {
        attn_inputs_free(in);
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for q, k, v: %llu bytes",
                            (unsigned long long)((q + k + v) * attn_dtype_size(w->dtype)));
    }
    fill(gen, seed, ATTN_TENSOR_Q, w->dtype, q, in->q);
    fill(gen, seed, ATTN_TENSOR_K, w->dtype, k, in->k);
    fill(gen, seed, ATTN_TENSOR_V, w->dtype, v, in->v);
    return ATTN_OK;
}

void attn_inputs_free(attn_inputs *in)
{
    attn_free(in->q);
    attn_free(in->k);
    attn_free(in->v);
    *in = (attn_inputs){0};
}
