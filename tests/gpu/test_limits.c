/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowered limits (case 14): on a smaller device every kernel takes a smaller tile and gives the
 * same bits, or it is refused with what it needs and what there is; never an abort. Kernels that a
 * limit leaves as they are were tested elsewhere.
 */
#include "device_test.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "gpu/rows.h"
#include "gpu/set.h"

#define F32 "h=2,n=70,m=150,d=8,mask=causal"
#define F16 F32 ",split=128,dtype=f16"

static gpu_set *open_lowered(const char *limits)
{
    setenv("ATTNMARK_GPU_LIMITS", limits, 1);
    gpu_set *set = device_test_open();
    unsetenv("ATTNMARK_GPU_LIMITS");
    return set;
}

static attn_inputs make_inputs(const attn_workload *w)
{
    attn_inputs in;
    attn_reason why;
    if (attn_inputs_make(w, ATTN_GEN_NORMAL, 3, &in, &why) != ATTN_OK)
        fail_msg("%s", why.text);
    return in;
}

/* Whether the plans are equal, and no grid is folded on the smaller device. */
static bool same_plans(const gpu_plan *a, const gpu_plan *b, const gpu_limits *smaller)
{
    bool same = memcmp(a->specs, b->specs, sizeof a->specs) == 0 && a->scratch == b->scratch &&
                a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = memcmp(&a->steps[i].push, &b->steps[i].push, sizeof a->steps[i].push) == 0 &&
               a->steps[i].push.group_end - a->steps[i].push.group_begin <= smaller->groups;
    return same;
}

/* Whether a device with these limits does the same as one without. */
static bool unchanged(const attn_kernel *kernel, const gpu_limits *limits,
                      const gpu_limits *lowered, const attn_workload *w)
{
    const gpu_row *row = kernel->impl;
    gpu_plan plans[2];
    if (row->plan(row, limits, w, &plans[0], NULL) != ATTN_OK)
        return false;
    bool same = row->plan(row, lowered, w, &plans[1], NULL) == ATTN_OK;
    if (same) {
        same = same_plans(&plans[0], &plans[1], lowered);
        gpu_plan_free(&plans[1]);
    }
    gpu_plan_free(&plans[0]);
    return same;
}

typedef struct small {
    const char *limits, *workload;
    const char *available; /* the number that a refusal must name; NULL: nothing may be refused */
    bool runs;             /* some kernel must be changed and run on each device all the same */
} small;

/* "needs A ..., ... B": two numbers, one of them what is available. */
static void check_refusal(const attn_kernel *kernel, const attn_reason *why, const small *s)
{
    unsigned numbers = 0;
    for (const char *c = why->text; *c; c++)
        numbers += isdigit((unsigned char)*c) && !isdigit((unsigned char)c[1]);
    if (!s->available || !strstr(why->text, s->available) || !strstr(why->text, "needs") ||
        numbers < 2)
        fail_msg("%s: %s/%s: %s", s->limits, kernel->device, kernel->name, why->text);
}

static void check_device(gpu_set *set, size_t index, const attn_workload *w, const attn_inputs *in,
                         const small *s)
{
    size_t count, run = 0, refused = 0;
    const attn_kernel *kernels = gpu_kernels(set, &count);
    gpu_context *device = &set->devices[index];
    for (size_t i = 0; i < count; i++) {
        const attn_kernel *kernel = &kernels[i];
        attn_reason why;
        if (kernel->context != device || kernel->unavailable ||
            attn_contract_takes(kernel->contract, w->dtype, NULL) != ATTN_OK ||
            unchanged(kernel, &device_test_set->devices[index].limits, &device->limits, w))
            continue;
        if (device_test_check(kernel, w, in)) {
            run++;
            continue;
        }
        refused++;
        assert_int_equal(kernel->ops->supports(kernel, w, &why), ATTN_UNSUPPORTED);
        check_refusal(kernel, &why, s);
    }
    print_message("# %s %s: %d run, %d refused\n", device->info.selector, s->limits, (int)run,
                  (int)refused);
    if (!device->info.unavailable[0] && device->info.probe.m)
        assert_true(s->runs ? run > 0 : refused > 0);
}

static void check_small(const small *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const attn_workload w = parse_workload(list[i].workload);
        attn_inputs in = make_inputs(&w);
        gpu_set *set = open_lowered(list[i].limits);
        assert_int_equal(set->device_count, device_test_set->device_count);
        for (size_t device = 0; device < set->device_count; device++)
            check_device(set, device, &w, &in, &list[i]);
        device_test_close(set);
        attn_inputs_free(&in);
    }
}
#define CHECK_SMALL(list) check_small(list, sizeof list / sizeof list[0])

static void less_shared_memory(void **state)
{
    (void)state;
    static const small list[] = {{"shared=16384", F32, NULL, true},
                                 {"shared=8192", F32, NULL, true},
                                 {"shared=4096", F32, "4096", false}};
    CHECK_SMALL(list);
}

static void fewer_invocations(void **state)
{
    (void)state;
    static const small list[] = {{"invocations=128", F32, NULL, true},
                                 {"invocations=64", F32, NULL, true},
                                 {"invocations=32", F32, "32", true},
                                 {"invocations=8", F32, "8", true}};
    CHECK_SMALL(list);
}

static void smaller_buffers(void **state)
{
    (void)state;
    static const small list[] = {{"range=50000", F32, NULL, true},
                                 {"range=50000", F16, NULL, true},
                                 {"range=16384", F32, "16384", false},
                                 {"range=1024", F16, "1024", false}};
    CHECK_SMALL(list);
}

static void fewer_workgroups(void **state)
{
    (void)state;
    static const small list[] = {{"groups=3", F32, NULL, true}, {"groups=1", F32, NULL, true}};
    CHECK_SMALL(list);
}

static void shorter_loops(void **state)
{
    (void)state;
    static const small list[] = {{"loops=300", F32, "300", true}, {"loops=110", F16, "110", true}};
    CHECK_SMALL(list);
}

static void shorter_dispatches(void **state)
{
    (void)state;
    static const small list[] = {{"work=50000", F32, NULL, true},
                                 {"work=50000", F16, NULL, true},
                                 {"work=1", F32, NULL, true},
                                 {"work=300000,range=40000,groups=3", F32, "40000", true}};
    CHECK_SMALL(list);
}

static void narrower_subgroups(void **state)
{
    (void)state;
    static const small list[] = {{"subgroup=2", F32, NULL, true}, {"subgroup=1", F32, NULL, true}};
    CHECK_SMALL(list);
}

/* The least that Vulkan asks of a device, but for 16 KiB of shared memory. */
static void all_at_once(void **state)
{
    (void)state;
    static const small list[] = {
        {"shared=16384,invocations=128,range=134217728,subgroup=1,timestamps=0", F16, NULL, true}};
    CHECK_SMALL(list);
}

/* Without timestamps there is no device time, with few bits there is (case 16). */
static void fewer_bits_of_timestamps(void **state)
{
    (void)state;
    static const char *const limits[] = {"timestamps=0", "timestamps=36"};
    for (int i = 0; i < 2; i++) {
        gpu_set *set = open_lowered(limits[i]);
        size_t count;
        const attn_roof *roofs = gpu_roofs(set, &count);
        for (size_t r = 0; r < count; r++) {
            uint64_t done;
            attn_timing timing;
            attn_reason why;
            const gpu_roof *roof = roofs[r].context;
            if (roofs[r].run(&roofs[r], 1, 1, &done, &timing, &why) != ATTN_OK)
                fail_msg("%s on %s: %s", roofs[r].name, roofs[r].device, why.text);
            assert_int_equal(isnan(timing.device_s), i == 0);
            assert_true(roof->device->info.timestamp_bits <= (i == 0 ? 0 : 36));
        }
        device_test_close(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_shared_memory),
        cmocka_unit_test(fewer_invocations),
        cmocka_unit_test(smaller_buffers),
        cmocka_unit_test(fewer_workgroups),
        cmocka_unit_test(shorter_loops),
        cmocka_unit_test(shorter_dispatches),
        cmocka_unit_test(narrower_subgroups),
        cmocka_unit_test(all_at_once),
        cmocka_unit_test(fewer_bits_of_timestamps),
    };
    return cmocka_run_group_tests(tests, device_test_setup, device_test_teardown);
}
