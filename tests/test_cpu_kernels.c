/* SPDX-License-Identifier: Apache-2.0
 *
 * CPU kernels at the edge of memory and across thread counts: every buffer of a tile ends at an
 * unreadable page, and 20 runs with each of 6 thread counts give one digest (cases 6, 7, 18).
 */
#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "attn/digest.h"
#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "cpu/tile.h"

static attn_workload parse(const char *text, const attn_kernel *kernel)
{
    char full[256];
    snprintf(full, sizeof full, "%s,dtype=%s", text,
             kernel->contract == ATTN_CONTRACT_X ? "f16" : "f32");
    return parse_workload(full);
}

static attn_guarded guard(size_t bytes)
{
    attn_guarded g;
    attn_reason why;
    if (attn_guarded_alloc(bytes, &g, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    return g;
}

/* `rows` rows of `columns` elements, `gap` elements between two, the last one before a guard page.
 */
static attn_guarded guard_rows(const void *from, size_t rows, size_t columns, size_t gap,
                               size_t size)
{
    const attn_guarded g = guard((rows * (columns + gap) - gap) * size);
    for (size_t i = 0; i < rows; i++)
        memcpy((char *)g.data + i * (columns + gap) * size, (const char *)from + i * columns * size,
               columns * size);
    return g;
}

/* All splits apart, in any order, then merged. */
static void in_parts(const cpu_kernel_impl *impl, const cpu_tile *tile)
{
    const uint32_t splits = (tile->w->m + tile->w->split - 1) / tile->w->split;
    const size_t bytes = impl->state(tile->w, tile->rows);
    attn_guarded states = guard(splits * bytes);
    assert_int_equal(bytes % 64, 0);
    for (uint32_t split = splits; split-- > 0;)
        impl->part(tile, split, (char *)states.data + split * bytes);
    impl->merge(tile, states.data, splits);
    attn_guarded_free(&states);
}

/* All rows in one call, with q, k, v, spans, output and scratch each before a guard page. */
static void guarded_tile(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                         size_t gap)
{
    const cpu_kernel_impl *impl = kernel->impl;
    const size_t size = attn_dtype_size(w->dtype), d = w->d, dv = w->dv;
    attn_guarded g[6] = {guard_rows(in->q, w->n, d, gap, size),
                         guard_rows(in->k, w->m, d, 2 * gap, size),
                         guard_rows(in->v, w->m, dv, 3 * gap, size),
                         guard(w->n * dv * sizeof(float)),
                         guard(w->n * sizeof(attn_span)),
                         guard(impl->scratch(w))};
    attn_span *spans = g[4].data;
    for (uint32_t i = 0; i < w->n; i++)
        spans[i] = attn_mask_row(w, 0, i);
    const cpu_tile tile = {.w = w,
                           .q = g[0].data,
                           .k = g[1].data,
                           .v = g[2].data,
                           .q_stride = d + gap,
                           .k_stride = d + 2 * gap,
                           .v_stride = dv + 3 * gap,
                           .out = g[3].data,
                           .spans = spans,
                           .rows = w->n,
                           .s2 = attn_workload_s2(w),
                           .scratch = g[5].data};
    attn_reason why;
    float *want = attn_alloc(w->n * dv * sizeof *want);
    if (kernel->tier == ATTN_TIER_EXACT)
        assert_int_equal(cpu_reference_rows(kernel->contract, w, in, 0, 0, 0, w->n, want, &why),
                         ATTN_OK);
    for (int parts = 0; parts <= (w->split && impl->part); parts++) {
        memset(tile.out, 0xff, w->n * dv * sizeof(float));
        if (parts)
            in_parts(impl, &tile);
        else
            impl->tile(&tile);
        if (kernel->tier == ATTN_TIER_EXACT)
            assert_string_equal(attn_digest_floats(tile.out, w->n * dv).hex,
                                attn_digest_floats(want, w->n * dv).hex);
    }
    attn_free(want);
    for (int i = 0; i < 6; i++)
        attn_guarded_free(&g[i]);
}

static void guard_pages(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  15,  16,
                                     17, 31, 33, 40, 63, 65, 72, 80, 96, 128, 256};
    const uint32_t kinds = sizeof sizes / sizeof sizes[0];
    size_t count;
    const attn_kernel *kernels = cpu_kernels(&count);
    for (size_t k = 0; k < count; k++) {
        if (kernels[k].unavailable)
            continue;
        for (uint32_t i = 0; i < kinds; i++) {
            char text[128];
            const cpu_kernel_impl *impl = kernels[k].impl;
            const uint32_t tile = kernels[k].tile_q ? kernels[k].tile_q : 24;
            const uint32_t most = tile * cpu_kernel_stack(impl);
            const uint32_t rows = i < kinds / 2 ? 1 + i % tile : 1 + i * 37 % most;
            snprintf(text, sizeof text, "h=1,n=%u,m=%u,d=%u,dv=%u%s", rows, 60 + i * 5, sizes[i],
                     sizes[(i + 7) % kinds], i % 3 ? ",mask=causal" : ",split=64");
            const attn_workload w = parse(text, &kernels[k]);
            attn_inputs in;
            attn_reason why;
            assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 3, &in, &why), ATTN_OK);
            guarded_tile(&kernels[k], &w, &in, i % 4);
            attn_inputs_free(&in);
        }
    }
}

static attn_digest digest_of(const attn_kernel *kernel, const attn_workload *w,
                             const attn_inputs *in, unsigned threads, int runs)
{
    attn_job *job;
    attn_timing timing;
    attn_reason why;
    float *out = attn_alloc(attn_out_elements(w) * sizeof *out);
    attn_digest first = {""};
    const attn_status status = kernel->ops->prepare(kernel, w, in, threads, &job, &why);
    if (status == ATTN_UNSUPPORTED) {
        /* A serial build, or OMP_THREAD_LIMIT: refused with both numbers, never fewer. */
        assert_true(threads > 1);
        assert_non_null(strstr(why.text, "threads, at most "));
        attn_free(out);
        return first;
    }
    assert_int_equal(status, ATTN_OK);
    for (int i = 0; i < runs; i++) {
        assert_int_equal(kernel->ops->run(job, &timing, &why), ATTN_OK);
        assert_int_equal(kernel->ops->fetch(job, out, &why), ATTN_OK);
        const attn_digest digest = attn_digest_floats(out, attn_out_elements(w));
        if (i == 0)
            first = digest;
        assert_string_equal(digest.hex, first.hex);
    }
    kernel->ops->release(job);
    attn_free(out);
    return first;
}

static void one_digest_for(const attn_kernel *kernel, const char *workload, int runs)
{
    static const unsigned threads[] = {1, 2, 3, 4, 7, 64};
    const attn_workload w = parse(workload, kernel);
    attn_inputs in;
    attn_reason why;
    assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 1, &in, &why), ATTN_OK);
    attn_digest first = {""};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        const attn_digest digest = digest_of(kernel, &w, &in, threads[i], runs);
        if (i == 0)
            first = digest;
        if (digest.hex[0])
            assert_string_equal(digest.hex, first.hex);
    }
    attn_inputs_free(&in);
}

/* Threads share rows, or the splits of few rows. */
static void one_digest_for_all_threads(void **state)
{
    (void)state;
    size_t count;
    const attn_kernel *kernels = cpu_kernels(&count);
    for (size_t k = 0; k < count; k++) {
        if (kernels[k].unavailable)
            continue;
        one_digest_for(&kernels[k], "h=3,n=37,d=40", 20);
        one_digest_for(&kernels[k], "h=4,hk=2,n=2,m=700,d=40,split=128,mask=causal", 5);
        one_digest_for(&kernels[k], "h=1,n=53,m=300,d=8,split=64,mask=window:90", 5);
    }
}

/* Scratch of the tiled kernels: O(d) per thread and O(n) for the table of spans, never n * m. */
static void memory_is_linear(void **state)
{
    (void)state;
    size_t count;
    const attn_kernel *kernels = cpu_kernels(&count);
    for (size_t k = 0; k < count; k++) {
        uint64_t extra[2];
        if (kernels[k].unavailable || kernels[k].tier != ATTN_TIER_EXACT)
            continue;
        for (int i = 0; i < 2; i++) {
            const attn_workload w = parse(i ? "h=1,n=65536,d=1" : "h=1,n=4096,d=1", &kernels[k]);
            attn_inputs in;
            attn_reason why;
            attn_job *job;
            assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 1, &in, &why), ATTN_OK);
            assert_int_equal(kernels[k].ops->prepare(&kernels[k], &w, &in, 1, &job, &why), ATTN_OK);
            attn_job_facts facts;
            kernels[k].ops->facts(job, &facts);
            assert_true(isnan(facts.compile_s) && facts.dispatches == 0 && !facts.config[0]);
            extra[i] = facts.extra_bytes;
            kernels[k].ops->release(job);
            attn_inputs_free(&in);
        }
        assert_true(extra[1] <= 16 * extra[0]);
    }
}

/* An n x n matrix that no machine holds is refused with both numbers, before it is allocated. */
static void hopeless_scratch_is_refused(void **state)
{
    (void)state;
    size_t count;
    const attn_kernel *kernels = cpu_kernels(&count);
    const attn_workload w = parse("h=1,n=16777216,d=1", &kernels[0]);
    const attn_inputs in = {0};
    attn_reason why = {""};
    attn_job *job;
    assert_string_equal(kernels[0].name, "scalar_naive");
    assert_int_equal(kernels[0].ops->prepare(&kernels[0], &w, &in, 1, &job, &why),
                     ATTN_OUT_OF_MEMORY);
    assert_non_null(strstr(why.text, "GiB"));
}

/* A row of kernels.def that gives a call more rows than the kernel has room for. */
static void row_and_file_agree_on_the_tile(void **state)
{
    (void)state;
    size_t count;
    const attn_kernel *kernels = cpu_kernels(&count);
    for (size_t k = 0; k < count; k++) {
        const cpu_kernel_impl *impl = kernels[k].impl;
        if (!impl || impl->tile_q == 0)
            continue;
        assert_int_equal(impl->tile_q, kernels[k].tile_q);
        if (kernels[k].unavailable)
            continue;
        const attn_workload w = parse("h=1,n=64,d=8", &kernels[k]);
        attn_kernel other = kernels[k];
        attn_reason why = {""};
        assert_int_equal(other.ops->supports(&other, &w, &why), ATTN_OK);
        other.tile_q++;
        assert_int_equal(other.ops->supports(&other, &w, &why), ATTN_ERROR);
        assert_non_null(strstr(why.text, "queries per tile"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guard_pages),
        cmocka_unit_test(one_digest_for_all_threads),
        cmocka_unit_test(memory_is_linear),
        cmocka_unit_test(hopeless_scratch_is_refused),
        cmocka_unit_test(row_and_file_agree_on_the_tile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
