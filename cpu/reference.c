/* SPDX-License-Identifier: Apache-2.0 */
#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "cpu/tile.h"

extern const cpu_kernel_impl scalar_f, scalar_m, scalar_x;

attn_status cpu_reference_rows(attn_contract contract, const attn_workload *w,
                               const attn_inputs *in, uint32_t batch, uint32_t head, uint32_t query,
                               uint32_t rows, float *out, attn_reason *why)
{
    const cpu_kernel_impl *impl = contract == ATTN_CONTRACT_F   ? &scalar_f
                                  : contract == ATTN_CONTRACT_M ? &scalar_m
                                                                : &scalar_x;
    const attn_rows q = attn_inputs_rows(w, in, ATTN_TENSOR_Q, batch, head, query);
    const attn_rows k = attn_inputs_rows(w, in, ATTN_TENSOR_K, batch, head, 0);
    const attn_rows v = attn_inputs_rows(w, in, ATTN_TENSOR_V, batch, head, 0);
    attn_span *spans = attn_alloc(rows * sizeof *spans);
    void *scratch = attn_alloc(impl->scratch(w));
    if (spans && scratch) {
        for (uint32_t i = 0; i < rows; i++)
            spans[i] = attn_mask_row(w, batch, query + i);
        const cpu_tile tile = {
            .w = w,
            .q = q.first,
            .k = k.first,
            .v = v.first,
            .q_stride = q.stride,
            .k_stride = k.stride,
            .v_stride = v.stride,
            .out = out,
            .spans = spans,
            .rows = rows,
            .s2 = attn_workload_s2(w),
            .scratch = scratch,
        };
        impl->tile(&tile);
    }
    const bool done = spans && scratch;
    attn_free(spans);
    attn_free(scratch);
    return done ? ATTN_OK : attn_because(why, ATTN_OUT_OF_MEMORY, "no memory for the reference");
}
