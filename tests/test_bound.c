/* SPDX-License-Identifier: Apache-2.0
 *
 * Proof 3 of docs/numerics.md: the scalar references of all contracts stay within the oracle's
 * bound for the contract's order, and two plain kernels that sum in other orders within its bound
 * for any order; and the bound is small enough to see a wrong kernel.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "attn/oracle.h"
#include "attn/tensor.h"
#include "cpu/cpu.h"

/* One row of an f32 head. */
typedef void kernel(const attn_workload *w, const float *q, const float *k, const float *v,
                    attn_span span, float *out);

static float score(const attn_workload *w, const float *q, const float *k, uint32_t j)
{
    float sum = 0.0f;

    for (uint32_t c = 0; c < w->d; c++)
        sum += q[c] * k[(size_t)j * w->d + c];
    return sum * (float)w->scale;
}

/* Two passes, one running sum over all keys. */
static void two_pass(const attn_workload *w, const float *q, const float *k, const float *v,
                     attn_span span, float *out)
{
    float max = -INFINITY, total = 0.0f;

    for (uint32_t j = span.lo; j < span.hi; j++)
        max = fmaxf(max, score(w, q, k, j));
    for (uint32_t c = 0; c < w->dv; c++)
        out[c] = 0.0f;
    for (uint32_t j = span.lo; j < span.hi; j++) {
        const float p = expf(score(w, q, k, j) - max);
        total += p;
        for (uint32_t c = 0; c < w->dv; c++)
            out[c] += p * v[(size_t)j * w->dv + c];
    }
    for (uint32_t c = 0; c < w->dv && span.lo < span.hi; c++)
        out[c] /= total;
}

/* Online softmax over blocks of 16 keys that adds each key to the running sums. */
static void online(const attn_workload *w, const float *q, const float *k, const float *v,
                   attn_span span, float *out)
{
    float max = -INFINITY, total = 0.0f;

    for (uint32_t c = 0; c < w->dv; c++)
        out[c] = 0.0f;
    for (uint32_t j0 = span.lo; j0 < span.hi;) {
        const uint32_t next = j0 / 16 * 16 + 16, end = next < span.hi ? next : span.hi;
        float higher = max;
        for (uint32_t j = j0; j < end; j++)
            higher = fmaxf(higher, score(w, q, k, j));
        const float factor = expf(max - higher);
        max = higher;
        total *= factor;
        for (uint32_t c = 0; c < w->dv; c++)
            out[c] *= factor;
        for (uint32_t j = j0; j < end; j++) {
            const float p = expf(score(w, q, k, j) - max);
            total += p;
            for (uint32_t c = 0; c < w->dv; c++)
                out[c] += p * v[(size_t)j * w->dv + c];
        }
        j0 = end;
    }
    for (uint32_t c = 0; c < w->dv && span.lo < span.hi; c++)
        out[c] *= 1.0f / total;
}

static const char *const shapes[] = {
    "h=2,n=5,m=1,d=1,dv=1",
    "h=2,n=9,m=63,d=3,dv=5",
    "h=2,n=65,d=64,dv=3,mask=causal",
    "h=4,hk=2,n=7,m=129,d=40,dv=2,mask=window:70",
    "h=1,n=3,m=1000,d=80,dv=7",
    "h=1,n=3,m=1000,d=80,dv=7,split=128",
    "h=1,n=2,m=5000,d=16,dv=4,split=4096,mask=causal",
    "h=1,n=4,m=700,d=8,dv=3,mask=chunk:100,split=64",
    "b=2,h=1,n=3,m=300,d=33,dv=2,mask=len:0:299",
    "h=1,n=2,m=300,d=65,dv=3,scale=1.5",
    "h=1,n=2,m=300,d=65,dv=3,scale=-30",
    "h=1,n=2,m=300,d=65,dv=3,scale=0",
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct row_id {
    uint32_t batch, head, query;
} row_id;

static row_id row_of(const attn_workload *w, uint32_t index)
{
    return (row_id){index / w->n / w->h, index / w->n % w->h, index % w->n};
}

static double largest_share(const char *what, const attn_workload *w, row_id id, const float *got,
                            const double *want, const double *bound)
{
    char text[ATTN_WORKLOAD_TEXT];
    const attn_comparison c = attn_compare(got, want, bound, w->dv);

    if (!c.pass)
        fail_msg("%s, %s, row %u %u %u: value %zu is %.9g, %.9g +- %.3g wanted", what,
                 attn_workload_format(w, text), (unsigned)id.batch, (unsigned)id.head,
                 (unsigned)id.query, c.first_bad, got[c.first_bad], want[c.first_bad],
                 bound[c.first_bad]);
    return c.max_bound_share;
}

static void references_meet_the_contract_bound(void **state)
{
    (void)state;
    static const struct {
        attn_contract contract;
        attn_dtype dtype;
    } kinds[] = {{ATTN_CONTRACT_F, ATTN_F32},
                 {ATTN_CONTRACT_M, ATTN_F32},
                 {ATTN_CONTRACT_X, ATTN_F16},
                 {ATTN_CONTRACT_X, ATTN_BF16}};
    double share = 0.0;

    for (size_t s = 0; s < SHAPES; s++)
        for (size_t a = 0; a < sizeof kinds / sizeof *kinds; a++)
            for (int gen = ATTN_GEN_NORMAL; gen <= ATTN_GEN_CANCEL; gen++) {
                attn_workload w = parse_workload(shapes[s]);
                attn_inputs in;
                w.dtype = kinds[a].dtype;
                assert_int_equal(attn_inputs_make(&w, (attn_generator)gen, 1, &in, NULL), ATTN_OK);
                for (uint32_t i = 0; i < w.b * w.h * w.n; i++) {
                    const row_id id = row_of(&w, i);
                    float got[8];
                    double want[8], bound[8];
                    assert_int_equal(cpu_reference_rows(kinds[a].contract, &w, &in, id.batch,
                                                        id.head, id.query, 1, got, NULL),
                                     ATTN_OK);
                    assert_int_equal(attn_oracle_row_contract(&w, &in, id.batch, id.head, id.query,
                                                              want, bound, NULL),
                                     ATTN_OK);
                    share = fmax(share, largest_share(attn_contract_name(kinds[a].contract), &w, id,
                                                      got, want, bound));
                }
                attn_inputs_free(&in);
            }
    print_message("# largest error of a reference: %.2g of its bound\n", share);
    assert_true(share > 1e-3);
}

static void other_orders_meet_the_bound(void **state)
{
    (void)state;
    kernel *const kernels[] = {two_pass, online};
    double share = 0.0;

    for (size_t s = 0; s < SHAPES; s++)
        for (int gen = ATTN_GEN_NORMAL; gen <= ATTN_GEN_CANCEL; gen++) {
            const attn_workload w = parse_workload(shapes[s]);
            attn_inputs in;
            assert_int_equal(attn_inputs_make(&w, (attn_generator)gen, 2, &in, NULL), ATTN_OK);
            for (uint32_t i = 0; i < 2 * w.b * w.h * w.n; i++) {
                const row_id id = row_of(&w, i / 2);
                const size_t kv = id.batch * w.hk + id.head / (w.h / w.hk);
                float got[8];
                double want[8], bound[8];
                kernels[i % 2](&w, (float *)in.q + (size_t)(i / 2) * w.d,
                               (float *)in.k + kv * w.m * w.d, (float *)in.v + kv * w.m * w.dv,
                               attn_mask_row(&w, id.batch, id.query), got);
                assert_int_equal(
                    attn_oracle_row(&w, &in, id.batch, id.head, id.query, want, bound, NULL),
                    ATTN_OK);
                share = fmax(share, largest_share("any order", &w, id, got, want, bound));
            }
            attn_inputs_free(&in);
        }
    print_message("# largest error of another order: %.2g of its bound\n", share);
    assert_true(share > 1e-3);
}

/* Equal values: errors of the weights cancel, and the bound is what sums may lose. */
static void sums_alone_meet_the_bound(void **state)
{
    (void)state;
    static const float values[] = {0.1f, 1.0f, -3e30f};
    const attn_workload w = parse_workload("h=1,n=1,m=3000,d=8,dv=1");
    attn_inputs in;
    double want, bound;
    float got;

    assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 4, &in, NULL), ATTN_OK);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const row_id id = {0, 0, 0};
        for (uint32_t j = 0; j < w.m; j++)
            ((float *)in.v)[j] = values[i];
        assert_int_equal(attn_oracle_row(&w, &in, 0, 0, 0, &want, &bound, NULL), ATTN_OK);
        assert_true(bound < 5e-4 * fabs(want));
        two_pass(&w, in.q, in.k, in.v, (attn_span){0, w.m}, &got);
        largest_share("two passes", &w, id, &got, &want, &bound);
        online(&w, in.q, in.k, in.v, (attn_span){0, w.m}, &got);
        largest_share("online", &w, id, &got, &want, &bound);
        assert_int_equal(attn_oracle_row_contract(&w, &in, 0, 0, 0, &want, &bound, NULL), ATTN_OK);
        assert_true(bound < 2e-5 * fabs(want));
        assert_int_equal(cpu_reference_rows(ATTN_CONTRACT_M, &w, &in, 0, 0, 0, 1, &got, NULL),
                         ATTN_OK);
        largest_share("M", &w, id, &got, &want, &bound);
    }
    attn_inputs_free(&in);
}

/* A million times 0.1: one running sum in binary32 is off by 1 %, which only the bound for any
 * order allows. */
static void a_long_sum_needs_the_bound_for_any_order(void **state)
{
    (void)state;
    const attn_workload w = parse_workload("h=1,n=1,m=1000000,d=1,dv=1");
    attn_inputs in;
    double want, bound, tight;
    float got;

    assert_int_equal(attn_inputs_make(&w, ATTN_GEN_EQUAL, 5, &in, NULL), ATTN_OK);
    for (uint32_t j = 0; j < w.m; j++)
        ((float *)in.v)[j] = 0.1f;
    two_pass(&w, in.q, in.k, in.v, (attn_span){0, w.m}, &got);
    assert_int_equal(attn_oracle_row(&w, &in, 0, 0, 0, &want, &bound, NULL), ATTN_OK);
    assert_true(attn_compare(&got, &want, &bound, 1).pass);
    assert_int_equal(attn_oracle_row_contract(&w, &in, 0, 0, 0, &want, &tight, NULL), ATTN_OK);
    assert_false(attn_compare(&got, &want, &tight, 1).pass);
    attn_inputs_free(&in);
}

/* What a wrong kernel does: one key too many, one too few, a scale that is off by 1 %. */
static void the_bound_sees_wrong_kernels(void **state)
{
    (void)state;
    attn_workload w = parse_workload("h=1,n=1,m=1000,d=64,dv=4"), off = w;
    attn_inputs in;

    assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 3, &in, NULL), ATTN_OK);
    off.scale = w.scale * 1.01;
    const struct {
        const attn_workload *w;
        attn_span span;
    } wrong[] = {{&w, {0, 999}}, {&w, {1, 1000}}, {&off, {0, 1000}}};
    double want[4], bound[4], tight[4];
    float got[4];
    assert_int_equal(attn_oracle_row(&w, &in, 0, 0, 0, want, bound, NULL), ATTN_OK);
    assert_int_equal(attn_oracle_row_contract(&w, &in, 0, 0, 0, want, tight, NULL), ATTN_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        two_pass(wrong[i].w, in.q, in.k, in.v, wrong[i].span, got);
        assert_false(attn_compare(got, want, bound, 4).pass);
    }
    for (int c = 0; c < 4; c++) {
        assert_true(bound[c] < 2e-4);
        assert_true(tight[c] < 3e-5);
    }
    attn_inputs_free(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_meet_the_contract_bound),
        cmocka_unit_test(other_orders_meet_the_bound),
        cmocka_unit_test(sums_alone_meet_the_bound),
        cmocka_unit_test(a_long_sum_needs_the_bound_for_any_order),
        cmocka_unit_test(the_bound_sees_wrong_kernels),
    };

    return cmocka_run_group_tests_name("bound", tests, NULL, NULL);
}
