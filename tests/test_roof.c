/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofs of the CPU: there is one for every place, and they do the work that they report.
 */
#include "unit.h"

#include <math.h>

#include <stdbool.h>

#include "attn/cache.h"
#include "attn/tensor.h"
#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "cpu/roof.h"

/* The only roof that moves bytes there. */
static const attn_roof *find(attn_roof_kind kind, unsigned level)
{
    size_t count;
    const attn_roof *roofs = cpu_roofs(&count), *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (roofs[i].kind == kind && roofs[i].level == level) {
            assert_null(found);
            found = &roofs[i];
        }
    assert_non_null(found);
    return found;
}

static size_t macs(attn_contract contract)
{
    size_t count, found = 0;
    const attn_roof *roofs = cpu_roofs(&count);
    for (size_t i = 0; i < count; i++)
        found += roofs[i].kind == ATTN_ROOF_MAC && roofs[i].contract == contract;
    return found;
}

static void every_place_has_one(void **state)
{
    (void)state;
    size_t isas = 0;
    for (int isa = 0; isa < CPU_ISAS; isa++)
        isas += cpu_isa_unavailable((cpu_isa_id)isa) == NULL;
    assert_int_equal(macs(ATTN_CONTRACT_F), isas);
    assert_int_equal(macs(ATTN_CONTRACT_M), isas);
    assert_int_equal(macs(ATTN_CONTRACT_X), 1);
    for (int kind = ATTN_ROOF_READ; kind <= ATTN_ROOF_TRIAD; kind++)
        for (unsigned level = ATTN_LEVEL_L1; level <= ATTN_LEVEL_MEMORY; level++)
            find((attn_roof_kind)kind, level);
}

static void the_work_wanted_is_done(void **state)
{
    (void)state;
    size_t count;
    const attn_roof *roofs = cpu_roofs(&count);
    const unsigned most = cpu_default_threads() < 2 ? 1 : 2;
    for (size_t i = 0; i < count; i++)
        for (unsigned threads = 1; threads <= most; threads++)
            for (uint64_t wanted = 1; wanted < 100000000; wanted *= 3163) {
                uint64_t done = 0;
                attn_timing timing;
                attn_reason why = {""};
                const attn_status status =
                    roofs[i].run(&roofs[i], threads, wanted, &done, &timing, &why);
                if (status == ATTN_UNAVAILABLE && why.text[0] != '\0' && done == 0)
                    continue; /* a cache that the system does not describe, or no fmaf */
                if (status != ATTN_OK)
                    fail_msg("%s: %s", roofs[i].name, why.text);
                assert_true(done >= wanted);
                assert_true(isnan(timing.device_s));
            }
}

/* Ones everywhere, then a single one in every place: no float is read twice or left out, and none
 * beyond the last line. */
static void every_float_is_read_once(void **state)
{
    (void)state;
    enum { LINES = 3, STRIDE = (LINES + 2) * READ_LINE };
    const size_t floats = (READ_STREAMS - 1) * STRIDE + LINES * READ_LINE;
    cpu_read_loop *read = *(cpu_read_loop *const *)find(ATTN_ROOF_READ, ATTN_LEVEL_MEMORY)->impl;
    attn_guarded memory;
    assert_int_equal(attn_guarded_alloc(floats * sizeof(float), &memory, NULL), ATTN_OK);
    float *data = memory.data;
    memset(data, 0, floats * sizeof *data);
    for (size_t i = 0; i < floats; i++) {
        data[i] = 1.0f;
        const bool inside = i % STRIDE < LINES * READ_LINE;
        assert_true(read(data, STRIDE, LINES) == (inside ? 1.0f : 0.0f));
        data[i] = 0.0f;
    }
    assert_true(read(data, STRIDE, 0) == 0.0f);
    attn_guarded_free(&memory);
}

static void reads_pass_the_caches(void **state)
{
    (void)state;
    const attn_roof *roof = find(ATTN_ROOF_READ, ATTN_LEVEL_MEMORY);
    roof->release(roof);
    for (unsigned threads = 1; threads <= 1024; threads *= 2) {
        const uint64_t bytes = roof->bytes(roof, threads);
        assert_true(bytes >= UINT64_C(256) << 20);
        assert_true(bytes >= 4 * attn_cache_bytes(threads));
        assert_true(attn_cache_bytes(2 * threads) >= attn_cache_bytes(threads));
    }
}

/* A second run takes no memory; freed memory is not read again: a run after release takes new. */
static void a_released_roof_runs_again(void **state)
{
    (void)state;
    const attn_roof *roof = find(ATTN_ROOF_READ, ATTN_LEVEL_MEMORY);
    roof->release(roof);
    const uint64_t one = roof->bytes(roof, 1), two = roof->bytes(roof, 2);
    for (int round = 0; round < 2; round++) {
        uint64_t done = 0;
        attn_timing timing;
        assert_int_equal(roof->run(roof, 1, 1, &done, &timing, NULL), ATTN_OK);
        assert_true(done > 0);
        assert_true(roof->bytes(roof, 1) == 0);
        assert_true(roof->bytes(roof, 2) < two);
        roof->release(roof);
        assert_true(roof->bytes(roof, 1) == one);
    }
    roof->release(roof);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_has_one),        cmocka_unit_test(the_work_wanted_is_done),
        cmocka_unit_test(every_float_is_read_once),   cmocka_unit_test(reads_pass_the_caches),
        cmocka_unit_test(a_released_roof_runs_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
