/* SPDX-License-Identifier: Apache-2.0
 *
 * Library rows: within the bound of any order on shapes around their blocks, blind to hidden
 * values, and without a trace in the process that exact kernels run in.
 */
#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "attn/oracle.h"
#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "cpu/library/vectors.h"

/* The next library row at or after *index that can run here; NULL after the last. */
static const attn_kernel *next_library(size_t *index)
{
    size_t count;
    const attn_kernel *kernels = cpu_kernels(&count);
    while (*index < count && (!kernels[*index].library || kernels[*index].unavailable))
        ++*index;
    return *index < count ? &kernels[(*index)++] : NULL;
}

static void run(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                unsigned threads, float *out)
{
    attn_job *job;
    attn_timing timing;
    attn_reason why;
    if (kernel->ops->prepare(kernel, w, in, threads, &job, &why) != ATTN_OK) {
        assert_true(threads > 1); /* a serial build */
        assert_int_equal(kernel->ops->prepare(kernel, w, in, 1, &job, &why), ATTN_OK);
    }
    assert_int_equal(kernel->ops->run(job, &timing, &why), ATTN_OK);
    assert_int_equal(kernel->ops->fetch(job, out, &why), ATTN_OK);
    kernel->ops->release(job);
}

static void check_bound(const attn_kernel *kernel, const char *text, const attn_inputs *in,
                        const float *out)
{
    const attn_workload w = parse_workload(text);
    double *want = attn_alloc(2 * w.dv * sizeof *want);
    for (uint64_t row = 0; row < (uint64_t)w.b * w.h * w.n; row++) {
        attn_reason why;
        assert_int_equal(attn_oracle_row(&w, in, (uint32_t)(row / w.n / w.h),
                                         (uint32_t)(row / w.n % w.h), (uint32_t)(row % w.n), want,
                                         want + w.dv, &why),
                         ATTN_OK);
        const attn_comparison c = attn_compare(out + row * w.dv, want, want + w.dv, w.dv);
        if (!c.pass)
            fail_msg("%s %s: row %d, column %d is %.9g, want %.9g within %.3g", kernel->name, text,
                     (int)row, (int)c.first_bad, (double)out[row * w.dv + c.first_bad],
                     want[c.first_bad], want[w.dv + c.first_bad]);
    }
    attn_free(want);
}

/* Every library on normal inputs. */
static void check(const char *text)
{
    const attn_workload w = parse_workload(text);
    float *out = attn_alloc(attn_out_elements(&w) * sizeof *out);
    attn_inputs in;
    attn_reason why;
    assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 1, &in, &why), ATTN_OK);
    const attn_kernel *kernel;
    for (size_t i = 0; (kernel = next_library(&i)) != NULL;)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            run(kernel, &w, &in, threads, out);
            check_bound(kernel, text, &in, out);
        }
    attn_inputs_free(&in);
    attn_free(out);
}

static void awkward_shapes(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "h=1,n=1,m=1,d=1",
        "h=1,n=129,m=1025,d=5,dv=3",
        "h=1,n=130,m=2060,d=8,mask=causal",
        "h=1,n=257,m=200,d=8,mask=causal", /* rows without a visible key */
        "h=1,n=140,m=2100,d=4,mask=window:1031",
        "h=1,n=150,m=1500,d=4,mask=chunk:100",
        "b=3,h=4,hk=2,n=7,m=1100,d=8,mask=len:0:1023:1100",
        "h=1,n=20,m=1100,d=8,scale=0",
        "h=1,n=20,m=1100,d=8,scale=-0.7",
        /* Query heads as rows of one matrix: all rows see the same keys, or they do not. */
        "b=2,h=6,hk=2,n=1,m=1300,d=16,mask=causal",
        "b=2,h=6,hk=2,n=1,m=70,d=16,mask=window:40",
        "b=2,h=8,hk=2,n=50,m=60,d=16",
        "b=2,h=6,hk=2,n=9,m=60,d=16,mask=causal",
        "b=2,h=4,hk=1,n=1,m=90,d=16,mask=causal-tl",
        "b=2,h=4,hk=1,n=3,m=90,d=16,mask=len:0:31",
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check(shapes[i]);
}

/* Widened in parts of 4096 elements. */
static void sixteen_bits(void **state)
{
    (void)state;
    check("h=2,n=129,m=70,d=33,dtype=f16,mask=causal");
    check("h=2,n=129,m=70,d=33,dtype=bf16");
    check("h=4,hk=2,n=1,m=1100,d=64,dtype=bf16");
}

/* Values of hidden keys that are not finite, in the first, second and last block of keys. */
static void hidden_values(void **state)
{
    (void)state;
    static const float poisons[] = {NAN, INFINITY, -INFINITY, 3e38f};
    const char *text = "h=1,n=140,m=1200,d=4,mask=window:900";
    const attn_workload w = parse_workload(text);
    float *out = attn_alloc(attn_out_elements(&w) * sizeof *out);
    attn_inputs in;
    attn_reason why;
    for (size_t p = 0; p < sizeof poisons / sizeof poisons[0]; p++) {
        assert_int_equal(attn_inputs_make(&w, ATTN_GEN_NORMAL, 1, &in, &why), ATTN_OK);
        for (int c = 0; c < 4; c++) {
            ((float *)in.k)[100 * 4 + c] = poisons[p];  /* seen by no query */
            ((float *)in.v)[170 * 4 + c] = poisons[p];  /* by the first queries */
            ((float *)in.v)[1190 * 4 + c] = poisons[p]; /* by the last ones */
        }
        const attn_kernel *kernel;
        for (size_t i = 0; (kernel = next_library(&i)) != NULL;) {
            run(kernel, &w, &in, 2, out);
            if (isfinite(poisons[p])) { /* where it is seen, sums overflow: no bound */
                for (int row = 11; row < 130; row++)
                    assert_true(fabsf(out[row * 4]) < 3);
                continue;
            }
            check_bound(kernel, text, &in, out);
        }
        attn_inputs_free(&in);
    }
    attn_free(out);
}

/* Rounding, subnormals and the number of threads are what they were. */
static void no_trace(void **state)
{
    (void)state;
    const unsigned threads = cpu_default_threads();
    attn_reason why;
    check("h=2,n=300,m=300,d=64");
    assert_int_equal(cpu_default_threads(), threads);
    if (cpu_check_arithmetic(&why) != ATTN_OK)
        fail_msg("%s", why.text);
}

/* One block of keys of a row whose earlier blocks left the maximum m and the sum l. */
static void check_softmax(const library_vectors *v, uint32_t keys, float s2, float m, float l)
{
    float scores[160], want_m = m;
    double want[160], sum = 0;
    uint64_t state = keys;
    for (uint32_t j = 0; j < 160; j++)
        scores[j] = j < keys ? (float)next_random(&state) * 0x1p-28f - 4.0f : NAN;
    for (uint32_t j = 0; j < keys; j++)
        want_m = fmaxf(want_m, scores[j] * s2);
    for (uint32_t j = 0; j < keys; j++)
        sum += want[j] = exp2((double)(scores[j] * s2 - want_m));
    const double shrink = exp2((double)m - want_m);
    const float got_shrink = v->softmax(scores, keys, s2, &m, &l);
    assert_true(m == want_m);
    assert_true(fabs(got_shrink - shrink) <= 1e-6 * shrink);
    for (uint32_t j = 0; j < keys; j++)
        assert_true(fabs(scores[j] - want[j]) <= 1e-6 * want[j]);
    assert_true(isnan(scores[keys + LIBRARY_GROUP])); /* nothing beyond the last group is written */
    const double before = l - sum;                    /* what is left of 3 */
    assert_true(fabs(before - 3 * shrink) <= 1e-5 * (sum + 3 * shrink));
}

static void vector_softmax(void **state)
{
    (void)state;
    const library_vectors *v = library_usable_vectors();
    if (v == NULL)
        NOTHING_TO_TEST("no vectors here");
    for (uint32_t keys = 1; keys <= 100; keys++) {
        check_softmax(v, keys, 1.5f, 0.25f, 3.0f);  /* the maximum mostly rises */
        check_softmax(v, keys, -0.5f, 40.0f, 3.0f); /* it stays */
        check_softmax(v, keys, 0.0f, -1.0f, 3.0f);  /* all scores are 0 */
    }
}

static void check_widening(void (*widen)(const uint16_t *, size_t, float *),
                           float (*value)(uint16_t))
{
    enum { ALL = 65536, TAIL = 3 };
    uint16_t *from = attn_alloc((ALL + TAIL) * sizeof *from);
    float *to = attn_alloc((ALL + TAIL + 1) * sizeof *to);
    for (int i = 0; i < ALL + TAIL; i++)
        from[i] = (uint16_t)(i - 7);
    to[ALL + TAIL] = 5.0f;
    widen(from, ALL + TAIL, to);
    for (int i = 0; i < ALL + TAIL; i++) {
        const float want = value(from[i]);
        if (attn_bits_of(to[i]) != attn_bits_of(want) && !(isnan(to[i]) && isnan(want)))
            fail_msg("%04x is %a, want %a", from[i], (double)to[i], (double)want);
    }
    assert_true(to[ALL + TAIL] == 5.0f);
    attn_free(from);
    attn_free(to);
}

static void vector_widening(void **state)
{
    (void)state;
    const library_vectors *v = library_usable_vectors();
    if (v == NULL)
        NOTHING_TO_TEST("no vectors here");
    check_widening(v->widen_f16, attn_f16_to_f32);
    check_widening(v->widen_bf16, attn_bf16_to_f32);
}

/* Built or not, a row for each, which says what is missing. */
static void always_listed(void **state)
{
    (void)state;
    size_t count;
    int libraries = 0;
    const attn_kernel *kernels = cpu_kernels(&count);
    for (size_t i = 0; i < count; i++) {
        const attn_kernel *k = &kernels[i];
        if (!k->library) {
            assert_null(strstr(k->story, "library"));
            continue;
        }
        libraries++;
        assert_int_equal(k->tier, ATTN_TIER_BOUNDED);
        assert_int_equal(k->contract, ATTN_CONTRACT_NONE);
        assert_true(k->unavailable || k->impl);
        if (!k->impl)
            assert_non_null(strstr(k->unavailable, "built without "));
    }
    assert_int_equal(libraries, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(awkward_shapes),  cmocka_unit_test(sixteen_bits),
        cmocka_unit_test(hidden_values),   cmocka_unit_test(no_trace),
        cmocka_unit_test(always_listed),   cmocka_unit_test(vector_softmax),
        cmocka_unit_test(vector_widening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
