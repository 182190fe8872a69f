/* SPDX-License-Identifier: Apache-2.0
 *
 * Heads that are bound together. A piece begins anywhere, but a binding only at a multiple of the
 * device's alignment: what lies between is skipped by the shader.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "attn/mask.h"
#include "gpu/plan.h"

/* Bytes of one head. */
static uint64_t head_bytes(const attn_workload *w, uint32_t binding)
{
    const uint64_t size = binding == BIND_OUT ? 4 : attn_dtype_size(w->dtype);
    const uint64_t rows = binding == BIND_Q || binding == BIND_OUT ? w->n : w->m;
    const uint64_t columns = binding == BIND_Q || binding == BIND_K ? w->d : w->dv;
    return size * rows * columns;
}

static bool has_query_heads(uint32_t binding)
{
    return binding == BIND_Q || binding == BIND_OUT;
}

/* Bytes that a binding may hold: K and V are texel buffers, too, where the shader wants it. */
static uint64_t most_bound(const gpu_limits *limits, const gpu_plan *plan, uint32_t binding)
{
    const uint64_t texels = 4 * plan->texel_words * limits->texels;
    return texels > 0 && !has_query_heads(binding) ? gpu_smaller(limits->range, texels)
                                                   : limits->range;
}

/* Heads of one binding that fit. What is bound before the first of some heads, but not all, takes
 * room where heads do not begin at multiples of the alignment. */
static uint64_t binding_fits(const gpu_limits *limits, const attn_workload *w, const gpu_plan *plan,
                             uint32_t binding)
{
    const uint64_t heads = (uint64_t)w->b * (has_query_heads(binding) ? w->h : w->hk);
    const uint64_t each = head_bytes(w, binding), most = most_bound(limits, plan, binding);
    const uint64_t skipped = each % limits->align ? limits->align : 0;
    if (4 * gpu_ceil_div(heads * each, 4) <= most)
        return heads;
    return most > skipped ? (most - skipped) / each : 0;
}

/* Query heads of a piece: all, or whole groups that share key heads, or a part of one group. */
static uint64_t heads_that_fit(const gpu_limits *limits, const attn_workload *w, uint64_t most,
                               const gpu_plan *plan)
{
    const uint64_t group = w->h / w->hk;
    uint64_t heads = most, key_heads = UINT64_MAX;
    for (uint32_t i = 0; i <= BIND_OUT; i++) {
        uint64_t *fit = has_query_heads(i) ? &heads : &key_heads;
        *fit = gpu_smaller(*fit, binding_fits(limits, w, plan, i));
    }
    const uint64_t groups = gpu_smaller(heads / group, key_heads);
    return groups > 0 ? groups * group : key_heads > 0 ? heads : 0;
}

/* The binding that asks for more than the device has. */
static attn_status refuse(const gpu_limits *limits, const attn_workload *w, const gpu_plan *plan,
                          attn_reason *why)
{
    uint32_t i = 0;
    while (i < BIND_OUT && binding_fits(limits, w, plan, i) > 0)
        i++;
    return attn_because(why, ATTN_UNSUPPORTED,
                        "needs to bind %" PRIu64 " bytes for a head, the device binds %" PRIu64,
                        4 * gpu_ceil_div(head_bytes(w, i), 4), most_bound(limits, plan, i));
}

static gpu_piece make_piece(const gpu_limits *limits, const attn_workload *w, uint32_t head,
                            uint32_t heads)
{
    const uint32_t group = w->h / w->hk;
    gpu_piece piece = {.head = head, .heads = heads};
    for (uint32_t i = 0; i <= BIND_OUT; i++) {
        const uint32_t first = has_query_heads(i) ? head : head / group;
        const uint32_t last = has_query_heads(i) ? head + heads : (head + heads - 1) / group + 1;
        const uint64_t each = head_bytes(w, i), begin = first * each;
        piece.bound[i].offset = begin / limits->align * limits->align;
        piece.bound[i].bytes = 4 * gpu_ceil_div(last * each - piece.bound[i].offset, 4);
    }
    return piece;
}

attn_status gpu_plan_pieces(const gpu_limits *limits, const attn_workload *w, uint64_t most,
                            gpu_plan *plan, attn_reason *why)
{
    const uint32_t all = w->b * w->h, group = w->h / w->hk;
    const uint64_t fit = heads_that_fit(limits, w, most, plan);
    for (uint32_t i = 0; i <= BIND_OUT; i++) {
        const uint64_t bytes =
            4 * gpu_ceil_div(head_bytes(w, i) * (has_query_heads(i) ? all : w->b * w->hk), 4);
        if (bytes > limits->allocation)
            return attn_because(why, ATTN_UNSUPPORTED,
                                "needs a buffer of %" PRIu64
                                " bytes, the device allocates %" PRIu64,
                                bytes, limits->allocation);
    }
    if (fit == 0)
        return refuse(limits, w, plan, why);
    const uint64_t spans = attn_mask_rows(w) * sizeof(attn_span);
    if (spans > limits->range)
        return attn_because(why, ATTN_UNSUPPORTED,
                            "needs to bind %" PRIu64 " bytes for the mask, the device binds "
                            "%" PRIu64,
                            spans, limits->range);

    plan->pieces = calloc(all / fit + all / group + 1, sizeof *plan->pieces);
    if (!plan->pieces)
        return attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the list of bindings");
    for (uint32_t head = 0; head < all;) {
        uint64_t end = gpu_smaller(head + fit, all);
        if (fit < group) /* no piece needs two key heads */
            end = gpu_smaller(end, (uint64_t)(head / group + 1) * group);
        plan->pieces[plan->piece_count++] = make_piece(limits, w, head, (uint32_t)(end - head));
        head = (uint32_t)end;
    }
    return ATTN_OK;
}

shader_push gpu_plan_push(const gpu_plan *plan, const attn_workload *w, uint32_t index)
{
    const gpu_piece *piece = &plan->pieces[index];
    const uint32_t group = w->h / w->hk;
    shader_push push = {.n = w->n,
                        .m = w->m,
                        .heads = w->h,
                        .head_group = group,
                        .head_first = piece->head,
                        .head_skip = piece->head % group,
                        .stack = 1,
                        .rows = piece->heads * w->n,
                        .span_stride = (uint32_t)attn_mask_stride(w),
                        .slots = 1};
    uint32_t *const at[] = {&push.q_at, &push.k_at, &push.v_at, &push.out_at};
    for (uint32_t i = 0; i <= BIND_OUT; i++) {
        const uint32_t head = has_query_heads(i) ? piece->head : piece->head / group;
        const uint64_t size = i == BIND_OUT ? 4 : attn_dtype_size(w->dtype);
        *at[i] = (uint32_t)((head * head_bytes(w, i) - piece->bound[i].offset) / size);
    }
    const float s2 = attn_workload_s2(w);
    memcpy(&push.s2, &s2, sizeof s2);
    return push;
}
