/* SPDX-License-Identifier: Apache-2.0
 *
 * onednn: the products by oneDNN. Version 2.6 has no fused attention, and its matmul primitive
 * dispatches f32 to the same code as dnnl_sgemm (gemm:jit), which needs no primitive per shape.
 *
 * On CPUs that multiply bf16, so are queries and keys: exact products, f32 sums. Weights and values
 * stay f32: weights rounded to the 8 bits of bf16 would leave the error bound that every row has to
 * meet, and as two bf16 each they are no faster.
 */
#include <dnnl.h>
#include <math.h>

#include "cpu/library/library.h"

static dnnl_engine_t engine;
static dnnl_primitive_t bf16_scores; /* for all shapes, as a user of many lengths would have it */

static void multiply(const library_product *p)
{
    /* Fails only on invalid sizes. */
    (void)dnnl_sgemm('N', p->transposed ? 'T' : 'N', p->rows, p->columns, p->depth, 1.0f, p->a,
                     (dnnl_dim_t)p->lda, p->b, (dnnl_dim_t)p->ldb, p->beta, p->c,
                     (dnnl_dim_t)p->ldc);
}

static void tile(const cpu_tile *t)
{
    library_tile(t, multiply);
}

/* A row-major matrix, or its transpose; sizes may be DNNL_RUNTIME_DIM_VAL. */
static dnnl_memory_desc_t matrix(dnnl_data_type_t type, dnnl_dim_t rows, dnnl_dim_t columns,
                                 dnnl_dim_t stride, bool transposed)
{
    dnnl_memory_desc_t desc;
    const dnnl_dims_t sizes = {rows, columns};
    const dnnl_dims_t strides = {transposed ? 1 : stride, transposed ? stride : 1};
    (void)dnnl_memory_desc_init_by_strides(&desc, 2, sizes, type, strides);
    return desc;
}

static void destroy(dnnl_exec_arg_t *arguments, int count, dnnl_stream_t stream)
{
    for (int i = 0; i < count; i++)
        if (arguments[i].memory)
            (void)dnnl_memory_destroy(arguments[i].memory);
    if (stream)
        (void)dnnl_stream_destroy(stream);
}

/* Scores of queries and keys whose depth counts pairs of bf16. */
static dnnl_status_t multiply_pairs(const library_product *p)
{
    const dnnl_memory_desc_t desc[] = {
        matrix(dnnl_bf16, p->rows, 2 * (dnnl_dim_t)p->depth, 2 * (dnnl_dim_t)p->lda, false),
        matrix(dnnl_bf16, 2 * (dnnl_dim_t)p->depth, p->columns, 2 * (dnnl_dim_t)p->ldb, true),
        matrix(dnnl_f32, p->rows, p->columns, (dnnl_dim_t)p->ldc, false),
    };
    void *const data[] = {(void *)(uintptr_t)p->a, (void *)(uintptr_t)p->b, p->c};
    dnnl_exec_arg_t arguments[] = {
        {DNNL_ARG_SRC, NULL}, {DNNL_ARG_WEIGHTS, NULL}, {DNNL_ARG_DST, NULL}};
    dnnl_stream_t stream = NULL;
    dnnl_status_t status = dnnl_stream_create(&stream, engine, dnnl_stream_default_flags);
    for (int i = 0; i < 3 && status == dnnl_success; i++)
        status = dnnl_memory_create(&arguments[i].memory, &desc[i], engine, data[i]);
    if (status == dnnl_success)
        status = dnnl_primitive_execute(bf16_scores, stream, 3, arguments);
    if (status == dnnl_success)
        status = dnnl_stream_wait(stream);
    destroy(arguments, 3, stream);
    return status;
}

static void multiply_bf16(const library_product *p)
{
    if (!p->transposed)
        multiply(p);
    else if (multiply_pairs(p) != dnnl_success)
        for (uint32_t i = 0; i < p->columns; i++)
            p->c[i] = NAN; /* out of memory: the tile must fail its check */
}

static void bf16_tile(const cpu_tile *t)
{
    library_tile(t, multiply_bf16);
}

static bool make_bf16_scores(void)
{
    const dnnl_dim_t any = DNNL_RUNTIME_DIM_VAL;
    const dnnl_memory_desc_t a = matrix(dnnl_bf16, any, any, any, false);
    const dnnl_memory_desc_t b = matrix(dnnl_bf16, any, any, any, true);
    const dnnl_memory_desc_t c = matrix(dnnl_f32, any, any, any, false);
    dnnl_matmul_desc_t desc;
    dnnl_primitive_desc_t primitive;
    if (dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success ||
        dnnl_matmul_desc_init(&desc, &a, &b, NULL, &c) != dnnl_success ||
        dnnl_primitive_desc_create(&primitive, &desc, NULL, engine, NULL) != dnnl_success)
        return false;
    const dnnl_status_t status = dnnl_primitive_create(&bf16_scores, primitive);
    (void)dnnl_primitive_desc_destroy(primitive);
    return status == dnnl_success;
}

/* The primitive lives as long as the program. */
static const cpu_kernel_impl *bf16(void)
{
    static const cpu_kernel_impl impl = {
        .tile = bf16_tile, .scratch = library_scratch, .few = LIBRARY_QUERIES};
    const int has = (int)dnnl_get_effective_cpu_isa(), needs = (int)dnnl_cpu_isa_avx512_core_bf16;
    if ((has & needs) != needs || (!bf16_scores && !make_bf16_scores()))
        return NULL;
    return &impl;
}

extern const library_impl onednn;
const library_impl onednn = {
    .kernel = {.tile = tile, .scratch = library_scratch, .few = LIBRARY_QUERIES}, .bf16 = bf16};
