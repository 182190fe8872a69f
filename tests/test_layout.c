/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensors as users hold them: in either layout, aligned to an element and no more, before an
 * unreadable page. Every kernel, CPU and Vulkan, gives the bits that it gives on canonical tensors.
 */
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>

#include "attn/oracle.h"
#include "attn/tensor.h"
#include "harness/job.h"
#include "harness/registry.h"

enum { TENSORS = 3, LAYOUTS = 2 };

/* Inputs at odd multiples of their element's size. */
typedef struct odd_inputs {
    attn_inputs in;
    attn_guarded memory[TENSORS];
} odd_inputs;

/* A tensor of an even number of elements has NaN between its end and the page. */
static void *odd_copy(const attn_workload *w, const attn_inputs *from, attn_tensor_id tensor,
                      attn_layout layout, attn_guarded *memory)
{
    const attn_shape shape = attn_inputs_shape(w, tensor);
    const size_t size = attn_dtype_size(w->dtype);
    const size_t bytes = (attn_shape_elements(shape) | 1) * size;
    attn_reason why;
    if (attn_guarded_alloc(bytes, memory, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    assert_int_equal((uintptr_t)memory->data / size % 2, 1);
    memset(memory->data, 0xff, bytes);
    attn_layout_copy(shape, size, from->layout, attn_inputs_tensor(from, tensor), layout,
                     memory->data);
    return memory->data;
}

static odd_inputs odd_inputs_make(const attn_workload *w, const attn_inputs *from,
                                  attn_layout layout)
{
    odd_inputs odd = {.in.layout = layout};
    odd.in.q = odd_copy(w, from, ATTN_TENSOR_Q, layout, &odd.memory[0]);
    odd.in.k = odd_copy(w, from, ATTN_TENSOR_K, layout, &odd.memory[1]);
    odd.in.v = odd_copy(w, from, ATTN_TENSOR_V, layout, &odd.memory[2]);
    return odd;
}

static void odd_inputs_free(odd_inputs *odd)
{
    for (int i = 0; i < TENSORS; i++)
        attn_guarded_free(&odd->memory[i]);
}

static void make_inputs(const attn_workload *w, attn_inputs *in)
{
    attn_reason why;
    if (attn_inputs_make(w, ATTN_GEN_NORMAL, 5, in, &why) != ATTN_OK)
        fail_msg("%s", why.text);
}

static void rows_by_hand(void **state)
{
    (void)state;
    static const struct {
        attn_layout layout;
        attn_tensor_id tensor;
        size_t at, stride;
    } cases[] = {
        {ATTN_LAYOUT_BHND, ATTN_TENSOR_Q, ((1 * 4 + 3) * 3 + 1) * 2, 2},
        {ATTN_LAYOUT_BHND, ATTN_TENSOR_K, ((1 * 2 + 1) * 5 + 1) * 2, 2},
        {ATTN_LAYOUT_BHND, ATTN_TENSOR_V, ((1 * 2 + 1) * 5 + 1) * 3, 3},
        {ATTN_LAYOUT_BNHD, ATTN_TENSOR_Q, ((1 * 3 + 1) * 4 + 3) * 2, 8},
        {ATTN_LAYOUT_BNHD, ATTN_TENSOR_K, ((1 * 5 + 1) * 2 + 1) * 2, 4},
        {ATTN_LAYOUT_BNHD, ATTN_TENSOR_V, ((1 * 5 + 1) * 2 + 1) * 3, 6},
    };
    const attn_workload w = parse_workload("b=2,h=4,hk=2,n=3,m=5,d=2,dv=3,dtype=f16");
    attn_inputs in;
    make_inputs(&w, &in);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        in.layout = cases[i].layout;
        const uint16_t *start = attn_inputs_tensor(&in, cases[i].tensor);
        const attn_rows rows = attn_inputs_rows(&w, &in, cases[i].tensor, 1, 3, 1);
        assert_ptr_equal(rows.first, start + cases[i].at);
        assert_int_equal(rows.stride, cases[i].stride);
    }
    attn_inputs_free(&in);
}

static void copies_by_hand(void **state)
{
    (void)state;
    const attn_shape shape = {.batch = 2, .heads = 3, .rows = 2, .width = 1};
    static const uint16_t bhnd[] = {11, 12, 21, 22, 31, 32, 41, 42, 51, 52, 61, 62};
    static const uint16_t bnhd[] = {11, 21, 31, 12, 22, 32, 41, 51, 61, 42, 52, 62};
    uint16_t to[12];
    attn_layout_copy(shape, sizeof *to, ATTN_LAYOUT_BHND, bhnd, ATTN_LAYOUT_BNHD, to);
    assert_memory_equal(to, bnhd, sizeof to);
    attn_layout_copy(shape, sizeof *to, ATTN_LAYOUT_BNHD, bnhd, ATTN_LAYOUT_BHND, to);
    assert_memory_equal(to, bhnd, sizeof to);
    attn_layout_copy(shape, sizeof *to, ATTN_LAYOUT_BNHD, bnhd, ATTN_LAYOUT_BNHD, to);
    assert_memory_equal(to, bnhd, sizeof to);
}

/* The oracle and the digests of inputs see the same numbers. */
static void oracle_and_digests(void **state)
{
    (void)state;
    const attn_workload w = parse_workload("b=2,h=4,hk=2,n=3,m=70,d=5,dv=7,mask=causal,dtype=bf16");
    attn_inputs in;
    make_inputs(&w, &in);
    odd_inputs odd = odd_inputs_make(&w, &in, ATTN_LAYOUT_BNHD);
    for (int i = 0; i < TENSORS; i++) {
        const attn_tensor_id tensor = (attn_tensor_id)i;
        const size_t bytes = attn_shape_elements(attn_inputs_shape(&w, tensor)) * 2;
        const attn_digest want = attn_digest_bytes(attn_inputs_tensor(&in, tensor), bytes);
        assert_string_equal(attn_digest_input(&w, &in, tensor).hex, want.hex);
        assert_string_equal(attn_digest_input(&w, &odd.in, tensor).hex, want.hex);
    }
    for (uint32_t i = 0; i < w.b * w.h * w.n; i++) {
        const uint32_t batch = i / w.n / w.h, head = i / w.n % w.h, query = i % w.n;
        double out[7], bound[7], same[7], same_bound[7];
        assert_int_equal(attn_oracle_row(&w, &in, batch, head, query, out, bound, NULL), ATTN_OK);
        assert_int_equal(attn_oracle_row(&w, &odd.in, batch, head, query, same, same_bound, NULL),
                         ATTN_OK);
        assert_memory_equal(same, out, sizeof out);
        assert_memory_equal(same_bound, bound, sizeof bound);
    }
    odd_inputs_free(&odd);
    attn_inputs_free(&in);
}

static registry kernels;

static int open_registry(void **state)
{
    attn_reason why;
    (void)state;
    return registry_open(&kernels, NULL, NULL, &why) == ATTN_OK ? 0 : -1;
}

static int close_registry(void **state)
{
    (void)state;
    registry_close(&kernels);
    return 0;
}

/* Verified in full, against the reference or the oracle on the same inputs. False: it cannot use so
 * many threads. */
static bool verified(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                     unsigned threads, float *out, attn_digest *digest)
{
    const verify_options options = {.always_full = true};
    verify_result result;
    char text[ATTN_WORKLOAD_TEXT];
    job_check(kernel, w, in, threads, &options, out, &result);
    *digest = result.digest;
    if (threads > 1 && result.status == ATTN_UNSUPPORTED)
        return false;
    if (result.status != ATTN_OK)
        fail_msg("%s/%s %s, layout %d, %u threads: %s", kernel->device, kernel->name,
                 attn_workload_format(w, text), (int)in->layout, threads, result.why.text);
    return true;
}

static void check_kernel(const attn_kernel *kernel, const attn_workload *w, const attn_inputs *in,
                         odd_inputs odd[LAYOUTS], float *out)
{
    attn_digest want, got;
    assert_true(verified(kernel, w, in, 1, out, &want));
    for (int layout = 0; layout < LAYOUTS; layout++)
        for (unsigned threads = 1; threads <= (kernel->threaded ? 3 : 1); threads += 2) {
            if (!verified(kernel, w, &odd[layout].in, threads, out, &got))
                continue;
            if (kernel->tier == ATTN_TIER_EXACT && !attn_digest_equal(&got, &want))
                fail_msg("%s/%s, layout %d, %u threads: other bits than canonical tensors give",
                         kernel->device, kernel->name, layout, threads);
        }
}

/* The kernels of the CPU, or of all Vulkan devices. Returns how many exact ones did the workload.
 */
static int check_kernels(const char *text, const char *dtype, bool cpu)
{
    char full[128];
    snprintf(full, sizeof full, "%s,dtype=%s", text, dtype);
    const attn_workload parsed = parse_workload(full), *w = &parsed;
    attn_inputs in;
    make_inputs(w, &in);
    odd_inputs odd[LAYOUTS] = {odd_inputs_make(w, &in, ATTN_LAYOUT_BHND),
                               odd_inputs_make(w, &in, ATTN_LAYOUT_BNHD)};
    float *out = attn_alloc(attn_out_elements(w) * sizeof *out);
    int exact = 0;
    for (size_t k = 0; k < kernels.count; k++) {
        const attn_kernel *kernel = &kernels.kernels[k];
        attn_reason why;
        if (kernel->unavailable || (strcmp(kernel->device, "cpu") == 0) != cpu ||
            kernel->ops->supports(kernel, w, &why) != ATTN_OK)
            continue;
        check_kernel(kernel, w, &in, odd, out);
        exact += kernel->tier == ATTN_TIER_EXACT;
    }
    attn_free(out);
    for (int layout = 0; layout < LAYOUTS; layout++)
        odd_inputs_free(&odd[layout]);
    attn_inputs_free(&in);
    return exact;
}

static const char *const dtypes[] = {"f32", "f16", "bf16"};

static void every_cpu_kernel(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "h=3,hk=1,n=1,m=1,d=1",
        "h=8,hk=2,n=1,m=700,d=64,dv=24,split=128",
        "b=2,h=4,hk=2,n=1,m=200,d=40,mask=len:130:200,split=64",
        "h=6,hk=2,n=2,m=70,d=9,dv=5,mask=causal,split=64",
        "h=6,hk=3,n=3,m=65,d=16,mask=window:40",
        "b=3,h=4,hk=2,n=5,m=64,d=8,mask=len:0:1:64",
        "b=2,h=4,hk=1,n=37,m=100,d=40,mask=causal",
        "b=2,h=2,n=130,m=150,d=17,dv=33,mask=chunk:70",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int type = 0; type < 3; type++)
            assert_true(check_kernels(texts[i], dtypes[type], true) >= (type == 0 ? 2 : 1));
}

static void every_vulkan_kernel(void **state)
{
    (void)state;
    int checked = 0;
    for (int type = 0; type < 3; type++)
        checked += check_kernels("b=2,h=4,hk=2,n=5,m=70,d=9,dv=5,mask=causal,split=64",
                                 dtypes[type], false);
    if (checked == 0)
        NOTHING_TO_TEST("no Vulkan device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_hand),        cmocka_unit_test(copies_by_hand),
        cmocka_unit_test(oracle_and_digests),  cmocka_unit_test(every_cpu_kernel),
        cmocka_unit_test(every_vulkan_kernel),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
